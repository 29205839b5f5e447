package org.sluiceca.api.profile;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.syntax.Spelling;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/**
 * Describes a fault in the YAML of a profile file, in words for its author: the line, the key by
 * its path, and what is allowed. Names no class of this program.
 */
final class ProfileFault {

  /** The one thing that only the parser's text says: which key is missing. */
  private static final Pattern MISSING = Pattern.compile("required .*property '([^']{1,64})'");

  private static final Pattern TWICE = Pattern.compile("(?i)duplicate .*[\"']([^\"']{1,64})[\"']");

  private ProfileFault() {}

  /**
   * Returns one line about {@code fault}.
   *
   * @param file the whole file, if it is well-formed
   * @param yaml its text
   */
  static String of(JacksonException fault, Optional<JsonNode> file, String yaml) {
    return place(fault, yaml) + text(fault, file);
  }

  private static String text(JacksonException fault, Optional<JsonNode> file) {
    return switch (fault) {
      case UnrecognizedPropertyException unknown ->
          String.format(
              Locale.ROOT,
              "there is no key %s: %s",
              path(unknown, ""),
              Spelling.hint(unknown.getPropertyName(), known(unknown)));
      case InvalidNullException empty ->
          String.format(Locale.ROOT, "key %s is null: it needs a value", path(empty, ""));
      case InvalidFormatException format -> format(format);
      case MismatchedInputException mismatch -> mismatch(mismatch, file);
      default -> syntax(fault);
    };
  }

  private static List<String> known(UnrecognizedPropertyException unknown) {
    Collection<Object> known = unknown.getKnownPropertyIds();
    return known == null ? List.of() : known.stream().map(String::valueOf).sorted().toList();
  }

  private static String format(InvalidFormatException format) {
    String value = String.valueOf(format.getValue());
    Class<?> type = format.getTargetType();
    if (type != null && type.isEnum()) {
      return String.format(
          Locale.ROOT,
          "key %s: %s is not allowed: %s",
          path(format, ""),
          Spelling.shown(value),
          Spelling.hint(value, words(type)));
    }
    return String.format(
        Locale.ROOT,
        "key %s must be %s, not %s",
        path(format, ""),
        kind(type),
        Spelling.shown(value));
  }

  private static String mismatch(MismatchedInputException mismatch, Optional<JsonNode> file) {
    Matcher missing = MISSING.matcher(String.valueOf(mismatch.getOriginalMessage()));
    if (missing.find()) {
      // A key that is required and misspelt is found missing before it is found unknown.
      String similar =
          file.map(tree -> keysAround(mismatch, tree))
              .flatMap(keys -> Spelling.nearest(missing.group(1), keys))
              .map(key -> "; is it " + Spelling.shown(key) + " that is misspelt?")
              .orElse("");
      return String.format(
          Locale.ROOT, "key %s is missing%s", path(mismatch, missing.group(1)), similar);
    }
    String path = path(mismatch, "");
    return String.format(
        Locale.ROOT,
        "%s must be %s",
        path.isEmpty() ? "the file" : "key " + path,
        kind(mismatch.getTargetType()));
  }

  /** Returns the keys of the section from which a key is missing. */
  private static List<String> keysAround(JacksonException fault, JsonNode file) {
    JsonNode section = file;
    List<JacksonException.Reference> path = fault.getPath();
    // The last step is the missing key itself.
    for (JacksonException.Reference step : path.subList(0, Math.max(0, path.size() - 1))) {
      String name = step.getPropertyName();
      section = name == null ? section.path(step.getIndex()) : section.path(name);
    }
    return List.copyOf(section.propertyNames());
  }

  private static String syntax(JacksonException fault) {
    Matcher twice = TWICE.matcher(String.valueOf(fault.getOriginalMessage()));
    return twice.find()
        ? String.format(Locale.ROOT, "key %s is there twice", path(fault, twice.group(1)))
        : "it is not well-formed YAML: check indentation, colons, brackets and quotes up to there";
  }

  private static List<String> words(Class<?> type) {
    List<String> words = new ArrayList<>();
    for (Object constant : type.getEnumConstants()) {
      words.add(String.valueOf(constant).toLowerCase(Locale.ROOT));
    }
    return words;
  }

  private static String kind(@Nullable Class<?> type) {
    if (type != null && type.isEnum()) {
      return "one of " + String.join(", ", words(type));
    }
    if (type == Duration.class) {
      return "a duration such as P90D or PT5M";
    }
    if (type == Instant.class) {
      return "a time such as \"2030-01-31T12:00:00Z\"";
    }
    if (type == String.class) {
      return "a text";
    }
    if (type == Boolean.class || type == boolean.class) {
      return "true or false";
    }
    if (type != null && (type.isPrimitive() || Number.class.isAssignableFrom(type))) {
      return "a whole number";
    }
    return type != null && Collection.class.isAssignableFrom(type) ? "a list" : "keys and values";
  }

  /** Returns the keys down to the fault, {@code last} at the end unless it is there already. */
  private static String path(JacksonException fault, String last) {
    StringBuilder path = new StringBuilder();
    for (JacksonException.Reference step : fault.getPath()) {
      String name = step.getPropertyName();
      if (name == null) {
        path.append('[').append(Math.max(0, step.getIndex()) + 1).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(Spelling.shown(name));
      }
    }
    String key = Spelling.shown(last);
    if (!key.isEmpty() && !path.toString().equals(key) && !path.toString().endsWith("." + key)) {
      path.append(path.isEmpty() ? "" : ".").append(key);
    }
    return path.toString();
  }

  /** Faults of the whole document, such as its depth, have no place in it. */
  private static String place(JacksonException fault, String yaml) {
    TokenStreamLocation at = fault.getLocation();
    int line = at == null || at.getLineNr() < 1 ? lineOf(fault, yaml) : at.getLineNr();
    return line < 1 ? "" : String.format(Locale.ROOT, "line %d: ", line);
  }

  /** Returns the line, from 1, of the key at fault, as its path leads to it; 0 if none does. */
  private static int lineOf(JacksonException fault, String yaml) {
    List<String> lines = yaml.lines().toList();
    int at = 0;
    int found = 0;
    for (JacksonException.Reference step : fault.getPath()) {
      if (step.getPropertyName() == null) {
        continue;
      }
      Pattern key =
          Pattern.compile(
              "(?:^|[\\s{,])[\"']?" + Pattern.quote(step.getPropertyName()) + "[\"']?:");
      int line = at;
      while (line < lines.size() && !key.matcher(lines.get(line)).find()) {
        line++;
      }
      if (line < lines.size()) {
        at = line;
        found = line + 1;
      }
    }
    return found;
  }
}
