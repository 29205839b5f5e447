package org.sluiceca.api.issuer.service;

import java.util.List;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;

/** An act upon an issuer that nothing spoke against when it was judged. */
public sealed interface IssuerWish {

  /** Upon which. */
  IssuerName name();

  /** An act that brings certificates, the issuer's own first, trust anchor last. */
  sealed interface Certified extends IssuerWish {

    List<CertificateDer> certificates();
  }

  /**
   * Another issuer is to be there.
   *
   * @param key where the ceremony made its key
   */
  record Install(IssuerName name, IssuerChain chain, RegisteredIssuer.Key key)
      implements Certified {

    @Override
    public List<CertificateDer> certificates() {
      return chain.certificates();
    }
  }

  /** Another certificate of its name and key is to count, after the {@code present} one. */
  record Renew(RegisteredIssuer present, IssuerChain chain) implements Certified {

    @Override
    public IssuerName name() {
      return present.name();
    }

    @Override
    public List<CertificateDer> certificates() {
      return chain.certificates();
    }
  }

  /** It is to issue no more, for good. */
  record Retire(IssuerName name) implements IssuerWish {}
}
