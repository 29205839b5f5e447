package org.sluiceca.core.profile;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.Extensions.TextType;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.naming.NameTemplate;
import org.sluiceca.core.naming.RequestFacts;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.Oids;

/** An extension that a profile adds by its OID, and of which this CA knows nothing else. */
public record AddedExtension(String oid, boolean isCritical, Value value) {

  /** The longest text of such an extension: as long as the longest name. */
  public static final int TEXT_MAX = 512;

  /** A constant of 4 KiB is a certificate within a certificate. */
  private static final int CONSTANT_MAX = 4096;

  /**
   * What this CA governs itself, or what gives power by itself: RFC 5280 4.2.1 (id-ce), authority
   * and subject information access, RFC 3779 resources, RFC 3820 proxies, ocsp-nocheck, certificate
   * transparency, Netscape's certificate type.
   */
  private static final List<String> GOVERNED =
      List.of(
          "2.5.29",
          "1.3.6.1.5.5.7.1.1",
          "1.3.6.1.5.5.7.1.7",
          "1.3.6.1.5.5.7.1.8",
          "1.3.6.1.5.5.7.1.11",
          "1.3.6.1.5.5.7.1.14",
          "1.3.6.1.5.5.7.1.28",
          "1.3.6.1.5.5.7.1.29",
          "1.3.6.1.5.5.7.48.1.5",
          "1.3.6.1.4.1.11129.2.4",
          "2.16.840.1.113730.1");

  /** Where the content comes from. */
  public sealed interface Value {

    /** One DER value, the same in every certificate. */
    record Constant(Extension extension) implements Value {}

    /** One character string. */
    record Text(TextType type, NameTemplate template) implements Value {}
  }

  public AddedExtension {
    Oids.check(oid);
    for (String arc : GOVERNED) {
      if (Oids.isBelow(oid, arc)) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT, "extension %s is not for profiles to add: %s is governed", oid, arc));
      }
    }
    if (value instanceof Value.Text(TextType type, NameTemplate template)
        && template.constant().isPresent()
        && !isOfType(type, template.constant().get())) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "extension %s: its text does not fit type %s", oid, type));
    }
  }

  /**
   * An extension of constant content.
   *
   * @throws IllegalArgumentException if {@code der} is not one strict DER value
   */
  public static AddedExtension constant(String oid, boolean isCritical, byte[] der) {
    if (der.length > CONSTANT_MAX) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "extension %s of %d octets, allowed %d", oid, der.length, CONSTANT_MAX));
    }
    try {
      return new AddedExtension(
          oid, isCritical, new Value.Constant(Extensions.ofDer(oid, isCritical, der)));
    } catch (DerException e) {
      throw new IllegalArgumentException(e.fault(), e);
    }
  }

  /** Returns the extension of the certificate for a request. */
  public Extension extension(RequestFacts facts) throws RejectedException {
    return switch (value) {
      case Value.Constant(Extension extension) -> extension;
      case Value.Text(TextType type, NameTemplate template) -> {
        String text = template.expand(facts);
        if (!isOfType(type, text)) {
          throw new RejectedException(
              Reason.PROFILE_VIOLATION,
              String.format(
                  Locale.ROOT, "the text for extension %s does not fit type %s", oid, type));
        }
        yield Extensions.ofText(oid, isCritical, type, text);
      }
    };
  }

  private static boolean isOfType(TextType type, String text) {
    if (text.isEmpty()
        || text.length() > TEXT_MAX
        || text.codePoints().anyMatch(Character::isISOControl)) {
      return false;
    }
    return switch (type) {
      case UTF8 -> StandardCharsets.UTF_8.newEncoder().canEncode(text);
      case IA5 -> text.chars().allMatch(c -> c < 0x80);
      case PRINTABLE -> text.chars().allMatch(AttributeSyntax::isPrintable);
    };
  }
}
