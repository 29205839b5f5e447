package org.sluiceca.core.x509;

import java.util.Arrays;

/** One extension (RFC 5280 4.1.2.9): its OID, criticality and the DER inside extnValue. */
public final class Extension {

  private final String oid;
  private final boolean critical;
  private final byte[] value;

  private Extension(String oid, boolean critical, byte[] value) {
    this.oid = oid;
    this.critical = critical;
    this.value = value.clone();
  }

  /** Wraps an extension whose value is already DER. */
  public static Extension of(String oid, boolean critical, byte[] value) {
    return new Extension(oid, critical, value);
  }

  /** Returns the extnID in dotted form. */
  public String oid() {
    return oid;
  }

  /** Returns the critical flag. */
  public boolean isCritical() {
    return critical;
  }

  /** Returns a copy of the DER inside extnValue. */
  public byte[] value() {
    return value.clone();
  }

  /** Returns the length of the DER inside extnValue. */
  public int length() {
    return value.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Extension that
        && oid.equals(that.oid)
        && critical == that.critical
        && Arrays.equals(value, that.value);
  }

  @Override
  public int hashCode() {
    return oid.hashCode() * 31 + Arrays.hashCode(value);
  }

  @Override
  public String toString() {
    return "Extension[" + oid + (critical ? ", critical, " : ", ") + value.length + " bytes]";
  }
}
