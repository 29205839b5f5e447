package org.sluiceca.core.check;

import org.sluiceca.core.sign.Signable;
import org.sluiceca.core.x509.OctetString;

/**
 * A signature that verified over exactly the recorded bytes. Not yet durable, so not yet to be
 * released. Minted by {@link PostSignCheck} only.
 */
public final class CheckedSignature {

  private final Signable signable;
  private final OctetString signature;

  CheckedSignature(Signable signable, OctetString signature) {
    this.signable = signable;
    this.signature = signature;
  }

  /** Returns the record whose bytes were signed. */
  public Signable signable() {
    return signable;
  }

  /** Returns the signatureValue's octets. */
  public OctetString signature() {
    return signature;
  }
}
