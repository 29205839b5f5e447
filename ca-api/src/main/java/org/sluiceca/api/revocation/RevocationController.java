package org.sluiceca.api.revocation;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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
import org.sluiceca.core.syntax.Spelling;
import org.sluiceca.core.x509.RevocationReason;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /v1/certificates/{serial}/revocation}: officers revoke any certificate, a requester those
 * that it enrolled. The answer comes when the decision is durable; the CRL follows within a second.
 */
@RestController
public final class RevocationController {

  /**
   * A wish to revoke.
   *
   * @param reason a name of RFC 5280 5.3.1
   * @param invalidityDate RFC 3339, since when the key is suspected; not in the future by more than
   *     the allowance for clocks
   */
  record RevocationBody(@Nullable String reason, @Nullable String invalidityDate) {}

  /** The one value that may be requested apart from the reasons. */
  private static final String RELEASE = "release";

  private static final List<String> REASONS =
      Arrays.stream(RevocationReason.values()).map(RevocationReason::label).toList();

  private final EntryAccess entries;
  private final Revoker revoker;
  private final AuditTrail trail;
  private final SameKeyCertificates sameKey;

  RevocationController(
      EntryAccess entries, Revoker revoker, AuditTrail trail, SameKeyCertificates sameKey) {
    this.sameKey = sameKey;
    this.entries = entries;
    this.revoker = revoker;
    this.trail = trail;
  }

  @PostMapping(
      path = "/v1/certificates/{serial}/revocation",
      consumes = MediaType.APPLICATION_JSON_VALUE)
  StatusBody revoke(
      @AuthenticationPrincipal Requester requester,
      @PathVariable String serial,
      @RequestBody RevocationBody body) {
    RevocationReason reason = reason(body.reason());
    Optional<Instant> invalidityDate = date(body.invalidityDate()).map(this::invalidSince);
    LedgerEntry entry = entries.ownOrOfficers(requester, serial, "revoke");
    record(requester, entry, reason.label());
    StatusBody answer =
        answer(entry, revoker.revoke(entry, requester.id(), reason, invalidityDate));
    return RevocationReason.KEY_COMPROMISE.label().equals(answer.reason())
        ? answer.withOthers(sameKey.of(entry.intent()))
        : answer;
  }

  /** Releases from hold, which officers alone may. */
  @DeleteMapping("/v1/certificates/{serial}/revocation")
  StatusBody release(@AuthenticationPrincipal Requester requester, @PathVariable String serial) {
    LedgerEntry entry = entries.visibleTo(requester, serial);
    // An officer may have put it on hold, and not for its requester to undo.
    if (!requester.has(Role.OFFICER)) {
      throw new ProblemException(ProblemType.FORBIDDEN, "only officers release from hold");
    }
    record(requester, entry, RELEASE);
    return answer(entry, revoker.release(entry, requester.id()));
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

  public static RevocationReason reason(@Nullable String label) {
    if (label == null) {
      throw new ProblemException(
          ProblemType.MALFORMED_REQUEST,
          "the member reason is missing; allowed: " + String.join(", ", REASONS));
    }
    return RevocationReason.ofLabel(label)
        .orElseThrow(
            () ->
                new ProblemException(
                    ProblemType.MALFORMED_REQUEST,
                    String.format(
                        Locale.ROOT,
                        "no reason is named %s: %s; DELETE ends a hold",
                        Spelling.shown(label),
                        Spelling.hint(label, REASONS))));
  }

  private Instant invalidSince(Instant claimed) {
    return revoker
        .invalidSince(claimed)
        .orElseThrow(
            () -> new ProblemException(ProblemType.MALFORMED_REQUEST, revoker.invalidityBounds()));
  }

  private static Optional<Instant> date(@Nullable String text) {
    try {
      return Optional.ofNullable(text).map(t -> OffsetDateTime.parse(t).toInstant());
    } catch (DateTimeException e) {
      throw new ProblemException(
          ProblemType.MALFORMED_REQUEST, "invalidityDate must be a time like 2026-01-31T12:00:00Z");
    }
  }
}
