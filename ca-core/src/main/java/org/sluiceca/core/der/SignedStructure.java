package org.sluiceca.core.der;

import java.io.ByteArrayOutputStream;

/**
 * Joins three encodings into the SEQUENCE that requests and revocation lists share: signed part,
 * algorithm, signature. Bytes are copied, never decoded, so what was signed is what stands there.
 */
final class SignedStructure {

  private SignedStructure() {}

  static byte[] write(byte[] signed, byte[] algorithm, byte[] signature) {
    int length = signed.length + algorithm.length + signature.length;
    ByteArrayOutputStream out = new ByteArrayOutputStream(length + 6);
    Encodings.writeHeader(out, Encodings.SEQUENCE, length);
    out.writeBytes(signed);
    out.writeBytes(algorithm);
    out.writeBytes(signature);
    return out.toByteArray();
  }
}
