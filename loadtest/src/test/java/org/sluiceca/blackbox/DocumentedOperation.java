package org.sluiceca.blackbox;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An operation of an OpenAPI document, with the examples of what it takes and answers.
 *
 * @param json the Operation Object
 */
record DocumentedOperation(Shape shape, String method, String path, JsonNode json) {

  /** A JSON text on each line; what a line is, {@code x-itemSchema} says. */
  static final String NDJSON = "application/x-ndjson";

  static final String ITEM_SCHEMA = "x-itemSchema";

  private static final String DATA_URI = "data:[^,;]+;base64,";

  /**
   * One example.
   *
   * @param value a data URI if it {@code isUri}
   */
  record Example(String name, JsonNode value, boolean isUri) {

    /** Returns the octets of a body of this example. */
    byte[] octets(String mediaType) {
      if (isUri) {
        return Base64.getDecoder().decode(value.asString("").replaceFirst(DATA_URI, ""));
      }
      return mediaType.equals(Api.JSON)
          ? JsonMapper.shared().writeValueAsBytes(value)
          : value.asString("").getBytes(StandardCharsets.UTF_8);
    }
  }

  String id() {
    return json.path("operationId").asString(method + " " + path);
  }

  /** Returns each parameter, as it is written. */
  List<JsonNode> parameters() {
    return json.path("parameters").valueStream().map(shape::resolved).toList();
  }

  /** Returns what a body can be: media types, in their order, with what is said of each. */
  List<Map.Entry<String, JsonNode>> bodies() {
    return media(json.path("requestBody"));
  }

  /** Returns the answers of success by their status. */
  Map<String, JsonNode> successes() {
    Map<String, JsonNode> successes = new TreeMap<>();
    for (var response : json.path("responses").properties()) {
      if (response.getKey().startsWith("2")) {
        successes.put(response.getKey(), shape.resolved(response.getValue()));
      }
    }
    return successes;
  }

  /** Returns the media types of a body or an answer, in their order. */
  List<Map.Entry<String, JsonNode>> media(JsonNode bodyOrAnswer) {
    return List.copyOf(shape.resolved(bodyOrAnswer).path("content").properties());
  }

  /** Returns the examples of a parameter or a media type. */
  List<Example> examples(JsonNode holder) {
    List<Example> examples = new ArrayList<>();
    if (holder.has("example")) {
      examples.add(new Example("example", holder.path("example"), false));
    }
    for (var named : holder.path("examples").properties()) {
      JsonNode example = shape.resolved(named.getValue());
      boolean isUri = example.has("externalValue");
      examples.add(
          new Example(named.getKey(), example.path(isUri ? "externalValue" : "value"), isUri));
    }
    return examples;
  }

  /** Returns what is wrong with its examples, or that there is none where one must be. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    for (JsonNode parameter : parameters()) {
      String where = id() + " parameter " + parameter.path("name").asString("");
      List<Example> examples = examples(parameter);
      if (examples.isEmpty() && parameter.path("required").asBoolean(false)) {
        faults.add(where + " has no example");
      }
      examples.forEach(e -> judge(where, parameter.path("schema"), e.value(), faults));
    }
    bodies().forEach(body -> judge(id() + " request " + body.getKey(), body, true, faults));
    successes()
        .forEach(
            (status, answer) ->
                media(answer)
                    .forEach(
                        media ->
                            judge(
                                id() + " answer " + status + " " + media.getKey(),
                                media,
                                media.getKey().equals(Api.JSON),
                                faults)));
    return faults;
  }

  private void judge(
      String where, Map.Entry<String, JsonNode> media, boolean isNeeded, List<String> faults) {
    List<Example> examples = examples(media.getValue());
    if (examples.isEmpty() && isNeeded) {
      faults.add(where + " has no example");
    }
    for (Example example : examples) {
      String named = where + " " + example.name();
      if (media.getKey().equals(Api.JSON)) {
        judge(named, media.getValue().path("schema"), example.value(), faults);
      } else if (media.getKey().equals(NDJSON)) {
        lines(example.value().asString(""))
            .forEach(line -> judge(named, media.getValue().path(ITEM_SCHEMA), line, faults));
      }
    }
  }

  private void judge(String where, JsonNode schema, JsonNode value, List<String> faults) {
    shape.faults(schema, value).forEach(fault -> faults.add(where + ": " + fault));
  }

  /** Reads NDJSON. */
  static List<JsonNode> lines(String text) {
    return text.lines().map(line -> JsonMapper.shared().readTree(line)).toList();
  }
}
