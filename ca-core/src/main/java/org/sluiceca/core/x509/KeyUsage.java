package org.sluiceca.core.x509;

/** The bits of keyUsage (RFC 5280 4.2.1.3). */
public enum KeyUsage {
  DIGITAL_SIGNATURE(0),
  CONTENT_COMMITMENT(1),
  KEY_ENCIPHERMENT(2),
  DATA_ENCIPHERMENT(3),
  KEY_AGREEMENT(4),
  KEY_CERT_SIGN(5),
  CRL_SIGN(6),
  ENCIPHER_ONLY(7),
  DECIPHER_ONLY(8);

  private final int bit;

  KeyUsage(int bit) {
    this.bit = bit;
  }

  /** Returns the bit's number in the BIT STRING, 0 to 8. */
  public int bit() {
    return bit;
  }

  /**
   * Returns whether a key of {@code algorithm} may have this usage: RFC 8813 3 (EC keys encipher
   * nothing), RFC 9295 3 (Edwards curves only sign), RFC 3279 2.3.1 (RSA agrees on no keys).
   */
  public boolean fits(PublicKeyAlgorithm algorithm) {
    return switch (this) {
      case DIGITAL_SIGNATURE, CONTENT_COMMITMENT, KEY_CERT_SIGN, CRL_SIGN -> true;
      case KEY_ENCIPHERMENT, DATA_ENCIPHERMENT -> algorithm == PublicKeyAlgorithm.RSA;
      case KEY_AGREEMENT, ENCIPHER_ONLY, DECIPHER_ONLY ->
          switch (algorithm) {
            case EC_P256, EC_P384, EC_P521 -> true;
            case RSA, ED25519, ED448 -> false;
          };
    };
  }
}
