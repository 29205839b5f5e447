package org.sluiceca.load.sizing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sluiceca.load.sizing.Demand.Kind;
import org.sluiceca.load.sizing.Demand.Redundancy;
import org.sluiceca.load.sizing.Machine.Disk;
import org.sluiceca.load.sizing.Machine.Memory;
import org.sluiceca.load.sizing.Machine.NodeMicros;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads demands and machines from JSON. What is misspelt is an error, not a default. */
final class SizingFiles {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final int FILE_MAX = 1 << 20;

  private static final Set<String> DEMAND =
      Set.of(
          "about",
          "certificates",
          "peakFactor",
          "handshakesPerRequest",
          "openConnections",
          "revokedPerYear",
          "ocspPerCertificatePerDay",
          "ocspLifetimeHours",
          "regions",
          "spare");

  private static final Set<String> KIND =
      Set.of("name", "living", "perDay", "lifetimeDays", "issuerKey", "subjectKey");

  private SizingFiles() {}

  /**
   * Reads a demand.
   *
   * @throws SizingException if the file is none
   */
  static Demand demand(Path file) {
    JsonNode root = read(file);
    known(root, DEMAND, "demand");
    List<Kind> kinds = new ArrayList<>();
    for (JsonNode kind : root.path("certificates")) {
      kinds.add(kind(kind));
    }
    return new Demand(
        kinds,
        number(root, "peakFactor", 3),
        number(root, "handshakesPerRequest", 1),
        (long) number(root, "openConnections", 0),
        number(root, "revokedPerYear", 0.01),
        number(root, "ocspPerCertificatePerDay", 0),
        number(root, "ocspLifetimeHours", 24),
        new Redundancy((int) number(root, "regions", 1), (int) number(root, "spare", 1)));
  }

  private static Kind kind(JsonNode node) {
    known(node, KIND, "certificates");
    String name = node.path("name").asString("");
    KeyKind issuerKey = KeyKind.of(node.path("issuerKey").asString("ec-p256"));
    KeyKind subjectKey = KeyKind.of(node.path("subjectKey").asString("ec-p256"));
    double lifetimeDays = number(node, "lifetimeDays", 90);
    if (node.has("living") == node.has("perDay")) {
      throw new SizingException(name + " is to have either living or perDay");
    }
    return node.has("perDay")
        ? Kind.issued(name, number(node, "perDay", 0), lifetimeDays, issuerKey, subjectKey)
        : Kind.renewed(name, number(node, "living", 0), lifetimeDays, issuerKey, subjectKey);
  }

  /**
   * Reads a machine's costs.
   *
   * @throws SizingException if the file has not all of them
   */
  static Machine machine(Path file) {
    JsonNode root = read(file);
    Map<KeyKind, Double> verify = new EnumMap<>(KeyKind.class);
    for (KeyKind kind : KeyKind.values()) {
      verify.put(kind, number(root.path("verifyMicros"), kind.text(), 0));
    }
    JsonNode node = root.path("nodeMicros");
    JsonNode memory = root.path("memory");
    JsonNode disk = root.path("databaseBytes");
    return new Machine(
        root.path("name").asString("a machine without a name"),
        new NodeMicros(
            number(node, "certificate", 0), number(node, "handshake", 0), number(node, "ocsp", 0)),
        verify,
        number(root, "databaseMicros", 0),
        new Memory(
            number(memory, "baseMb", 0),
            number(memory, "connectionKb", 0),
            (int) number(memory, "connectionsMax", 0)),
        new Disk(number(disk, "ledger", 0), number(disk, "index", 0), number(disk, "log", 0)));
  }

  private static JsonNode read(Path file) {
    try {
      if (Files.size(file) > FILE_MAX) {
        throw new SizingException(file + " is larger than 1 MB");
      }
      JsonNode root = JSON.readTree(Files.readString(file));
      if (!root.isObject()) {
        throw new SizingException(file + " is no JSON object");
      }
      return root;
    } catch (IOException e) {
      throw new SizingException("cannot read " + file);
    } catch (JacksonException e) {
      throw new SizingException(file + " is no JSON: " + e.getOriginalMessage());
    }
  }

  private static void known(JsonNode node, Set<String> names, String what) {
    for (String name : node.propertyNames()) {
      if (!names.contains(name)) {
        throw new SizingException(
            "%s: there is no '%s': %s".formatted(what, name, names.stream().sorted().toList()));
      }
    }
  }

  private static double number(JsonNode node, String name, double otherwise) {
    JsonNode value = node.path(name);
    if (value.isMissingNode()) {
      return otherwise;
    }
    if (!value.isNumber()) {
      throw new SizingException(name + " is to be a number");
    }
    return value.asDouble();
  }
}
