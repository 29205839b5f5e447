package org.sluiceca.core.csr;

import org.sluiceca.core.der.CertificationRequest;
import org.sluiceca.core.profile.AuthorizedRequest;

/**
 * An authorized request whose CSR parsed, whose key passed and whose signature verified. Minted by
 * {@link CsrVerifier} only.
 */
public final class VerifiedCsr {

  private final AuthorizedRequest authorized;
  private final CertificationRequest csr;

  VerifiedCsr(AuthorizedRequest authorized, CertificationRequest csr) {
    this.authorized = authorized;
    this.csr = csr;
  }

  /** Returns the authorized request. */
  public AuthorizedRequest authorized() {
    return authorized;
  }

  /** Returns the certification request's content. */
  public CertificationRequest csr() {
    return csr;
  }
}
