package org.sluiceca.client.audit;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import org.sluiceca.client.output.Json;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.x509.OctetString;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads and writes the lines of an exported trail. Pure. */
final class TrailLine {
  /** The longest line in octets: a checkpoint of the most chains has 1.8 million. */
  static final int OCTETS_MAX = 4_000_000;

  /** The hash is over eight values: whatever else stands in a line would be read and not held. */
  private static final int MEMBERS = 8;

  /** Of two members of one name, one reader takes the first and another the last. */
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private TrailLine() {}

  /** The line as JSON; empty if it is none. */
  static Optional<JsonNode> json(byte[] line) {
    try {
      return Optional.of(MAPPER.readTree(line)).filter(JsonNode::isObject);
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  /** The row of a line; empty if it is none. */
  static Optional<AuditRow> row(JsonNode line) {
    JsonNode content = line.path("content");
    JsonNode sequence = line.path("sequence");
    if (line.size() != MEMBERS || !sequence.isIntegralNumber() || !sequence.canConvertToLong()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new AuditRow(
              text(line, "chain"),
              sequence.asLong(),
              time(text(line, "recordedAt")),
              text(line, "kind"),
              text(line, "actor"),
              content.isObject()
                  ? whole(MAPPER.writeValueAsString(content))
                  : text(line, "content"),
              octets(line, "previous"),
              octets(line, "hash")));
    } catch (IllegalArgumentException | DateTimeException e) {
      return Optional.empty();
    }
  }

  /** The line of a row whose content is a JSON object, ended by a line feed. */
  static String of(AuditRow row) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put("chain", row.chain())
        .put("sequence", row.sequence())
        .put("recordedAt", row.recordedAt().toString())
        .put("kind", row.kind())
        .put("actor", row.actor())
        .set("content", MAPPER.readTree(row.content()));
    line.put("previous", row.previous().toString()).put("hash", row.hash().toString());
    return Json.line(line);
  }

  private static OctetString octets(JsonNode line, String name) {
    return OctetString.copyOf(HexFormat.of().parseHex(text(line, name)));
  }

  private static String text(JsonNode line, String name) {
    JsonNode value = line.path(name);
    if (!value.isString()) {
      throw new IllegalArgumentException("no text " + name);
    }
    return whole(value.asString());
  }

  /** A half of a surrogate pair has no octets of its own: two texts would have one hash. */
  private static String whole(String text) {
    if (text.codePoints().anyMatch(TrailLine::isHalf)) {
      throw new IllegalArgumentException("half of a surrogate pair");
    }
    return text;
  }

  /** In the one form in which it is hashed. */
  private static Instant time(String text) {
    Instant time = Instant.parse(text);
    if (!time.toString().equals(text)) {
      throw new IllegalArgumentException("a time in another form");
    }
    return time;
  }

  private static boolean isHalf(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }
}
