package org.sluiceca.core.x509;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The attribute types that a subject may carry, with the upper bounds of RFC 5280 appendix A.1 in
 * characters.
 */
public enum NameAttribute {
  COMMON_NAME("2.5.4.3", "CN", 64),
  SERIAL_NUMBER("2.5.4.5", "serialNumber", 64),
  COUNTRY("2.5.4.6", "C", 2),
  LOCALITY("2.5.4.7", "L", 128),
  STATE_OR_PROVINCE("2.5.4.8", "ST", 128),
  ORGANIZATION("2.5.4.10", "O", 64),
  ORGANIZATIONAL_UNIT("2.5.4.11", "OU", 64);

  private static final Map<String, NameAttribute> BY_OID =
      Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(a -> a.oid, a -> a));

  private final String oid;
  private final String shortName;
  private final int lengthMax;

  NameAttribute(String oid, String shortName, int lengthMax) {
    this.oid = oid;
    this.shortName = shortName;
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

  /** Returns the longest value in characters. */
  public int lengthMax() {
    return lengthMax;
  }

  /** Returns the type with this OID, if it is one that a subject may carry. */
  public static Optional<NameAttribute> ofOid(String oid) {
    return Optional.ofNullable(BY_OID.get(oid));
  }
}
