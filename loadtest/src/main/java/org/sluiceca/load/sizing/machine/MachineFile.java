package org.sluiceca.load.sizing.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
    ObjectNode document = Json.object();
    document.put(
        "name",
        Text.format(
            "%s, %s (./sluice bench machine at %s)",
            fact("processors"), fact("at"), fact("commit")));
    ObjectNode node = document.putObject("nodeMicros");
    node.put("certificate", rounded(certificate()));
    node.put("handshake", rounded(record.of(NODE_FULL)));
    node.put("ocsp", rounded(record.of("node/ocsp")));
    putHandshakes(document.putObject("handshakeMicros"));
    ObjectNode verify = document.putObject("verifyMicros");
    for (KeyKind kind : KeyKind.values()) {
      verify.put(kind.text(), rounded(record.of("verify/" + kind.text())));
    }
    document.put("databaseMicros", rounded(record.of("database/certificate")));
    ObjectNode memory = document.putObject("memory");
    memory.put("baseMb", rounded(record.of("node/memory")));
    memory.put("connectionKb", base.memory().connectionKb());
    memory.put("connectionsMax", base.memory().connectionsMax());
    ObjectNode disk = document.putObject("databaseBytes");
    disk.put("ledger", rounded(ledger()));
    disk.put("index", base.disk().index());
    disk.put("log", rounded(record.of("database/log")));
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
  private void putHandshakes(ObjectNode handshakes) {
    double rest = record.of(NODE_FULL) - record.of(FULL_EC);
    if (rest <= 0) {
      doubts.add(
          "a handshake with a node costs less than its engine's part alone: other work disturbed one of them");
    }
    ObjectNode full = handshakes.putObject("full");
    full.put("rsa-2048", rounded(record.of("engine/full/rsa-2048") + Math.max(0, rest)));
    if (record.figures().containsKey(NODE_RESUMED)
        && record.of(NODE_RESUMED) < record.of(NODE_FULL)) {
      handshakes.put("resumed", rounded(record.of(NODE_RESUMED)));
    } else {
      doubts.add("resumed handshakes cost no less than full ones: left out");
    }
    ObjectNode clients = handshakes.putObject("clientCertificate");
    for (KeyKind kind : KeyKind.values()) {
      double more = record.of("engine/client/" + kind.text()) - record.of(FULL_EC);
      if (more > 0) {
        clients.put(kind.text(), rounded(more));
      } else {
        doubts.add("a client's " + kind.text() + " certificate costs nothing: left out");
      }
    }
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

  private static double rounded(double value) {
    return Math.round(value * 10) / 10.0;
  }
}
