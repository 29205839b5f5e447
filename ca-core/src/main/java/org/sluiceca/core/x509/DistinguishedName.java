package org.sluiceca.core.x509;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A subject name (RFC 5280 4.1.2.6) whose relative names have one attribute each, in encoding
 * order. May be empty.
 */
public record DistinguishedName(List<Attribute> attributes) {

  /** The name without attributes: the subject is then identified by its subjectAltName alone. */
  public static final DistinguishedName EMPTY = new DistinguishedName(List.of());

  public DistinguishedName {
    attributes = List.copyOf(attributes);
  }

  /** One attribute of a name. */
  public record Attribute(NameAttribute type, String value) {}

  /** Returns whether the name has no attributes. */
  public boolean isEmpty() {
    return attributes.isEmpty();
  }

  /** Returns the values of {@code type}, in encoding order. */
  public List<String> values(NameAttribute type) {
    List<String> values = new ArrayList<>(1);
    for (Attribute attribute : attributes) {
      if (attribute.type() == type) {
        values.add(attribute.value());
      }
    }
    return Collections.unmodifiableList(values);
  }

  /** Returns the name for people, in encoding order. Not a syntax to parse. */
  @Override
  public String toString() {
    return attributes.stream()
        .map(a -> a.type().shortName() + "=" + a.value())
        .collect(Collectors.joining(", "));
  }
}
