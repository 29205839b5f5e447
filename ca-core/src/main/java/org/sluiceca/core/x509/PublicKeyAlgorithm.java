package org.sluiceca.core.x509;

/** The public-key algorithms that this CA certifies. */
public enum PublicKeyAlgorithm {
  RSA(0),
  EC_P256(256),
  EC_P384(384),
  EC_P521(521),
  ED25519(256),
  ED448(448);

  private final int curveBits;

  PublicKeyAlgorithm(int curveBits) {
    this.curveBits = curveBits;
  }

  /** Returns the size of the curve's field in bits; 0 for RSA, whose size is the key's own. */
  public int curveBits() {
    return curveBits;
  }
}
