package org.sluiceca.mutant.sign;

/** Named like the core's. */
public interface IssuerSigner {

  /** Signs. */
  void sign(Signable signable);

  Object prepare();
}
