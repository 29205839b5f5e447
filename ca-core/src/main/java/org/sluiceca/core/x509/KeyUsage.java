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
}
