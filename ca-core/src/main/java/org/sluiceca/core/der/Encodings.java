package org.sluiceca.core.der;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Object;

/** Writes structures that this package built itself, which cannot fail in memory. */
final class Encodings {

  static final int SEQUENCE = 0x30;

  private Encodings() {}

  /** X.690 8.1.3: the tag, and the length in short form below 128, else in the fewest octets. */
  static void writeHeader(ByteArrayOutputStream out, int tag, int length) {
    out.write(tag);
    if (length < 0x80) {
      out.write(length);
      return;
    }
    int octets = (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 7) / 8;
    out.write(0x80 | octets);
    for (int i = octets - 1; i >= 0; i--) {
      out.write(length >>> (8 * i));
    }
  }

  /** Returns how many octets {@link #writeHeader} writes. */
  static int headerOctets(int length) {
    return length < 0x80 ? 2 : 2 + (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 7) / 8;
  }

  static byte[] der(ASN1Object object) {
    try {
      return object.getEncoded(ASN1Encoding.DER);
    } catch (IOException e) {
      throw new UncheckedIOException("in-memory DER encoding failed", e);
    }
  }
}
