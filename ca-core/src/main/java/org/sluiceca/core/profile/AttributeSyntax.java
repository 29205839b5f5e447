package org.sluiceca.core.profile;

import java.util.Locale;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.syntax.DnsNames;
import org.sluiceca.core.syntax.InvisibleCharacters;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.NameAttribute.StringType;

/**
 * How the value of a subject's attribute is written, whatever the profile: its length, its
 * characters, and for a country, a domain component and an e-mail address its form.
 */
final class AttributeSyntax {

  private static final int ASCII_MAX = 0x7F;

  private AttributeSyntax() {}

  /**
   * Checks a value.
   *
   * @throws RejectedException if it is empty, too long, or has characters that its type does not
   *     have or a reader would not see
   */
  static void check(Attribute attribute) throws RejectedException {
    String value = attribute.value();
    String name = attribute.type().shortName();
    int length = value.codePointCount(0, value.length());
    if (length == 0 || length > attribute.type().lengthMax()) {
      throw refused(
          String.format(
              Locale.ROOT,
              "subject %s of %d characters, allowed 1 to %d",
              name,
              length,
              attribute.type().lengthMax()));
    }
    if (hasForbidden(value) || !value.equals(value.strip())) {
      throw refused("subject " + name + " with a control character or outer white space");
    }
    boolean isOfType =
        switch (attribute.type().stringType()) {
          case PRINTABLE -> value.chars().allMatch(AttributeSyntax::isPrintable);
          case IA5 -> value.chars().allMatch(c -> c <= ASCII_MAX);
          case UTF8 -> true;
        };
    if (!isOfType) {
      throw refused(
          String.format(
              Locale.ROOT,
              "subject %s has characters outside %s",
              name,
              attribute.type().stringType() == StringType.IA5
                  ? "IA5String (ASCII)"
                  : "PrintableString"));
    }
    checkSyntax(attribute);
  }

  private static void checkSyntax(Attribute attribute) throws RejectedException {
    String value = attribute.value();
    // ISO 3166-1 alpha-2, as X.520 6.3.1 demands.
    if (attribute.type() == NameAttribute.COUNTRY
        && (value.length() != 2 || !value.chars().allMatch(c -> c >= 'A' && c <= 'Z'))) {
      throw refused("subject C is not two capital letters");
    }
    // RFC 4519 2.4: one label, so a whole domain name takes a DC for each.
    if (attribute.type() == NameAttribute.DOMAIN_COMPONENT
        && (value.indexOf('.') >= 0 || !DnsNames.isHostName(value + ".test"))) {
      throw refused("subject DC is not one label of a domain name");
    }
    if (attribute.type() == NameAttribute.EMAIL_ADDRESS && !SanPolicy.isMailbox(value)) {
      throw refused("subject emailAddress is not an e-mail address");
    }
  }

  private static boolean hasForbidden(String value) {
    for (int i = 0; i < value.length(); i += Character.charCount(value.codePointAt(i))) {
      if (isForbidden(value.codePointAt(i))) {
        return true;
      }
    }
    return false;
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
  static boolean isPrintable(int c) {
    return (c >= 'A' && c <= 'Z')
        || (c >= 'a' && c <= 'z')
        || (c >= '0' && c <= '9')
        || " '()+,-./:=?".indexOf(c) >= 0;
  }

  private static RejectedException refused(String detail) {
    return new RejectedException(Reason.NAME_NOT_ALLOWED, detail);
  }
}
