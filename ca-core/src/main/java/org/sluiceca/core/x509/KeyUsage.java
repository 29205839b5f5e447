package org.sluiceca.core.x509;

/** The bits of keyUsage (RFC 5280 4.2.1.3). */
public enum KeyUsage {
  DIGITAL_SIGNATURE(0, "digitalSignature"),
  CONTENT_COMMITMENT(1, "contentCommitment"),
  KEY_ENCIPHERMENT(2, "keyEncipherment"),
  DATA_ENCIPHERMENT(3, "dataEncipherment"),
  KEY_AGREEMENT(4, "keyAgreement"),
  KEY_CERT_SIGN(5, "keyCertSign"),
  CRL_SIGN(6, "cRLSign"),
  ENCIPHER_ONLY(7, "encipherOnly"),
  DECIPHER_ONLY(8, "decipherOnly");

  private final int bit;
  private final String standardName;

  KeyUsage(int bit, String standardName) {
    this.bit = bit;
    this.standardName = standardName;
  }

  /** Returns the name in RFC 5280 4.2.1.3, such as {@code keyCertSign}. */
  public String standardName() {
    return standardName;
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
