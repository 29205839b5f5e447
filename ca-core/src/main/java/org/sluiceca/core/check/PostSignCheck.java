package org.sluiceca.core.check;

import java.util.Optional;
import java.util.function.Function;
import org.sluiceca.core.failure.CaUnavailable.SignatureRefused;
import org.sluiceca.core.failure.CaUnavailable.SignerUnavailable;
import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.sign.Signable;
import org.sluiceca.core.verify.SignatureVerifier;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * Step 7, check: the signature must verify under the public key of the name over the recorded
 * bytes. A signer that used another key, other bytes or a broken engine is found here, not by
 * relying parties. Signatures are never compared with each other: ECDSA's are random. Thread-safe.
 */
public final class PostSignCheck {

  private final Function<KeyName, Optional<SubjectPublicKeyInfo>> publicKeys;
  private final SignatureVerifier signatures;

  /**
   * Checks under {@code publicKeys}.
   *
   * @param publicKeys what certificates say the key of a name is; empty if there is none here
   */
  public PostSignCheck(
      Function<KeyName, Optional<SubjectPublicKeyInfo>> publicKeys, SignatureVerifier signatures) {
    this.publicKeys = publicKeys;
    this.signatures = signatures.ofFewKeys();
  }

  /**
   * Checks a signature.
   *
   * @throws SignatureRefused if it does not verify; nothing may be released
   */
  public CheckedSignature check(Signable signable, OctetString signature) {
    SubjectPublicKeyInfo key =
        publicKeys
            .apply(signable.key())
            .orElseThrow(
                () ->
                    new SignerUnavailable(
                        "key " + signable.key() + " is not active here", true, null));
    if (!signatures.verifies(
        key, signable.signatureAlgorithm(), signable.toBeSigned(), signature)) {
      throw new SignatureRefused(
          "the signature of key " + signable.key() + " does not verify under it");
    }
    return new CheckedSignature(signable, signature);
  }
}
