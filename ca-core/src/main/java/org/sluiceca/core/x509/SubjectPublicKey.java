package org.sluiceca.core.x509;

import java.math.BigInteger;

/** A public key of an algorithm that this CA certifies; any other algorithm does not parse. */
public sealed interface SubjectPublicKey {

  /** Returns the key's algorithm, with the curve where there is one. */
  PublicKeyAlgorithm algorithm();

  /** An RSA key (RFC 8017 3.1). Not checked for strength: that is {@code csr.WeakKeys}'s part. */
  record Rsa(BigInteger modulus, BigInteger publicExponent) implements SubjectPublicKey {
    @Override
    public PublicKeyAlgorithm algorithm() {
      return PublicKeyAlgorithm.RSA;
    }

    /** Returns the size that policies speak of: the modulus, in bits. */
    public int bits() {
      return modulus.bitLength();
    }
  }

  /** A point on a named curve (RFC 5480 2.2). Not checked to lie on it. */
  record Ec(PublicKeyAlgorithm algorithm, BigInteger x, BigInteger y) implements SubjectPublicKey {}

  /**
   * An Ed25519 or Ed448 key (RFC 8410 4).
   *
   * @param point the encoded point A of RFC 8032 5.1.5 and 5.2.5. Not checked to be one
   */
  record EdDsa(PublicKeyAlgorithm algorithm, OctetString point) implements SubjectPublicKey {}
}
