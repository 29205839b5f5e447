package org.sluiceca.load.sizing.given;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.sizing.given.Demand.Crowd;
import org.sluiceca.load.sizing.given.Demand.Kind;
import org.sluiceca.load.sizing.given.Demand.Redundancy;
import org.sluiceca.load.sizing.given.Demand.Tls;
import org.sluiceca.load.sizing.given.Machine.Disk;
import org.sluiceca.load.sizing.given.Machine.Handshakes;
import org.sluiceca.load.sizing.given.Machine.Memory;
import org.sluiceca.load.sizing.given.Machine.NodeMicros;

/** Reads demands, machines and models of HSMs from JSON. */
public final class GivenFiles {

  private static final String FULL = "full";
  private static final String RESUMED = "resumed";
  private static final String CLIENT_CERTIFICATE = "clientCertificate";

  private GivenFiles() {}

  /**
   * Reads a demand.
   *
   * @throws InputException if the file is none
   */
  public static Demand demand(Path file) {
    JsonFile root = JsonFile.read(file);
    root.knows(
        "about",
        "certificates",
        "peakFactor",
        "handshakesPerRequest",
        "handshakesPerSecond",
        "resumedHandshakes",
        "clientCertificates",
        "openConnections",
        "handshakesAtOnce",
        "handshakesWithinSeconds",
        "revokedPerYear",
        "ocspPerCertificatePerDay",
        "ocspLifetimeHours",
        "regions",
        "spare");
    return new Demand(
        root.parts("certificates").stream().map(GivenFiles::kind).toList(),
        root.number("peakFactor", 3),
        tls(root),
        root.number("revokedPerYear", 0.01),
        root.number("ocspPerCertificatePerDay", 0),
        root.number("ocspLifetimeHours", 24),
        new Redundancy((int) root.whole("regions", 1), (int) root.whole("spare", 1)));
  }

  private static Tls tls(JsonFile root) {
    return new Tls(
        root.number("handshakesPerRequest", 1),
        root.number("handshakesPerSecond", 0),
        root.number("resumedHandshakes", 0),
        root.number("clientCertificates", 0),
        root.whole("openConnections", 0),
        new Crowd(root.whole("handshakesAtOnce", 0), root.number("handshakesWithinSeconds", 30)));
  }

  private static Kind kind(JsonFile kind) {
    kind.knows("name", "living", "perDay", "lifetimeDays", "issuerKey", "subjectKey");
    String name = kind.text("name", "");
    if (name.isBlank()) {
      throw new InputException("each of the certificates is to have a name");
    }
    KeyKind issuerKey = KeyKind.of(kind.text("issuerKey", "ec-p256"));
    KeyKind subjectKey = KeyKind.of(kind.text("subjectKey", "ec-p256"));
    double lifetimeDays = kind.number("lifetimeDays", 90);
    if (kind.has("living") == kind.has("perDay")) {
      throw new InputException(name + " is to have either living or perDay");
    }
    return kind.has("perDay")
        ? Kind.issued(name, kind.number("perDay", 0), lifetimeDays, issuerKey, subjectKey)
        : Kind.renewed(name, kind.number("living", 0), lifetimeDays, issuerKey, subjectKey);
  }

  /**
   * Reads a machine's costs.
   *
   * @throws InputException if the file has not all of them
   */
  public static Machine machine(Path file) {
    JsonFile root = JsonFile.read(file);
    root.knows(
        "name",
        "measured",
        "nodeMicros",
        "handshakeMicros",
        "verifyMicros",
        "databaseMicros",
        "memory",
        "databaseBytes");
    JsonFile node = root.part("nodeMicros");
    node.knows("certificate", "handshake", "ocsp");
    JsonFile memory = root.part("memory");
    memory.knows("baseMb", "connectionKb", "connectionsMax");
    JsonFile disk = root.part("databaseBytes");
    disk.knows("ledger", "index", "log");
    return new Machine(
        root.text("name", "a machine without a name"),
        new NodeMicros(
            node.number("certificate", 0), node.number("handshake", 0), node.number("ocsp", 0)),
        handshakes(root.part("handshakeMicros")),
        root.part("verifyMicros").byKind(),
        root.number("databaseMicros", 0),
        new Memory(
            memory.number("baseMb", 0),
            memory.number("connectionKb", 0),
            (int) memory.number("connectionsMax", 0)),
        new Disk(disk.number("ledger", 0), disk.number("index", 0), disk.number("log", 0)));
  }

  private static Handshakes handshakes(JsonFile part) {
    part.knows(FULL, RESUMED, CLIENT_CERTIFICATE);
    return new Handshakes(
        part.part(FULL).byKind(), part.number(RESUMED), part.part(CLIENT_CERTIFICATE).byKind());
  }

  /**
   * Reads one model of a file of figures that others have published.
   *
   * @param engines how many signatures it makes at once; by the file if empty, else 1
   * @throws InputException if the file has no such model, or a model without its source
   */
  public static Hsm model(Path file, String name, OptionalInt engines) {
    JsonFile root = JsonFile.read(file);
    root.knows("about", "models");
    List<JsonFile> models = root.parts("models");
    for (JsonFile model : models) {
      model.knows("name", "about", "source", "dated", "perSecond", "engines");
      if (model.text("source", "").isBlank() || model.text("dated", "").isBlank()) {
        throw new InputException(model.text("name", "a model") + " has no source and date");
      }
    }
    JsonFile model =
        models.stream()
            .filter(each -> each.text("name", "").equals(name))
            .findFirst()
            .orElseThrow(
                () ->
                    new InputException(
                        Text.format(
                            "no model '%s': %s",
                            name, models.stream().map(each -> each.text("name", "")).toList())));
    return new Hsm(
        name,
        model.part("perSecond").byKind(),
        engines.orElse((int) model.number("engines", 1)),
        Text.format(
            "published, for ideal clients: %s (%s)",
            model.text("source", ""), model.text("dated", "")));
  }
}
