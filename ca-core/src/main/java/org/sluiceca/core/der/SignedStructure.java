package org.sluiceca.core.der;

import java.io.ByteArrayOutputStream;

/**
 * Joins three encodings into the SEQUENCE that certificates, requests and revocation lists share:
 * signed part, algorithm, signature. Bytes are copied, never decoded, so what was signed is what
 * stands there.
 */
final class SignedStructure {

  private static final int SEQUENCE = 0x30;

  private SignedStructure() {}

  static byte[] write(byte[] signed, byte[] algorithm, byte[] signature) {
    int length = signed.length + algorithm.length + signature.length;
    ByteArrayOutputStream out = new ByteArrayOutputStream(length + 6);
    out.write(SEQUENCE);
    writeLength(out, length);
    out.writeBytes(signed);
    out.writeBytes(algorithm);
    out.writeBytes(signature);
    return out.toByteArray();
  }

  /** X.690 8.1.3: short form below 128, else the fewest octets (10.1). */
  private static void writeLength(ByteArrayOutputStream out, int length) {
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
}
