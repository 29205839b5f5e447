package org.sluiceca.api.issuer.service;

import org.sluiceca.core.x509.IssuerName;

/** What came of an act upon an issuer. */
public sealed interface IssuerAnswer {

  /** Nothing speaks against the wish now. */
  record Ready(IssuerWish wish) implements IssuerAnswer {}

  /** It stands as it was wished for, by this request or by an earlier one. */
  record Standing(IssuerName name, boolean isNew) implements IssuerAnswer {}

  /** There is no such issuer. */
  record Unknown(String detail) implements IssuerAnswer {}

  /** The certificates are none that may issue here. */
  record Invalid(String detail) implements IssuerAnswer {}

  /** Something else is there already, or must stay. */
  record Contradicted(String detail) implements IssuerAnswer {}
}
