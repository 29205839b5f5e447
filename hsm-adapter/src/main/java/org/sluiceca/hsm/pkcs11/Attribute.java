package org.sluiceca.hsm.pkcs11;

import java.nio.charset.StandardCharsets;

/** One CK_ATTRIBUTE of a template. */
public final class Attribute {
  private final long type;
  private final Object value;

  private Attribute(long type, Object value) {
    this.type = type;
    this.value = value;
  }

  /** A CK_BBOOL. */
  public static Attribute of(long type, boolean value) {
    return new Attribute(type, value);
  }

  /** A CK_ULONG. */
  public static Attribute of(long type, long value) {
    return new Attribute(type, value);
  }

  /** A byte array or big integer; copied. */
  public static Attribute of(long type, byte[] value) {
    return new Attribute(type, value.clone());
  }

  /** An RFC 2279 (UTF-8) string. */
  public static Attribute of(long type, String value) {
    return new Attribute(type, value.getBytes(StandardCharsets.UTF_8));
  }

  /** The CKA_ code. */
  public long type() {
    return type;
  }

  /** A {@code Boolean}, {@code Long} or {@code byte[]}, as the wrapper takes it. */
  public Object value() {
    return value;
  }
}
