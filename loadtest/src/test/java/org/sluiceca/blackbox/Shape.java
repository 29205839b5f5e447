package org.sluiceca.blackbox;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * What the schemas of an OpenAPI document say of JSON, as far as this product's document uses them:
 * whether a value keeps to its schema, and whether an answer looks like its example.
 *
 * <p>It is stricter than JSON Schema: of an object whose members are listed, others are faults.
 */
record Shape(JsonNode document) {

  /** A difference in what a closed set allows says more than a member that may be absent. */
  private static final int OTHER_VALUE = 10;

  /**
   * How an answer differs from an example.
   *
   * @param differences what must not be: none if they look alike
   * @param distance how much else differs: to tell which of several examples is meant
   */
  record Likeness(List<String> differences, int distance) {}

  /** Follows a reference; what is none stays. */
  JsonNode resolved(JsonNode node) {
    JsonNode at = node;
    while (at.has("$ref")) {
      at = document.at(at.path("$ref").asString("").substring(1));
    }
    return at;
  }

  /** Returns where the value breaks its schema, and why; nothing if it keeps to it. */
  List<String> faults(JsonNode schema, JsonNode value) {
    List<String> faults = new ArrayList<>();
    check("", resolved(schema), value, faults);
    return faults;
  }

  private void check(String where, JsonNode schema, JsonNode value, List<String> faults) {
    JsonNode types = schema.path("type");
    if (!types.isMissingNode()
        && (types.isArray() ? types.valueStream().toList() : List.of(types))
            .stream().noneMatch(type -> isOf(type.asString(""), value))) {
      faults.add(named(where) + " is " + value.getNodeType() + ", not " + types);
      return;
    }
    JsonNode allowed = schema.path("enum");
    if (allowed.isArray() && allowed.valueStream().noneMatch(value::equals)) {
      faults.add(named(where) + " is " + value + ", not of " + allowed);
    }
    JsonNode alternatives = schema.path("oneOf");
    if (alternatives.isArray()
        && alternatives.valueStream().noneMatch(one -> faults(one, value).isEmpty())) {
      faults.add(named(where) + " is none of the alternatives");
    }
    switch (value.getNodeType()) {
      case STRING -> checkText(where, schema, value.asString(), faults);
      case NUMBER -> checkNumber(where, schema, value, faults);
      case ARRAY -> {
        int i = 0;
        for (JsonNode item : value) {
          check(where + "/" + i++, resolved(schema.path("items")), item, faults);
        }
      }
      case OBJECT -> checkMembers(where, schema, value, faults);
      default -> {}
    }
  }

  private static String named(String where) {
    return where.isEmpty() ? "it" : where;
  }

  private void checkMembers(String where, JsonNode schema, JsonNode value, List<String> faults) {
    for (JsonNode name : schema.path("required")) {
      if (!value.has(name.asString(""))) {
        faults.add(where + "/" + name.asString("") + " is missing");
      }
    }
    if (!meetsCondition(schema, value)) {
      faults.add(named(where) + " lacks what its condition requires");
    }
    JsonNode others = schema.path("additionalProperties");
    for (var member : value.properties()) {
      String place = where + "/" + member.getKey();
      if (schema.path("properties").has(member.getKey())) {
        JsonNode known = schema.path("properties").path(member.getKey());
        check(place, resolved(known), member.getValue(), faults);
      } else if (others.isObject()) {
        check(place, resolved(others), member.getValue(), faults);
      } else if (schema.has("properties")) {
        faults.add(place + " is not documented");
      }
    }
  }

  /** Of {@code if} and {@code then} only {@code required} and {@code not} are understood. */
  private static boolean meetsCondition(JsonNode schema, JsonNode value) {
    return !schema.has("if")
        || !hasRequired(schema.path("if"), value)
        || hasRequired(schema.path("then"), value);
  }

  private static boolean hasRequired(JsonNode schema, JsonNode value) {
    return schema.path("required").valueStream().allMatch(name -> value.has(name.asString("")))
        && (!schema.has("not") || !hasRequired(schema.path("not"), value))
        && meetsCondition(schema, value);
  }

  private static void checkText(String where, JsonNode schema, String text, List<String> faults) {
    int length = text.codePointCount(0, text.length());
    if (length < schema.path("minLength").asInt(0)
        || length > schema.path("maxLength").asInt(Integer.MAX_VALUE)) {
      faults.add(named(where) + " has " + length + " characters");
    }
    String pattern = schema.path("pattern").asString("");
    if (!Pattern.compile(pattern).matcher(text).find()) {
      faults.add(named(where) + " is " + text + ", not like " + pattern);
    }
    String format = schema.path("format").asString("");
    if (!isOfFormat(format, text)) {
      faults.add(named(where) + " is " + text + ", no " + format);
    }
  }

