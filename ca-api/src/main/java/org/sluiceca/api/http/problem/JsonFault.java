package org.sluiceca.api.http.problem;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.syntax.Spelling;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/**
 * What is wrong with a JSON document, in words for its author: the member, the place and what is
 * allowed. Names no class and repeats at most 40 characters of the document.
 */
public final class JsonFault {

  private static final String UNREADABLE = "the request body cannot be read as its type";

  /** An exception that was wrapped more often is not looked into. */
  private static final int CAUSES_MAX = 10;

  private JsonFault() {}

  /** Returns one line about the fault that {@code failure}, or a cause of it, found. */
  public static String of(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; i < CAUSES_MAX && cause != null; i++) {
      if (cause instanceof JacksonException fault) {
        return of(fault);
      }
      cause = cause.getCause();
    }
    return UNREADABLE;
  }

  private static String of(JacksonException fault) {
    return switch (fault) {
      case UnrecognizedPropertyException unknown -> {
        Collection<Object> known = unknown.getKnownPropertyIds();
        List<String> names =
            known == null ? List.of() : known.stream().map(String::valueOf).sorted().toList();
        String member = Spelling.shown(unknown.getPropertyName());
        yield String.format(
            Locale.ROOT,
            "no member is named %s: %s",
            member,
            Spelling.hint(unknown.getPropertyName(), names));
      }
      case InvalidFormatException format when isEnum(format) ->
          String.format(
              Locale.ROOT,
              "%s is not allowed: %s",
              member(format),
              Spelling.hint(String.valueOf(format.getValue()), constants(format)));
      case MismatchedInputException mismatch ->
          String.format(
              Locale.ROOT, "%s must be %s", member(mismatch), kind(mismatch.getTargetType()));
      case StreamReadException syntax -> "it is not well-formed JSON" + place(syntax);
      default -> UNREADABLE;
    };
  }

  private static boolean isEnum(InvalidFormatException format) {
    return format.getTargetType() != null && format.getTargetType().isEnum();
  }

  private static List<String> constants(InvalidFormatException format) {
    List<String> names = new ArrayList<>();
    for (Object constant : format.getTargetType().getEnumConstants()) {
      names.add(String.valueOf(constant));
    }
    return names;
  }

  /** Returns the member by its path, or the whole document. */
  private static String member(JacksonException fault) {
    String path =
        fault.getPath().stream()
            .map(
                step ->
                    step.getPropertyName() == null
                        ? "[" + step.getIndex() + "]"
                        : Spelling.shown(step.getPropertyName()))
            .collect(Collectors.joining("."));
    return path.isEmpty() ? "the document" : "the member " + path;
  }

  private static String kind(@Nullable Class<?> type) {
    if (type == null) {
      return "of another type";
    }
    if (type == String.class || type.isEnum()) {
      return "a string";
    }
    if (type == Boolean.class || type == boolean.class) {
      return "true or false";
    }
    if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
      return "a number";
    }
    return Collection.class.isAssignableFrom(type) || type.isArray() ? "an array" : "an object";
  }

  private static String place(StreamReadException syntax) {
    TokenStreamLocation at = syntax.getLocation();
    return at == null || at.getLineNr() < 1
        ? ""
        : String.format(Locale.ROOT, ", line %d, column %d", at.getLineNr(), at.getColumnNr());
  }
}
