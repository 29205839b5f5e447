package org.sluiceca.core.wire.jws;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.sluiceca.core.x509.PublicKeyAlgorithm;
import org.sluiceca.core.x509.SignatureAlgorithm;

/**
 * The signature algorithms of JWS that are taken (RFC 7518 3.1, RFC 8037 3.1). None of the others
 * has a member, {@code none} and the symmetric ones least of all.
 */
public enum JwsAlgorithm {
  RS256("RS256", SignatureAlgorithm.RSA_PKCS1_SHA256, 0),
  ES256("ES256", SignatureAlgorithm.ECDSA_SHA256, 64),
  ES384("ES384", SignatureAlgorithm.ECDSA_SHA384, 96),
  ES512("ES512", SignatureAlgorithm.ECDSA_SHA512, 132),
  EDDSA("EdDSA", SignatureAlgorithm.ED25519, 0);

  private final String jwsName;
  private final SignatureAlgorithm signature;
  private final int ecdsaOctets;

  JwsAlgorithm(String jwsName, SignatureAlgorithm signature, int ecdsaOctets) {
    this.jwsName = jwsName;
    this.signature = signature;
    this.ecdsaOctets = ecdsaOctets;
  }

  /** Returns the algorithm of a name; empty if it is not taken. */
  public static Optional<JwsAlgorithm> of(String name) {
    return Arrays.stream(values()).filter(a -> a.jwsName.equals(name)).findFirst();
  }

  /** Returns all names, for the {@code algorithms} member of RFC 8555 6.2. */
  public static String names() {
    return Arrays.stream(values()).map(JwsAlgorithm::jwsName).collect(Collectors.joining(", "));
  }

  /** Returns the value of {@code alg}. */
  public String jwsName() {
    return jwsName;
  }

  SignatureAlgorithm signature() {
    return signature;
  }

  /** The length of r and s together; 0 where the signature is as X.509 has it. */
  int ecdsaOctets() {
    return ecdsaOctets;
  }

  /** RFC 7518 3.4: each algorithm of ECDSA has a curve of its own. */
  boolean fits(PublicKeyAlgorithm key) {
    return switch (this) {
      case RS256 -> key == PublicKeyAlgorithm.RSA;
      case ES256 -> key == PublicKeyAlgorithm.EC_P256;
      case ES384 -> key == PublicKeyAlgorithm.EC_P384;
      case ES512 -> key == PublicKeyAlgorithm.EC_P521;
      case EDDSA -> key == PublicKeyAlgorithm.ED25519;
    };
  }
}
