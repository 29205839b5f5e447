package org.sluiceca.core.naming;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;

/**
 * A text with variables, <code>${csr.commonName}.example.com</code>; without any it is a constant.
 * Immutable, thread-safe.
 */
public final class NameTemplate {

  /** The longest value it can give is a URI; a longer text is a mistake. */
  private static final int TEXT_MAX = 512;

  /**
   * What a variable may put next to other text of a structured name: no separators of such names.
   */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._-]+");

  private sealed interface Part {
    record Literal(String text) implements Part {}

    record Value(String name, TemplateVariable variable) implements Part {}
  }

  private final String text;
  private final List<Part> parts;

  private NameTemplate(String text, List<Part> parts) {
    this.text = text;
    this.parts = List.copyOf(parts);
  }

  /**
   * Reads a template.
   *
   * @throws IllegalArgumentException if it is empty, too long, or has an unknown variable
   */
  public static NameTemplate of(String text) {
    if (text.isEmpty() || text.length() > TEXT_MAX) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "template of %d characters, allowed 1 to %d", text.length(), TEXT_MAX));
    }
    List<Part> parts = new ArrayList<>();
    int at = 0;
    for (int open = text.indexOf("${"); open >= 0; open = text.indexOf("${", at)) {
      int close = text.indexOf('}', open);
      if (close < 0) {
        throw new IllegalArgumentException("template " + text + ": a variable is not closed");
      }
      if (open > at) {
        parts.add(new Part.Literal(text.substring(at, open)));
      }
      String name = text.substring(open + 2, close);
      parts.add(
          new Part.Value(
              name,
              TemplateVariable.named(name)
                  .orElseThrow(
                      () ->
                          new IllegalArgumentException(
                              "template " + text + ": unknown variable " + name))));
      at = close + 1;
    }
    if (at < text.length()) {
      parts.add(new Part.Literal(text.substring(at)));
    }
    return new NameTemplate(text, parts);
  }

  /** Returns the text itself, if there is no variable in it. */
  public Optional<String> constant() {
    return parts.getFirst() instanceof Part.Literal && parts.size() == 1
        ? Optional.of(text)
        : Optional.empty();
  }

  /** Fills the template for a value without structure, such as a subject attribute's. */
  public String expand(RequestFacts facts) throws RejectedException {
    StringBuilder result = new StringBuilder();
    for (Part part : parts) {
      result.append(valueOf(part, facts));
    }
    return result.toString();
  }

  /**
   * Fills the template for a structured name: a DNS name, an e-mail address, a URI. A variable next
   * to other text must not contain a separator of such names, or a request could move the name to
   * another host or path than the template's author wrote.
   */
  public String expandName(RequestFacts facts) throws RejectedException {
    if (parts.size() > 1) {
      for (Part part : parts) {
        if (part instanceof Part.Value value) {
          String filled = valueOf(value, facts);
          if (!PLAIN.matcher(filled).matches() || filled.contains("..") || filled.equals(".")) {
            throw refused(
                "${" + value.name() + "} has characters that cannot stand in the name " + text);
          }
        }
      }
    }
    return expand(facts);
  }

  private String valueOf(Part part, RequestFacts facts) throws RejectedException {
    return switch (part) {
      case Part.Literal(String literal) -> literal;
      case Part.Value(String name, TemplateVariable variable) ->
          variable
              .in(facts)
              .orElseThrow(
                  () -> refused("the profile needs ${" + name + "}, which the request lacks"));
    };
  }

  private static RejectedException refused(String detail) {
    return new RejectedException(Reason.NAME_NOT_ALLOWED, detail);
  }

  /** Templates are equal if their texts are. */
  @Override
  public boolean equals(Object other) {
    return other instanceof NameTemplate that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** Returns the text that was read. */
  @Override
  public String toString() {
    return text;
  }
}
