package org.sluiceca.load.scenario;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.plan.Goal;
import org.sluiceca.load.plan.Keys;
import org.sluiceca.load.plan.Phase;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.plan.PlanFile;

/**
 * A scenario as a file of properties: the keys of a plan, and in addition those that begin with
 * {@code gatling.}. Every key that is not known is an error. docs/performance/GATLING.md lists
 * them.
 */
public final class ScenarioFile {

  private static final String PREFIX = "gatling.";
  private static final String SOAK = PREFIX + "soak-seconds";

  private ScenarioFile() {}

  /**
   * Reads a scenario; it is named after its file.
   *
   * @throws InputException if it cannot be run
   * @throws IOException if it cannot be read
   */
  public static Scenario read(Path file) throws IOException {
    return Keys.read(file, ScenarioFile::scenario);
  }

  /**
   * Reads a scenario from its text.
   *
   * @throws InputException if it cannot be run
   */
  public static Scenario parse(String name, Reader text) throws IOException {
    return Keys.parse(name, text, ScenarioFile::scenario);
  }

  private static Scenario scenario(String name, Keys keys) {
    if (keys.isEither(PlanFile.DRIVER, "own", "gatling")) {
      throw new InputException(name + " has no Gatling");
    }
    Plan plan = PlanFile.plan(name, keys);
    List<Goal> knee = keys.goals(PREFIX + "knee");
    checkKnee(plan, knee);
    return new Scenario(
        plan,
        Clients.of(
            keys.text(PREFIX + "connections", "keep"),
            keys.text(PREFIX + "credentials", "token"),
            keys.text(PREFIX + "when-refused", "leave"),
            clientKeys(keys)),
        operations(keys),
        limits(keys),
        knee,
        keys.isEither(PREFIX + "crowd", "renew", "enroll"),
        keys.text(SOAK, "").isEmpty()
            ? OptionalInt.empty()
            : OptionalInt.of(above(SOAK, keys.whole(SOAK, "0"))),
        above(PREFIX + "sample-seconds", keys.whole(PREFIX + "sample-seconds", "2")));
  }

  /** Of the whole run, or of one kind of request that issues nothing. */
  private static List<Goal> limits(Keys keys) {
    List<Goal> limits = keys.goals(PREFIX + "limits");
    for (Goal limit : limits) {
      boolean isKnown =
          limit.name().isEmpty()
              ? limit.measure().isOfRun()
              : limit.measure().isOfKind() && Kind.find(limit.name()).isPresent();
      if (!isKnown || limit.isRelative() || limit.isScaled()) {
        throw new InputException("it is no limit of a whole run: " + limit);
      }
    }
    return limits;
  }

  /** Below the knee is a phase by itself, and above it one of more load. */
  private static void checkKnee(Plan plan, List<Goal> knee) {
    for (Goal goal : knee) {
      if (goal.isRelative()) {
        throw new InputException(PREFIX + "knee is of each phase by itself: " + goal);
      }
    }
    double before = 0;
    for (Phase phase : plan.phases().stream().filter(Scenario::isMeasured).toList()) {
      if (!knee.isEmpty() && phase.load() < before) {
        throw new InputException(PREFIX + "knee: phases rise, and " + phase.name() + " does not");
      }
      before = phase.load();
    }
  }

  /** Reads {@code search 0.1, ocsp 0.5}. */
  private static Map<Kind, Double> operations(Keys keys) {
    Map<Kind, Double> operations = new EnumMap<>(Kind.class);
    for (String operation : keys.parts(PREFIX + "operations", ",")) {
      String[] words = operation.split("\\s+", -1);
      Kind kind =
          Kind.find(words[0])
              .filter(found -> !found.isIssuance() && words.length == 2)
              .orElseThrow(() -> new InputException("no operation and its load: " + operation));
      double load = PlanFile.number(PREFIX + "operations", words[1]);
      if (!(load > 0 && load <= 10) || operations.put(kind, load) != null) {
        throw new InputException("a load above 0 and up to 10, once for each: " + operation);
      }
    }
    return operations;
  }

  /** Reads {@code a rsa-2048, b ec-p256}. */
  private static Map<String, String> clientKeys(Keys keys) {
    Map<String, String> kinds = new TreeMap<>();
    for (String entry : keys.parts(PREFIX + "client-keys", ",")) {
      String[] words = entry.split("\\s+", -1);
      if (words.length != 2 || kinds.put(words[0], words[1]) != null) {
        throw new InputException("a requester and the kind of its clients' keys, once: " + entry);
      }
    }
    return kinds;
  }

  private static int above(String key, int number) {
    if (number < 1) {
      throw new InputException(key + " is a whole number above 0, not " + number);
    }
    return number;
  }
}
