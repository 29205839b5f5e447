package org.sluiceca.api.auth.oidc;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.PublicKeyAlgorithm;

/**
 * The signature algorithms that tokens may have (RFC 7518 3.1, RFC 8037 3.1). {@code none} and the
 * symmetric ones have no member, so no setting can name them.
 */
public enum JwtAlgorithm {
  RS256("RS256", "SHA256withRSA", PublicKeyAlgorithm.RSA, 0),
  PS256("PS256", "RSASSA-PSS", PublicKeyAlgorithm.RSA, 0),
  ES256("ES256", "SHA256withECDSAinP1363Format", PublicKeyAlgorithm.EC_P256, 64),
  ES384("ES384", "SHA384withECDSAinP1363Format", PublicKeyAlgorithm.EC_P384, 96),
  ES512("ES512", "SHA512withECDSAinP1363Format", PublicKeyAlgorithm.EC_P521, 132),
  EDDSA("EdDSA", "Ed25519", PublicKeyAlgorithm.ED25519, 64);

  private static final PSSParameterSpec PSS =
      new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1);

  private final String text;
  private final String jca;
  private final PublicKeyAlgorithm key;
  private final int octets;

  /**
   * An algorithm.
   *
   * @param octets how long a signature is; 0 if the key says it
   */
  JwtAlgorithm(String text, String jca, PublicKeyAlgorithm key, int octets) {
    this.text = text;
    this.jca = jca;
    this.key = key;
    this.octets = octets;
  }

  /** Returns the algorithm of a name; empty if it is not taken. */
  static Optional<JwtAlgorithm> of(String name) {
    return Arrays.stream(values()).filter(a -> a.text.equals(name)).findFirst();
  }

  static String names() {
    return Arrays.stream(values()).map(JwtAlgorithm::text).collect(Collectors.joining(", "));
  }

  /** Returns the value of {@code alg}. */
  String text() {
    return text;
  }

  /** RFC 7518 3.4: each algorithm of ECDSA has a curve of its own. */
  boolean fits(PublicKeyAlgorithm other) {
    return key == other;
  }

  /** Returns whether a signature is by this key; costs one verification. */
  boolean verifies(PublicKey by, OctetString signed, OctetString signature) {
    if (octets != 0 && signature.length() != octets) {
      return false;
    }
    try {
      Signature verifier = Signature.getInstance(jca);
      if (this == PS256) {
        verifier.setParameter(PSS);
      }
      verifier.initVerify(by);
      verifier.update(signed.octets());
      return verifier.verify(signature.octets());
    } catch (SignatureException e) {
      // Its encoding is none.
      return false;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + jca, e);
    }
  }
}
