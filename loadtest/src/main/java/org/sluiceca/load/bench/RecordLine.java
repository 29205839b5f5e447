package org.sluiceca.load.bench;

import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** A line of what a benchmark wrote down: the components of a record by their names. */
public final class RecordLine {

  private RecordLine() {}

  /**
   * Reads {@code name=value} words, one of each component of the record; {@code unknown} is NaN.
   *
   * @throws IllegalArgumentException if one lacks, is there twice, or is of another kind
   */
  public static <T extends Record> T parse(Class<T> type, String... words) {
    String what = "a " + type.getSimpleName().toLowerCase(Locale.ROOT);
    Map<String, String> values = new LinkedHashMap<>();
    for (RecordComponent component : type.getRecordComponents()) {
      values.put(component.getName(), "");
    }
    for (String word : words) {
      String[] parts = word.split("=", 2);
      if (parts.length != 2 || !values.containsKey(parts[0])) {
        throw new IllegalArgumentException(what + " has no '" + word + "'");
      }
      if (!values.replace(parts[0], "", parts[1])) {
        throw new IllegalArgumentException(what + " has " + parts[0] + " twice");
      }
    }
    for (Map.Entry<String, String> each : values.entrySet()) {
      if (each.getValue().isBlank()) {
        throw new IllegalArgumentException(what + " lacks " + each.getKey());
      }
      if (each.getValue().matches("-.*|Infinity|NaN")) {
        throw new IllegalArgumentException(each.getKey() + " is no number: " + each.getValue());
      }
      each.setValue(each.getValue().equals("unknown") ? "NaN" : each.getValue());
    }
    try {
      return JsonMapper.shared().convertValue(values, type);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }
}
