package org.sluiceca.core.x509;

import java.util.Arrays;
import java.util.HexFormat;

/** Immutable bytes with content equality, of no further meaning here. Thread-safe. */
public final class OctetString {

  private final byte[] octets;

  private OctetString(byte[] octets) {
    this.octets = octets;
  }

  /** Wraps a copy. */
  public static OctetString copyOf(byte[] octets) {
    return new OctetString(octets.clone());
  }

  /** Returns a copy of the octets. */
  public byte[] octets() {
    return octets.clone();
  }

  /** Copies the octets into an array that is being written, from {@code at} on. */
  public void copyInto(byte[] target, int at) {
    System.arraycopy(octets, 0, target, at, octets.length);
  }

  /** Returns the length in octets. */
  public int length() {
    return octets.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OctetString that && Arrays.equals(octets, that.octets);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(octets);
  }

  /** Returns the octets in lower-case hexadecimal. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(octets);
  }
}
