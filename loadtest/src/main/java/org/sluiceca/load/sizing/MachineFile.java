package org.sluiceca.load.sizing;

import static java.util.stream.Collectors.toMap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.cli.Options;
import org.sluiceca.load.cli.Program;
import org.sluiceca.load.page.Json;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.sizing.given.GivenFiles;
import org.sluiceca.load.sizing.given.KeyKind;
import org.sluiceca.load.sizing.given.Machine;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes the file of a machine's costs from what was measured: {@code --record FILE --base FILE
 * --out FILE}. What a run of minutes cannot measure is taken from the base, and said so. Exit
 * codes: 0 written, 1 what was measured is no cost of a machine.
 */
final class MachineFile {

  private static final String FULL_EC = "engine/full/ec-p256";
  private static final String NODE_FULL = "node/handshake/full";
  private static final String NODE_RESUMED = "node/handshake/resumed";

  private final MachineRecord record;
  private final Machine base;
  private final List<String> doubts = new ArrayList<>();

  private MachineFile(MachineRecord record, Machine base) {
    this.record = record;
    this.base = base;
  }

  public static void main(String[] arguments) {
    Locale.setDefault(Locale.ROOT);
    Program.start(MachineFile::run, "--record --base --out", arguments);
  }

  private static int run(Options options) throws IOException {
    try {
      String record = Files.readString(options.path("--record"));
      String text = of(record, GivenFiles.machine(options.path("--base")));
      Path out = Files.writeString(options.path("--out"), text);
      // It must be what the planner reads.
      Machine ignored = GivenFiles.machine(out);
      System.out.print(text);
      return 0;
    } catch (InputException e) {
      System.err.println("sluice: " + e.getMessage());
      return 1;
    }
  }

  /**
   * Returns the file.
   *
   * @throws InputException if a figure is missing, or one contradicts another
   */
  static String of(String record, Machine base) {
    return new MachineFile(MachineRecord.parse(record), base).json();
  }

  private String json() {
    Machine machine =
        new Machine(
            Text.format(
                "%s, %s (./sluice bench machine at %s)",
                fact("processors"), fact("at"), fact("commit")),
            new Machine.NodeMicros(
                rounded(certificate()), measured(NODE_FULL), measured("node/ocsp")),
            handshakes(),
            Stream.of(KeyKind.values())
                .collect(toMap(kind -> kind, kind -> measured("verify/" + kind.text()))),
            measured("database/certificate"),
            new Machine.Memory(
                measured("node/memory"),
                base.memory().connectionKb(),
                base.memory().connectionsMax()),
            new Machine.Disk(rounded(ledger()), base.disk().index(), measured("database/log")));
    ObjectNode document = (ObjectNode) Json.tree(machine);
    putMeasured(document.putObject("measured"));
    return Json.text(document);
  }

  /** What the node was measured with verifies two P-256 signatures of each certificate. */
  private double certificate() {
    return above(
        "node/certificate without its two verifications",
        record.of("node/certificate") - 2 * record.of("verify/ec-p256"));
  }

  private double ledger() {
    return above(
        "database/octets without the index", record.of("database/octets") - base.disk().index());
  }

  /**
   * Another server's key changes the engine's part of a handshake and nothing else of a connection.
   */
  private Machine.Handshakes handshakes() {
    double rest = record.of(NODE_FULL) - record.of(FULL_EC);
    if (rest <= 0) {
      doubts.add(
          "a handshake with a node costs less than its engine's part alone: other work disturbed one of them");
    }
    double full = rounded(record.of("engine/full/rsa-2048") + Math.max(0, rest));
    boolean isResumed =
        record.figures().containsKey(NODE_RESUMED)
            && record.of(NODE_RESUMED) < record.of(NODE_FULL);
    if (!isResumed) {
      doubts.add("resumed handshakes cost no less than full ones: left out");
    }
    Map<KeyKind, Double> clients = new EnumMap<>(KeyKind.class);
    for (KeyKind kind : KeyKind.values()) {
      double more = record.of("engine/client/" + kind.text()) - record.of(FULL_EC);
      if (more > 0) {
        clients.put(kind, rounded(more));
      } else {
        doubts.add("a client's " + kind.text() + " certificate costs nothing: left out");
      }
    }
    return new Machine.Handshakes(
        Map.of(KeyKind.RSA_2048, full),
        isResumed ? OptionalDouble.of(measured(NODE_RESUMED)) : OptionalDouble.empty(),
        clients);
  }

  private void putMeasured(ObjectNode measured) {
    record.facts().forEach(measured::put);
    ObjectNode figures = measured.putObject("figures");
    for (Map.Entry<String, MachineRecord.Figure> each : record.figures().entrySet()) {
      figures.put(each.getKey(), rounded(each.getValue().value()) + ": " + each.getValue().how());
    }
    measured.put(
        "taken", "memory.connectionKb and connectionsMax, databaseBytes.index: " + base.name());
    doubts.forEach(measured.putArray("doubts")::add);
  }

  private String fact(String name) {
    return record.facts().getOrDefault(name, "unknown");
  }

  private static double above(String name, double value) {
    if (value <= 0) {
      throw new InputException(name + " is not above 0: other work disturbed the measurement");
    }
    return value;
  }

  private double measured(String name) {
    return rounded(record.of(name));
  }

  private static double rounded(double value) {
    return Math.round(value * 10) / 10.0;
  }
}
