package org.sluiceca.api.platform.log;

import java.util.Locale;
import org.springframework.boot.json.JsonWriter;
import org.springframework.boot.logging.structured.StructuredLoggingJsonMembersCustomizer;

/**
 * Bounds the texts of all log lines, since a message may quote what a client sent. JSON escapes
 * control characters; invisible format characters, which reorder a line on a screen, are replaced.
 * Spring makes it by the name in {@code application.yaml}.
 */
public final class BoundedLogText implements StructuredLoggingJsonMembersCustomizer<Object> {

  /** Characters of a message or a value in a line. */
  static final int CHARACTERS_MAX = 1_000;

  /** Characters of a stack trace. */
  static final int STACK_TRACE_MAX = 20_000;

  private static final String STACK_TRACE = "stack_trace";

  @Override
  public void customize(JsonWriter.Members<Object> members) {
    JsonWriter.ValueProcessor<String> texts =
        (path, text) ->
            text == null
                ? null
                : bounded(
                    text, path.toString().endsWith(STACK_TRACE) ? STACK_TRACE_MAX : CHARACTERS_MAX);
    members.applyingValueProcessor(texts.whenInstanceOf(String.class));
  }

  static String bounded(String text, int charactersMax) {
    String head =
        text.length() <= charactersMax
            ? text
            : text.substring(0, charactersMax)
                + String.format(Locale.ROOT, "… (%d characters)", text.length());
    return head.chars().anyMatch(BoundedLogText::isHidden)
        ? head.codePoints()
            .map(c -> isHidden(c) ? '\ufffd' : c)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString()
        : head;
  }

  private static boolean isHidden(int character) {
    return switch (Character.getType(character)) {
      case Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
      default -> false;
    };
  }
}
