package org.sluiceca.core.crl;

import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.sign.Signable;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;

/**
 * A CRL that is durable, its number its own: what the issuer's key may sign. Minted by {@link
 * CrlIssuance} only.
 */
public final class RecordedCrl implements Signable {

  private final PlannedCrl planned;
  private final OctetString toBeSigned;

  RecordedCrl(PlannedCrl planned) {
    this.planned = planned;
    this.toBeSigned = OctetString.copyOf(planned.tbsCertList().encoded());
  }

  /** Returns what was recorded. */
  public PlannedCrl planned() {
    return planned;
  }

  @Override
  public KeyName key() {
    return KeyName.of(planned.scope().issuer());
  }

  @Override
  public SignatureAlgorithm signatureAlgorithm() {
    return planned.signatureAlgorithm();
  }

  @Override
  public OctetString toBeSigned() {
    return toBeSigned;
  }
}
