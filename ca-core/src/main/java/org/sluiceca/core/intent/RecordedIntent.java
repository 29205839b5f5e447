package org.sluiceca.core.intent;

import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.sign.Signable;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;
import org.sluiceca.core.x509.SignatureAlgorithm;

/**
 * An intent that is durable in the ledger and claimed by this node: what an issuer's key may sign.
 * Minted by {@link Ledger} only.
 */
public final class RecordedIntent implements Signable {

  private final Intent intent;
  private final Claim claim;

  RecordedIntent(Intent intent, Claim claim) {
    this.intent = intent;
    this.claim = claim;
  }

  /** Returns what was recorded. */
  public Intent intent() {
    return intent;
  }

  /** Returns this node's claim. */
  public Claim claim() {
    return claim;
  }

  /** Returns the serial number, which is also the order's name. */
  public SerialNumber serialNumber() {
    return intent.serialNumber();
  }

  @Override
  public KeyName key() {
    return KeyName.of(intent.origin().issuer());
  }

  @Override
  public SignatureAlgorithm signatureAlgorithm() {
    return intent.signatureAlgorithm();
  }

  @Override
  public OctetString toBeSigned() {
    return OctetString.copyOf(intent.tbsCertificate().encoded());
  }
}
