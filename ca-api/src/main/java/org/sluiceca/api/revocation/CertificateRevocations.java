package org.sluiceca.api.revocation;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.certificate.EntryAccess;
import org.sluiceca.api.certificate.StatusBody;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.revocation.store.SameKeyCertificates;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.revoke.RevocationResult;
import org.sluiceca.core.revoke.Revoker;
import org.sluiceca.core.x509.RevocationReason;
import org.springframework.stereotype.Component;

/**
 * Revokes single certificates for those who may: officers any, a requester those that it enrolled.
 * REST and the console ask here. Thread-safe; returns when the decision is durable, and the CRL
 * follows within a second.
 */
@Component
public final class CertificateRevocations {

  /** The one value that may be requested apart from the reasons. */
  private static final String RELEASE = "release";

  private final EntryAccess entries;
  private final Revoker revoker;
  private final AuditTrail trail;
  private final SameKeyCertificates sameKey;

  CertificateRevocations(
      EntryAccess entries, Revoker revoker, AuditTrail trail, SameKeyCertificates sameKey) {
    this.entries = entries;
    this.revoker = revoker;
    this.trail = trail;
    this.sameKey = sameKey;
  }

  /**
   * Returns an entry that the requester may revoke.
   *
   * @throws ProblemException 404 if it may not see it, 403 if it may not revoke it
   */
  public LedgerEntry revocable(Requester requester, String serial) {
    return entries.ownOrOfficers(requester, serial, "revoke");
  }

  /**
   * Returns since when a key counts as compromised that a client says is.
   *
   * @throws ProblemException 400 if that cannot be
   */
  public Instant invalidSince(Instant claimed) {
    return revoker
        .invalidSince(claimed)
        .orElseThrow(
            () -> new ProblemException(ProblemType.MALFORMED_REQUEST, revoker.invalidityBounds()));
  }

  /** Revokes a certificate, and finds others with its key if that was compromised. */
  public StatusBody revoke(
      Requester requester,
      String serial,
      RevocationReason reason,
      Optional<Instant> invalidityDate) {
    Optional<Instant> date = invalidityDate.map(this::invalidSince);
    LedgerEntry entry = revocable(requester, serial);
    record(requester, entry, reason.label());
    StatusBody answer = answer(entry, revoker.revoke(entry, requester.id(), reason, date));
    return RevocationReason.KEY_COMPROMISE.label().equals(answer.reason())
        ? answer.withOthers(sameKey.of(entry.intent()))
        : answer;
  }

  /** Releases from hold, which officers alone may. */
  public StatusBody release(Requester requester, String serial) {
    LedgerEntry entry = entries.visibleTo(requester, serial);
    // An officer may have put it on hold, and not for its requester to undo.
    if (!mayRelease(requester)) {
      throw new ProblemException(ProblemType.FORBIDDEN, "only officers release from hold");
    }
    record(requester, entry, RELEASE);
    return answer(entry, revoker.release(entry, requester.id()));
  }

  /** Returns whether a requester releases from hold. */
  public static boolean mayRelease(Requester requester) {
    return requester.has(Role.OFFICER);
  }

  /** An act that is not in the audit trail is not done. */
  private void record(Requester requester, LedgerEntry entry, String wish) {
    trail.recordDurably(
        new Fact(
            AuditKind.CERTIFICATE_REVOKE,
            requester.id().value(),
            Map.of("serial", entry.intent().serialNumber().hex(), "wish", wish)));
  }

  private static StatusBody answer(LedgerEntry entry, RevocationResult result) {
    return switch (result) {
      case RevocationResult.Done done -> StatusBody.of(entry, done.status().revocation());
      case RevocationResult.Refused(String detail) ->
          throw new ProblemException(ProblemType.CONFLICT, detail);
      case RevocationResult.Outrun outrun ->
          throw new ProblemException(
              ProblemType.CONFLICT, "others are deciding about the certificate; ask again");
    };
  }
}
