package org.sluiceca.core.der;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Object;

/** Writes structures that this package built itself, which cannot fail in memory. */
final class Encodings {

  private Encodings() {}

  static byte[] der(ASN1Object object) {
    try {
      return object.getEncoded(ASN1Encoding.DER);
    } catch (IOException e) {
      throw new UncheckedIOException("in-memory DER encoding failed", e);
    }
  }
}
