package org.sluiceca.core.x509;

/**
 * A signature algorithm that may stand in a certificate or a certification request. SHA-1 and MD5
 * have no member, so they cannot be accepted by mistake.
 */
public enum SignatureAlgorithm {
  RSA_PKCS1_SHA256(Family.RSA),
  RSA_PKCS1_SHA384(Family.RSA),
  RSA_PKCS1_SHA512(Family.RSA),
  RSASSA_PSS_SHA256(Family.RSA),
  RSASSA_PSS_SHA384(Family.RSA),
  RSASSA_PSS_SHA512(Family.RSA),
  ECDSA_SHA256(Family.EC),
  ECDSA_SHA384(Family.EC),
  ECDSA_SHA512(Family.EC),
  ED25519(Family.ED25519),
  ED448(Family.ED448);

  private enum Family {
    RSA,
    EC,
    ED25519,
    ED448
  }

  private final Family family;

  SignatureAlgorithm(Family family) {
    this.family = family;
  }

  /** Returns whether a key of {@code algorithm} can make signatures of this algorithm. */
  public boolean fits(PublicKeyAlgorithm algorithm) {
    return family
        == switch (algorithm) {
          case RSA -> Family.RSA;
          case EC_P256, EC_P384, EC_P521 -> Family.EC;
          case ED25519 -> Family.ED25519;
          case ED448 -> Family.ED448;
        };
  }

  /**
   * Returns the algorithm with which an issuer of this key signs: the hash is as strong as the key
   * (NIST SP 800-57 part 1, table 3).
   */
  public static SignatureAlgorithm ofIssuer(SubjectPublicKey key) {
    return switch (key.algorithm()) {
      case RSA -> RSA_PKCS1_SHA256;
      case EC_P256 -> ECDSA_SHA256;
      case EC_P384 -> ECDSA_SHA384;
      case EC_P521 -> ECDSA_SHA512;
      case ED25519 -> ED25519;
      case ED448 -> ED448;
    };
  }
}
