package org.sluiceca.core.issued;

import org.sluiceca.core.failure.CaUnavailable.SignatureRefused;
import org.sluiceca.core.failure.CaUnavailable.SignerUnavailable;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.sign.Signable;
import org.sluiceca.core.verify.SignatureVerifier;
import org.sluiceca.core.x509.OctetString;

/**
 * Step 7, check: the signature must verify under the issuer's public key over the recorded bytes. A
 * signer that used another key, other bytes or a broken engine is found here, not by relying
 * parties. Signatures are never compared with each other: ECDSA's are random. Thread-safe.
 */
public final class PostSignCheck {

  private final IssuerCatalog issuers;
  private final SignatureVerifier signatures;

  public PostSignCheck(IssuerCatalog issuers, SignatureVerifier signatures) {
    this.issuers = issuers;
    this.signatures = signatures;
  }

  /**
   * Checks a signature.
   *
   * @throws SignatureRefused if it does not verify; nothing may be released
   */
  public IssuedCertificate check(Signable signable, OctetString signature) {
    Issuer issuer =
        issuers
            .find(signable.issuer())
            .orElseThrow(
                () ->
                    new SignerUnavailable(
                        "issuer " + signable.issuer() + " is not active here", true, null));
    if (!signatures.verifies(
        issuer.subjectPublicKeyInfo(),
        signable.signatureAlgorithm(),
        signable.toBeSigned(),
        signature)) {
      throw new SignatureRefused(
          "the signature of issuer " + signable.issuer() + " does not verify under its key");
    }
    return new IssuedCertificate(signable, signature);
  }
}
