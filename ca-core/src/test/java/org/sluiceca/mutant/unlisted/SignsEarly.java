package org.sluiceca.mutant.unlisted;

import org.sluiceca.mutant.sign.IssuerSigner;
import org.sluiceca.mutant.sign.Signable;

/** Signs outside of the line, from a package that the order does not know. */
record SignsEarly(IssuerSigner signer) {

  void sign(Signable signable) {
    signer.sign(signable);
  }

  Object prepare() {
    return signer.prepare();
  }
}
