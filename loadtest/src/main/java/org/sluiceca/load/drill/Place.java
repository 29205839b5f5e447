package org.sluiceca.load.drill;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.drill.server.Servers;
import org.sluiceca.load.watch.Command;
import org.sluiceca.load.watch.TrialNodes;

/**
 * Where a drill takes place.
 *
 * @param launcher {@code ./sluice}
 * @param work the drill's own folder
 * @param firstPort of three ranges, 100 apart, for nodes
 * @param settings of its nodes, by their names in the environment
 */
record Place(
    Path launcher, Path work, Servers servers, int firstPort, Map<String, String> settings) {

  private static final int PORTS_APART = 100;

  /** A program of the product: the start of a JVM, and its work. */
  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(5);

  /**
   * How a drill is played.
   *
   * @param seconds of load before and after each of its events
   * @param loadPercent of the rate that two nodes were measured at, for the drill that restarts
   *     them; 0 for clients in a closed loop alone
   * @param stallSeconds for which the line to the standby has stood still before the primary dies
   * @param isBrief the part of it alone that shows most
   * @param isPlanted with the fault that it must find
   * @param haproxy the program, of the drill that needs it
   */
  record Terms(
      int seconds,
      int loadPercent,
      int stallSeconds,
      boolean isBrief,
      boolean isPlanted,
      Path haproxy) {}

  /** A folder and servers; one checkpoint a second, since a drill is short. */
  Place(Path launcher, Path work, Servers servers, int firstPort) {
    this(launcher, work, servers, firstPort, Map.of("SLUICE_AUDIT_CHECKPOINT_PERIOD", "1s"));
  }

  Place {
    settings = Map.copyOf(settings);
  }

  /** The same place, with one more setting of its nodes. */
  Place with(String name, String value) {
    Map<String, String> more = new HashMap<>(settings);
    more.put(name, value);
    return new Place(launcher, work, servers, firstPort, more);
  }

  /** The trial's folder. */
  Path trial() {
    return work.resolve("trial");
  }

  /** Returns nodes of the trial, which reach their database at this URL. */
  TrialNodes nodes(String databaseUrl) {
    return new TrialNodes(
        launcher,
        trial(),
        settings,
        new TrialNodes.Ports(firstPort, firstPort + PORTS_APART, firstPort + 2 * PORTS_APART),
        databaseOptions(databaseUrl));
  }

  private List<String> databaseOptions(String url) {
    return List.of(
        "--database-url",
        url,
        "--database-user",
        "sluice",
        "--database-password-file",
        servers.passwordFile("database").toString());
  }

  /** Runs a step of the ceremony on a database, and returns what it said. */
  String ceremony(String databaseUrl, List<String> step) {
    List<String> words = new ArrayList<>(List.of(launcher.toString(), "ceremony"));
    words.addAll(step);
    words.addAll(databaseOptions(databaseUrl));
    return Command.run(words, Map.of(), COMMAND_LIMIT);
  }

  /** Verifies the audit trail, and returns what that says, whether it finds fault or not. */
  String audit() {
    try {
      return Command.run(
          List.of(launcher.toString(), "audit", "verify", "--data", trial().toString()),
          Map.of(),
          COMMAND_LIMIT);
    } catch (TrialException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
