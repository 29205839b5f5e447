package org.sluiceca.core.verify;

/** Java's own verifier. */
class BouncyCastleVerifierTest extends SignatureVerifierContract {

  @Override
  SignatureVerifier verifier() {
    return new BouncyCastleVerifier();
  }
}
