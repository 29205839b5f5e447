package org.sluiceca.core.x509;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The attribute types that a subject may carry (RFC 5280 4.1.2.4, X.520, RFC 4519, ETSI EN 319
 * 412-1), with the string type in which this CA writes them and an upper bound in characters. The
 * bounds are those of RFC 5280 appendix A.1; where it has none, or ub-name of 32,768, X.520's or
 * RFC 4524's smaller one.
 */
public enum NameAttribute {
  COMMON_NAME("2.5.4.3", "CN", StringType.UTF8, 64),
  SERIAL_NUMBER("2.5.4.5", "serialNumber", StringType.PRINTABLE, 64),
  COUNTRY("2.5.4.6", "C", StringType.PRINTABLE, 2),
  LOCALITY("2.5.4.7", "L", StringType.UTF8, 128),
  STATE_OR_PROVINCE("2.5.4.8", "ST", StringType.UTF8, 128),
  ORGANIZATION("2.5.4.10", "O", StringType.UTF8, 64),
  ORGANIZATIONAL_UNIT("2.5.4.11", "OU", StringType.UTF8, 64),
  /** RFC 4519 2.4: one label of a domain name. */
  DOMAIN_COMPONENT("0.9.2342.19200300.100.1.25", "DC", StringType.IA5, 63),
  DN_QUALIFIER("2.5.4.46", "dnQualifier", StringType.PRINTABLE, 64),
  EMAIL_ADDRESS("1.2.840.113549.1.9.1", "emailAddress", StringType.IA5, 255),
  USER_ID("0.9.2342.19200300.100.1.1", "UID", StringType.UTF8, 256),
  SURNAME("2.5.4.4", "surname", StringType.UTF8, 64),
  GIVEN_NAME("2.5.4.42", "givenName", StringType.UTF8, 64),
  INITIALS("2.5.4.43", "initials", StringType.UTF8, 64),
  GENERATION_QUALIFIER("2.5.4.44", "generationQualifier", StringType.UTF8, 64),
  PSEUDONYM("2.5.4.65", "pseudonym", StringType.UTF8, 128),
  TITLE("2.5.4.12", "title", StringType.UTF8, 64),
  STREET_ADDRESS("2.5.4.9", "street", StringType.UTF8, 128),
  POSTAL_CODE("2.5.4.17", "postalCode", StringType.UTF8, 40),
  BUSINESS_CATEGORY("2.5.4.15", "businessCategory", StringType.UTF8, 128),
  ORGANIZATION_IDENTIFIER("2.5.4.97", "organizationIdentifier", StringType.UTF8, 256);

  /** The character string types that this CA writes (RFC 5280 4.1.2.4, A.1). */
  public enum StringType {
    PRINTABLE,
    IA5,
    UTF8
  }

  private static final Map<String, NameAttribute> BY_OID =
      Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(a -> a.oid, a -> a));

  private final String oid;
  private final String shortName;
  private final StringType stringType;
  private final int lengthMax;

  NameAttribute(String oid, String shortName, StringType stringType, int lengthMax) {
    this.oid = oid;
    this.shortName = shortName;
    this.stringType = stringType;
    this.lengthMax = lengthMax;
  }

  /** Returns the AttributeType in dotted form. */
  public String oid() {
    return oid;
  }

  /** Returns the name used in text, such as {@code CN}. */
  public String shortName() {
    return shortName;
  }

  /** Returns the string type in which values are written; other types are read as well. */
  public StringType stringType() {
    return stringType;
  }

  /** Returns the longest value in characters. */
  public int lengthMax() {
    return lengthMax;
  }

  /** Returns the type with this OID, if it is one that a subject may carry. */
  public static Optional<NameAttribute> ofOid(String oid) {
    return Optional.ofNullable(BY_OID.get(oid));
  }

  /**
   * Returns the type of this name: {@code common_name}, {@code CN} or {@code 2.5.4.3}, the first
   * two in any case.
   */
  public static Optional<NameAttribute> named(String text) {
    String folded = text.toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(
            a ->
                a.oid.equals(text)
                    || a.shortName.toLowerCase(Locale.ROOT).equals(folded)
                    || a.name().toLowerCase(Locale.ROOT).equals(folded))
        .findFirst();
  }
}
