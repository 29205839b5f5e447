package org.sluiceca.core.sign;

import org.sluiceca.core.x509.OctetString;

/** Signs with an issuer's private key, wherever that key lives. Thread-safe. */
public interface IssuerSigner {

  /**
   * Signs, blocking until the signature is there or {@code schedule.signBy()} has passed.
   *
   * @return the signatureValue's octets in the form certificates want (RFC 5280 4.1.1.3; ECDSA as
   *     DER). Not verified: that is step 7's part
   * @throws org.sluiceca.core.failure.CaUnavailable.SignerUnavailable if there is no signature; a
   *     retry is safe for the same signable only
   */
  OctetString sign(Signable signable, SignSchedule schedule);

  /**
   * Prepares a signature for which the calling thread will wait, and which another thread may
   * start. Does not block.
   */
  default PendingSignature prepare() {
    return new AwaitedSignature(this);
  }
}
