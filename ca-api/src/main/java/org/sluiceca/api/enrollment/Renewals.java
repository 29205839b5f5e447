package org.sluiceca.api.enrollment;

import java.time.InstantSource;
import java.util.List;
import org.sluiceca.api.certificate.EntryAccess;
import org.sluiceca.api.enrollment.renewal.RenewalProofs;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.revocation.store.CompromisedKeyStore;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.KeyFingerprint;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.revoke.RevocationStore;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.CsrDer;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;

/** Finds certificates that their requester may have another in the place of. Thread-safe. */
@Component
final class Renewals {

  /** One that may be renewed. */
  record Renewable(CertificateDer certificate, ProfileName profile) {}

  /** The header that carries a proof in place of a credential. */
  static final String PROOF = "Sluice-Proof";

  private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

  private final RenewalProofs proofs;
  private final EntryAccess entries;
  private final RevocationStore revocations;
  private final CompromisedKeyStore compromised;
  private final InstantSource clock;

  Renewals(
      RenewalProofs proofs,
      EntryAccess entries,
      RevocationStore revocations,
      CompromisedKeyStore compromised,
      InstantSource clock) {
    this.proofs = proofs;
    this.entries = entries;
    this.revocations = revocations;
    this.compromised = compromised;
    this.clock = clock;
  }

  /**
   * Returns a certificate that may be renewed. Blocks for three queries.
   *
   * @throws ProblemException 404 if the requester may not see it, 403 if another enrolled it, 409
   *     if it is not valid now: a certificate with no time left, or no trust, is enrolled again
   */
  Renewable find(Requester requester, String serial) {
    LedgerEntry entry = entries.visibleTo(requester, serial);
    if (!entry.intent().origin().requester().equals(requester.id())) {
      throw new ProblemException(
          ProblemType.FORBIDDEN, "only who enrolled a certificate may renew it");
    }
    CertificateDer certificate =
        entry
            .certificate()
            .orElseThrow(() -> conflict("no certificate was issued under this serial yet"));
    if (revocations.status(entry.intent().serialNumber()).revocation().isPresent()) {
      throw conflict("the certificate is revoked; enroll again");
    }
    if (compromised.contains(key(entry), requester.id())) {
      throw new ProblemException(
          ProblemType.COMPROMISED_KEY,
          "the key of this certificate was reported as compromised: make a new key, and enroll it");
    }
    if (isOver(entry)) {
      throw conflict("the certificate has expired; enroll again");
    }
    return new Renewable(certificate, entry.intent().origin().profile());
  }

  /**
   * Returns the requester that a proof stands for, and the key under which it asks.
   *
   * @throws ProblemException if there is no proof, it does not verify, or the request has another
   *     credential or an Idempotency-Key: the proof does not cover that one, so a repeat could
   *     change it
   */
  RenewalProofs.Proven proven(String serial, HttpHeaders headers, CsrDer csr) {
    List<String> proof = headers.get(PROOF);
    if (proof == null) {
      throw new ProblemException(
          ProblemType.UNAUTHENTICATED, "a credential or a " + PROOF + " header is needed");
    }
    RenewalProofs.Proven proven = proofs.verify(serial, proof, csr);
    if (headers.containsHeader(HttpHeaders.AUTHORIZATION)) {
      throw new ProblemException(
          ProblemType.MALFORMED_REQUEST, "send either Authorization or " + PROOF + ", not both");
    }
    if (headers.containsHeader(IDEMPOTENCY_KEY)) {
      throw new ProblemException(
          ProblemType.MALFORMED_REQUEST,
          "leave out Idempotency-Key: a "
              + PROOF
              + " is its own, the same proof repeats the answer");
    }
    return proven;
  }

  private static KeyFingerprint key(LedgerEntry entry) {
    try {
      return KeyFingerprint.of(entry.intent().tbsCertificate());
    } catch (DerException e) {
      throw new IllegalStateException("the ledger's own TBSCertificate does not parse", e);
    }
  }

  private boolean isOver(LedgerEntry entry) {
    try {
      return !CertificateReader.validity(entry.intent().tbsCertificate())
          .notAfter()
          .isAfter(clock.instant());
    } catch (DerException e) {
      throw new IllegalStateException("the ledger's own TBSCertificate does not parse", e);
    }
  }

  private static ProblemException conflict(String detail) {
    return new ProblemException(ProblemType.CONFLICT, detail);
  }
}
