package org.sluiceca.core.x509;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;

/** Immutable DER bytes with content equality; the subclass says what they encode. Thread-safe. */
public abstract sealed class EncodedDer
    permits CertificateDer,
        CrlDer,
        CsrDer,
        NameDer,
        SubjectPublicKeyInfo,
        TbsCertListDer,
        TbsCertificateDer {

  private static final int BYTES_SHOWN = 16;

  private final byte[] bytes;

  EncodedDer(byte[] bytes) {
    this.bytes = bytes.clone();
  }

  /** Returns a copy of the encoding. */
  public final byte[] encoded() {
    return bytes.clone();
  }

  /** Copies the encoding into an array that is being written, from {@code at} on. */
  public final void copyInto(byte[] target, int at) {
    System.arraycopy(bytes, 0, target, at, bytes.length);
  }

  /** Returns the length of the encoding in bytes. */
  public final int length() {
    return bytes.length;
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof EncodedDer that
        && getClass() == that.getClass()
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public final int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public final String toString() {
    int shown = Math.min(bytes.length, BYTES_SHOWN);
    return String.format(
        Locale.ROOT,
        "%s[%d bytes, %s…]",
        getClass().getSimpleName(),
        bytes.length,
        HexFormat.of().formatHex(bytes, 0, shown));
  }
}
