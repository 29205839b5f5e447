package org.sluiceca.core.profile;

import java.util.EnumSet;
import java.util.Set;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.syntax.InvisibleCharacters;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.NameAttribute;

/**
 * Which attributes a subject must and may have. An attribute in neither set is refused, never
 * dropped.
 */
public record SubjectPolicy(Set<NameAttribute> required, Set<NameAttribute> optional) {

  /** Each kind once and a path of units: longer subjects are mistakes or attacks on parsers. */
  private static final int ATTRIBUTES_MAX = 16;

  /** X.520 6.2.9 and 6.3.1 define these as of one value; two CNs mean two subjects. */
  private static final Set<NameAttribute> SINGLE_VALUED =
      Set.of(NameAttribute.COMMON_NAME, NameAttribute.SERIAL_NUMBER, NameAttribute.COUNTRY);

  public SubjectPolicy {
    required = Set.copyOf(required);
    optional = Set.copyOf(optional);
    if (required.stream().anyMatch(optional::contains)) {
      throw new IllegalArgumentException("an attribute is both required and optional");
    }
  }

  /** Checks a requested subject; the name that passes is the one to certify. */
  public DistinguishedName check(DistinguishedName subject) throws RejectedException {
    int count = subject.attributes().size();
    if (count > ATTRIBUTES_MAX) {
      throw refused("subject of %d attributes, allowed %d".formatted(count, ATTRIBUTES_MAX));
    }
    Set<NameAttribute> missing = EnumSet.noneOf(NameAttribute.class);
    missing.addAll(required);
    Set<NameAttribute> seen = EnumSet.noneOf(NameAttribute.class);
    for (Attribute attribute : subject.attributes()) {
      NameAttribute type = attribute.type();
      if (!required.contains(type) && !optional.contains(type)) {
        throw refused("subject attribute " + type.shortName() + " is not allowed");
      }
      if (!seen.add(type) && SINGLE_VALUED.contains(type)) {
        throw refused("subject has more than one " + type.shortName());
      }
      missing.remove(type);
      checkValue(attribute);
    }
    if (!missing.isEmpty()) {
      throw refused("subject lacks " + missing.iterator().next().shortName());
    }
    return subject;
  }

  private static void checkValue(Attribute attribute) throws RejectedException {
    String value = attribute.value();
    String name = attribute.type().shortName();
    int length = value.codePointCount(0, value.length());
    if (length == 0 || length > attribute.type().lengthMax()) {
      throw refused(
          "subject %s of %d characters, allowed 1 to %d"
              .formatted(name, length, attribute.type().lengthMax()));
    }
    if (value.codePoints().anyMatch(SubjectPolicy::isForbidden) || !value.equals(value.strip())) {
      throw refused("subject " + name + " with a control character or outer white space");
    }
    switch (attribute.type()) {
      case COUNTRY -> {
        // ISO 3166-1 alpha-2, as X.520 6.3.1 demands.
        if (!value.chars().allMatch(c -> c >= 'A' && c <= 'Z') || length != 2) {
          throw refused("subject C is not two capital letters");
        }
      }
      case SERIAL_NUMBER -> {
        if (!value.chars().allMatch(SubjectPolicy::isPrintable)) {
          throw refused("subject serialNumber outside PrintableString");
        }
      }
      case COMMON_NAME, LOCALITY, STATE_OR_PROVINCE, ORGANIZATION, ORGANIZATIONAL_UNIT -> {}
    }
  }

  /**
   * Control, format, surrogate, private-use and unassigned characters: NUL, zero width and
   * direction marks among them; and other characters that cannot be seen.
   */
  private static boolean isForbidden(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      // The blank is the one space: others look like it, or like nothing.
      case Character.SPACE_SEPARATOR -> codePoint != ' ';
      default -> InvisibleCharacters.contains(codePoint);
    };
  }

  /** X.680 41.4: the characters of PrintableString. */
  private static boolean isPrintable(int c) {
    return (c >= 'A' && c <= 'Z')
        || (c >= 'a' && c <= 'z')
        || (c >= '0' && c <= '9')
        || " '()+,-./:=?".indexOf(c) >= 0;
  }

  private static RejectedException refused(String detail) {
    return new RejectedException(Reason.NAME_NOT_ALLOWED, detail);
  }
}
