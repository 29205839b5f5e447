package org.sluiceca.hsm;

/** Signs with keys in tokens: one token, or several that hold the same keys. Thread-safe. */
public interface RequestSigner {
  /**
   * Queues a signature and returns at once, without blocking.
   *
   * @param waiter the thread that will wait for it, unparked when it has ended
   * @throws HsmException if it was not queued, so that nothing was signed
   */
  StartedSignature start(SignRequest request, Thread waiter);

  /**
   * Signs, blocking at most until the request's deadline; meant for virtual threads, which only
   * park.
   *
   * @return the signature as PKCS#11 gives it: for ECDSA r || s, each as wide as the curve's order
   *     and not DER; for RSA and Ed25519 what goes into a certificate
   * @throws HsmException whose {@code mayHaveExecuted} says whether a token may have signed
   */
  default byte[] sign(SignRequest request) {
    return start(request, Thread.currentThread()).join();
  }
}
