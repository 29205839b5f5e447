package org.sluiceca.core.verify;

import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * Verifies a signature over bytes. CPU-bound, never blocks; implementations are thread-safe and
 * agree on every input (docs/adr/0014).
 */
public interface SignatureVerifier {

  /**
   * Returns whether {@code signature} over {@code message} verifies under {@code key}. False for
   * whatever is wrong: a malformed signature, an invalid key (such as a point that is not on its
   * curve), an algorithm that the key cannot have made.
   */
  boolean verifies(
      SubjectPublicKeyInfo key,
      SignatureAlgorithm algorithm,
      OctetString message,
      OctetString signature);

  /**
   * Returns the same verifier for a caller whose keys are few and come again, such as issuers': it
   * may keep what it has read of a key, by the key's encoding.
   */
  default SignatureVerifier ofFewKeys() {
    return this;
  }
}
