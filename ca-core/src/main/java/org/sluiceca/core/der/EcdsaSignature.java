package org.sluiceca.core.der;

import java.math.BigInteger;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DERSequence;
import org.sluiceca.core.x509.OctetString;

/** Turns PKCS#11's form of an ECDSA signature into that of certificates. */
public final class EcdsaSignature {

  private EcdsaSignature() {}

  /**
   * Encodes {@code r || s} (PKCS#11 CKM_ECDSA: two halves of equal length) as ECDSA-Sig-Value (RFC
   * 3279 2.2.3).
   *
   * @throws IllegalArgumentException if the length is odd or 0
   */
  public static OctetString ofPlain(byte[] plain) {
    if (plain.length == 0 || plain.length % 2 != 0) {
      throw new IllegalArgumentException("r || s of " + plain.length + " octets");
    }
    int half = plain.length / 2;
    ASN1EncodableVector pair = new ASN1EncodableVector();
    pair.add(new ASN1Integer(new BigInteger(1, plain, 0, half)));
    pair.add(new ASN1Integer(new BigInteger(1, plain, half, half)));
    return OctetString.copyOf(Encodings.der(new DERSequence(pair)));
  }
}
