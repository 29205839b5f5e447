package org.sluiceca.client.output;

import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON for standard output: ASCII alone, so that no text of a server steers the terminal. */
public final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private Json() {}

  /** The document in one line, ended by a line feed. */
  public static String line(JsonNode node) {
    return ascii(MAPPER.writeValueAsString(node)) + "\n";
  }

  /** The document for a reader, ended by a line feed. */
  public static String pretty(JsonNode node) {
    return ascii(MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(node)) + "\n";
  }

  /** DEL is ASCII, and not for a terminal either. */
  private static String ascii(String json) {
    return json.replace("\u007f", "\\u007f");
  }
}
