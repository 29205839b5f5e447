package org.sluiceca.client.observe;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Members of an answer as cells of a table, short whatever the service sends. */
final class Cells {
  static final String NONE = "-";

  private static final int TEXT_MAX = 100;
  private static final double NUMBER_MAX = 1e15;

  private Cells() {}

  /** A text, cut off after 100 characters. */
  static String text(JsonNode node, String name) {
    return text(node.path(name).asString(""));
  }

  static String text(String text) {
    return text.isEmpty() ? NONE : text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX);
  }

  /** A number of things. */
  static String count(JsonNode node, String name) {
    return number(node.path(name), "%.0f", 1);
  }

  /** A rate, a second, with one digit after the point. */
  static String rate(JsonNode node, String name) {
    return number(node.path(name), "%.1f", 1);
  }

  /** A time in seconds. */
  static String seconds(JsonNode node, String name) {
    return number(node.path(name), "%.2f s", 1);
  }

  /** A share of one as a percentage. */
  static String share(JsonNode node, String name) {
    return number(node.path(name), "%.0f%%", 100);
  }

  /** The elements of an array, {@code most} at most. */
  static List<JsonNode> elements(JsonNode node, String name, int most) {
    JsonNode array = node.path(name);
    Stream<JsonNode> all = array.isArray() ? array.values().stream() : Stream.of();
    return all.limit(most).toList();
  }

  private static String number(JsonNode value, String format, double factor) {
    double number = value.isNumber() ? value.asDouble(Double.NaN) * factor : Double.NaN;
    return Math.abs(number) <= NUMBER_MAX ? String.format(Locale.ROOT, format, number) : NONE;
  }
}
