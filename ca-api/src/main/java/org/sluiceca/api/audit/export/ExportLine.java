package org.sluiceca.api.audit.export;

import java.util.LinkedHashMap;
import java.util.Map;
import org.sluiceca.core.audit.AuditRow;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A row of the trail as a line of JSON, without the line feed. Pure. */
public final class ExportLine {

  private static final JsonMapper JSON = new JsonMapper();

  private ExportLine() {}

  /** The content as an object where it is one; whatever else stands there, as a text. */
  public static String of(AuditRow row) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("chain", row.chain());
    fields.put("sequence", row.sequence());
    fields.put("recordedAt", row.recordedAt().toString());
    fields.put("kind", row.kind());
    fields.put("actor", row.actor());
    fields.put("content", content(row.content()));
    fields.put("previous", row.previous().toString());
    fields.put("hash", row.hash().toString());
    return JSON.writeValueAsString(fields);
  }

  private static Object content(String text) {
    try {
      JsonNode read = JSON.readTree(text);
      // Read again from a line it must be the octets that were hashed.
      return read.isObject() && JSON.writeValueAsString(read).equals(text) ? read : text;
    } catch (JacksonException e) {
      return text;
    }
  }
}
