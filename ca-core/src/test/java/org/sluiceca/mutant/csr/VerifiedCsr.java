package org.sluiceca.mutant.csr;

/** A step token that a subclass could forge. */
public class VerifiedCsr {

  VerifiedCsr() {}
}
