package org.sluiceca.core.csr;

import java.util.Locale;
import java.util.Optional;
import org.sluiceca.core.der.CertificationRequest;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.KeyFingerprint;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.profile.AuthorizedRequest;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.verify.SignatureVerifier;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.SignatureAlgorithm;

/**
 * Step 3, verify: parses the CSR, refuses weak keys, checks proof of possession (RFC 2986 3). Cheap
 * checks come first; the signature, which costs most, comes last. Thread-safe.
 */
public final class CsrVerifier {

  /**
   * The longest CSR in bytes, the bound of a request body, too: an RSA-8192 request with 100 names
   * has some 30 KB.
   */
  public static final int CSR_BYTES_MAX = 64 * 1024;

  private final SignatureVerifier signatures;
  private final KeyBlocklist blocklist;
  private final CompromisedKeys compromised;

  /** The JCA's providers differ in the salts that they take; few requests have PSS. */
  private final BouncyCastleVerifier pssSignatures = new BouncyCastleVerifier();

  /** Checks proofs of possession by {@code signatures}, and keys against {@code blocklist}. */
  public CsrVerifier(SignatureVerifier signatures, KeyBlocklist blocklist) {
    this(signatures, blocklist, CompromisedKeys.NONE);
  }

  /** The same, and against the keys that revocations reported as compromised. */
  public CsrVerifier(
      SignatureVerifier signatures, KeyBlocklist blocklist, CompromisedKeys compromised) {
    this.signatures = signatures;
    this.blocklist = blocklist;
    this.compromised = compromised;
  }

  /** Verifies the CSR of an authorized request. */
  public VerifiedCsr verify(AuthorizedRequest authorized) throws RejectedException {
    CertificationRequest csr = parse(authorized.request().csr());
    WeakKeys.check(csr.subjectPublicKeyInfo().key());
    authorized.profile().content().key().check(csr.subjectPublicKeyInfo().key());
    requireProven(csr);
    return new VerifiedCsr(authorized, csr);
  }

  /**
   * Returns why step 3 would refuse a CSR under any profile; empty if nothing is wrong with it. For
   * protocols whose clients may send another CSR after a bad one: nothing is issued by this answer,
   * since the line verifies every CSR again.
   */
  public Optional<Rejection> fault(CsrDer encoded) {
    try {
      CertificationRequest csr = parse(encoded);
      WeakKeys.check(csr.subjectPublicKeyInfo().key());
      requireProven(csr);
      return Optional.empty();
    } catch (RejectedException e) {
      return Optional.of(e.rejection());
    }
  }

  private void requireProven(CertificationRequest csr) throws RejectedException {
    Optional<String> known = blocklist.fault(csr.subjectPublicKeyInfo());
    if (known.isPresent()) {
      throw new RejectedException(Reason.WEAK_KEY, known.get());
    }
    if (compromised.contains(KeyFingerprint.of(csr.subjectPublicKeyInfo()))) {
      throw new RejectedException(Rejection.compromisedKey());
    }
    SignatureAlgorithm algorithm = csr.signatureAlgorithm();
    if (!algorithm.fits(csr.subjectPublicKeyInfo().key().algorithm())) {
      throw new RejectedException(
          Reason.BAD_PROOF_OF_POSSESSION,
          String.format(
              Locale.ROOT,
              "the CSR's signature does not verify: a key of %s makes no signatures of %s",
              csr.subjectPublicKeyInfo().key().algorithm(),
              algorithm));
    }
    if (!isProven(csr)) {
      throw new RejectedException(
          Reason.BAD_PROOF_OF_POSSESSION,
          "the CSR's signature does not verify under the public key in it");
    }
  }

  /** RFC 2986 4.2: over the octets as they came, by the algorithm with which they were signed. */
  private boolean isProven(CertificationRequest csr) {
    if (csr.pssSaltOctets().isPresent()) {
      return pssSignatures.verifiesPss(
          csr.subjectPublicKeyInfo(),
          csr.signatureAlgorithm(),
          csr.pssSaltOctets().getAsInt(),
          csr.signed(),
          csr.signature());
    }
    return signatures.verifies(
        csr.subjectPublicKeyInfo(), csr.signatureAlgorithm(), csr.signed(), csr.signature());
  }

  private static CertificationRequest parse(CsrDer csr) throws RejectedException {
    if (csr.length() > CSR_BYTES_MAX) {
      throw new RejectedException(
          Reason.MALFORMED_CSR,
          String.format(Locale.ROOT, "CSR of %d bytes, allowed %d", csr.length(), CSR_BYTES_MAX));
    }
    try {
      return CsrReader.read(csr);
    } catch (DerException e) {
      throw RejectedException.of(e);
    }
  }
}