  private static void checkNumber(
      String where, JsonNode schema, JsonNode value, List<String> faults) {
    if (value.asDouble() < schema.path("minimum").asDouble(Double.NEGATIVE_INFINITY)
        || value.asDouble() > schema.path("maximum").asDouble(Double.POSITIVE_INFINITY)) {
      faults.add(named(where) + " is " + value + ", out of its bounds");
    }
  }

  private static boolean isOf(String type, JsonNode value) {
    Predicate<JsonNode> isSuch =
        switch (type) {
          case "object" -> JsonNode::isObject;
          case "array" -> JsonNode::isArray;
          case "string" -> JsonNode::isString;
          case "integer" -> JsonNode::isIntegralNumber;
          case "number" -> JsonNode::isNumber;
          case "boolean" -> JsonNode::isBoolean;
          case "null" -> JsonNode::isNull;
          default -> node -> false;
        };
    return isSuch.test(value);
  }

  private static boolean isOfFormat(String format, String text) {
    try {
      Object ignored =
          switch (format) {
            case "date-time" -> OffsetDateTime.parse(text);
            case "date" -> LocalDate.parse(text);
            case "duration" -> Duration.parse(text);
            case "uuid" -> UUID.fromString(text);
            default -> text;
          };
      return true;
    } catch (DateTimeException | IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Compares an answer with an example, both of which keep to the schema: same members and types,
   * of arrays the first items. What the schema knows and does not require may be absent; of an
   * object that the schema leaves open, nothing may.
   */
  Likeness likeness(JsonNode schema, JsonNode example, JsonNode answer) {
    List<String> differences = new ArrayList<>();
    int distance = compare("", resolved(schema), example, answer, differences);
    return new Likeness(differences, distance);
  }

  private int compare(
      String where, JsonNode given, JsonNode example, JsonNode answer, List<String> differences) {
    JsonNode schema = alternative(given, example, answer);
    if (example.getNodeType() != answer.getNodeType()) {
      differences.add(
          named(where)
              + " is "
              + answer.getNodeType()
              + ", in the example "
              + example.getNodeType());
      return 0;
    }
    if (answer.isObject()) {
      return compareMembers(where, schema, example, answer, differences);
    }
    if (answer.isArray()) {
      return compareItems(where, schema, example, answer, differences);
    }
    return schema.has("enum") && !example.equals(answer) ? OTHER_VALUE : 0;
  }

  private int compareMembers(
      String where, JsonNode schema, JsonNode example, JsonNode answer, List<String> differences) {
    JsonNode known = schema.path("properties");
    JsonNode values = schema.path("additionalProperties");
    if (!known.isObject() && values.isObject()) {
      // A map: its keys are data.
      return compareFirst(where + "/*", resolved(values), example, answer, differences);
    }
    Set<String> names = new TreeSet<>(example.propertyNames());
    names.addAll(answer.propertyNames());
    int distance = 0;
    for (String name : names) {
      String place = where + "/" + name;
      if (example.has(name) && answer.has(name)) {
        distance +=
            compare(
                place,
                resolved(known.path(name)),
                example.path(name),
                answer.path(name),
                differences);
      } else {
        distance++;
        if (!known.isObject()) {
          differences.add(place + " is only in the " + (answer.has(name) ? "answer" : "example"));
        }
      }
    }
    return distance;
  }

  private int compareItems(
      String where, JsonNode schema, JsonNode example, JsonNode answer, List<String> differences) {
    // Of texts there may be none; where objects are missing, nothing would be compared.
    if (example.isEmpty() != answer.isEmpty()
        && (example.path(0).isObject() || answer.path(0).isObject())) {
      differences.add(
          named(where) + " is empty in the " + (answer.isEmpty() ? "answer" : "example"));
    }
    return compareFirst(where + "/0", resolved(schema.path("items")), example, answer, differences);
  }

  private int compareFirst(
      String where, JsonNode schema, JsonNode example, JsonNode answer, List<String> differences) {
    return example.isEmpty() || answer.isEmpty()
        ? 0
        : compare(where, schema, example.iterator().next(), answer.iterator().next(), differences);
  }

  /** The alternative that both are of; where they are of different ones, nothing is known. */
  private JsonNode alternative(JsonNode schema, JsonNode example, JsonNode answer) {
    if (!schema.has("oneOf")) {
      return schema;
    }
    return schema
        .path("oneOf")
        .valueStream()
        .filter(one -> faults(one, example).isEmpty() && faults(one, answer).isEmpty())
        .findFirst()
        .map(this::resolved)
        .orElse(MissingNode.getInstance());
  }
}
