package org.sluiceca.api.acme.endpoint;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.syntax.Spelling;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compares the keys of a file, and the kinds of their values, with the record that it is read into:
 * components are texts, whole numbers, flags, records for sections, or lists of one of these. The
 * parser would stop at the first fault, and would take numbers for texts and fractions for whole
 * numbers.
 */
final class FileShape {

  private FileShape() {}

  /**
   * Adds what is wrong to {@code faults}, and takes it out of {@code section}, so that the rest can
   * be read.
   *
   * @param path of the section's key with a dot behind it; empty for the file itself
   */
  static void check(ObjectNode section, Class<?> form, String path, EndpointFaults faults) {
    Map<String, Type> known = new TreeMap<>();
    for (RecordComponent component : form.getRecordComponents()) {
      known.put(key(component.getName()), component.getGenericType());
    }
    for (String name : List.copyOf(section.propertyNames())) {
      String key = path + Spelling.shown(name);
      @Nullable Type type = known.get(name);
      if (type == null) {
        faults.add(
            String.format(
                Locale.ROOT,
                "there is no key %s: %s",
                key,
                Spelling.hint(name, List.copyOf(known.keySet()))));
        section.remove(name);
      } else if (!fits(section.get(name), type, key, faults)) {
        section.remove(name);
      }
    }
  }

  /** In kebab case, as the parser is set up. */
  private static String key(String component) {
    return component.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  private static boolean fits(JsonNode value, Type type, String key, EndpointFaults faults) {
    Optional<String> fault = fault(value, type, key);
    if (fault.isPresent()) {
      faults.add(fault.get());
      return false;
    }
    if (value instanceof ObjectNode section) {
      check(section, (Class<?>) type, key + ".", faults);
    } else if (type instanceof ParameterizedType list) {
      Type entry = list.getActualTypeArguments()[0];
      return IntStream.range(0, value.size())
          .allMatch(
              i ->
                  fits(
                      value.get(i),
                      entry,
                      String.format(Locale.ROOT, "%s[%d]", key, i + 1),
                      faults));
    }
    return true;
  }

  private static Optional<String> fault(JsonNode value, Type type, String key) {
    boolean isEntry = key.endsWith("]");
    if (value.isNull() && !isEntry) {
      return Optional.of("key " + key + " has no value: write one, or leave the key out");
    }
    if (type instanceof ParameterizedType) {
      return unless(value.isArray(), value, "a list, such as [a, b]", key);
    }
    if (((Class<?>) type).isRecord()) {
      return unless(value.isObject(), value, "a section with keys and values", key);
    }
    if (type == Integer.class) {
      return unless(value.isInt(), value, "a whole number", key);
    }
    if (type == Boolean.class) {
      return unless(value.isBoolean(), value, "true or false", key);
    }
    return unless(
        value.isString(),
        value,
        isEntry ? "a text" : "a text, in quotes if it looks like a number",
        key);
  }

  private static Optional<String> unless(boolean isRight, JsonNode value, String kind, String key) {
    return isRight ? Optional.empty() : Optional.of(mismatch(value, kind, key));
  }

  private static String mismatch(JsonNode value, String kind, String key) {
    String found = value.isValueNode() ? ", not " + Spelling.shown(value.asString("null")) : "";
    return "key " + key + " must be " + kind + found;
  }
}
