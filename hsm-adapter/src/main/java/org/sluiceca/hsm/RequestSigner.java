package org.sluiceca.hsm;

/** Signs with keys in tokens: one token, or several that hold the same keys. */
public interface RequestSigner {
  /**
   * Signs, blocking at most until the request's deadline. Thread-safe; meant for virtual threads,
   * which only park.
   *
   * @return the signature as PKCS#11 gives it: for ECDSA r || s, each as wide as the curve's order
   *     and not DER; for RSA and Ed25519 what goes into a certificate
   * @throws HsmException whose {@code mayHaveExecuted} says whether a token may have signed
   */
  byte[] sign(SignRequest request);
}
