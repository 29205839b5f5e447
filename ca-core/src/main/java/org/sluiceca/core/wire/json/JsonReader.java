package org.sluiceca.core.wire.json;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/** Octets to maps, lists, texts, longs and truth values. Thread-safe. */
final class JsonReader {

  /** No message of ACME has more than four. */
  static final int DEPTH_MAX = 8;

  private static final int NAME_CHARACTERS_MAX = 100;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEPTH_MAX)
                  .maxNameLength(NAME_CHARACTERS_MAX)
                  .build())
          .build();

  private JsonReader() {}

  static Map<String, @Nullable Object> read(byte[] octets) throws JsonException {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text(octets))) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new JsonException("not a JSON object");
      }
      Map<String, @Nullable Object> object = object(parser);
      if (parser.nextToken() != null) {
        throw new JsonException("there is something behind the JSON object");
      }
      return object;
    } catch (JacksonException e) {
      // Its message cites the content.
      throw new JsonException("not well-formed JSON, or a name twice in one object");
    }
  }

  /** The parser's own decoder lets some octets pass that are not UTF-8. */
  private static String text(byte[] octets) throws JsonException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(octets)).toString();
    } catch (CharacterCodingException e) {
      throw new JsonException("not UTF-8");
    }
  }

  private static Map<String, @Nullable Object> object(JsonParser parser) throws JsonException {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      members.put(name, value(parser));
    }
    return Collections.unmodifiableMap(members);
  }

  private static List<@Nullable Object> array(JsonParser parser) throws JsonException {
    List<@Nullable Object> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value(parser));
    }
    return Collections.unmodifiableList(elements);
  }

  /** Depth is bounded by the parser. */
  private static @Nullable Object value(JsonParser parser) throws JsonException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> scalar(parser.getString());
      case VALUE_NUMBER_INT -> whole(parser);
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw new JsonException("a number that is not whole");
    };
  }

  /** RFC 8259 8.2: half of a pair is no character, and is written in no encoding. */
  private static String scalar(String text) throws JsonException {
    if (!StandardCharsets.UTF_16.newEncoder().canEncode(text)) {
      throw new JsonException("a text with half of a surrogate pair");
    }
    return text;
  }

  private static long whole(JsonParser parser) throws JsonException {
    return switch (parser.getNumberType()) {
      case INT, LONG -> parser.getLongValue();
      default -> throw new JsonException("a number beyond 64 bits");
    };
  }
}
