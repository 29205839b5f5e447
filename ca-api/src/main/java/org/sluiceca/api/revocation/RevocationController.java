package org.sluiceca.api.revocation;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.certificate.StatusBody;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.request.Requester;
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

  private static final List<String> REASONS =
      Arrays.stream(RevocationReason.values()).map(RevocationReason::label).toList();

  private final CertificateRevocations revocations;

  RevocationController(CertificateRevocations revocations) {
    this.revocations = revocations;
  }

  @PostMapping(
      path = "/v1/certificates/{serial}/revocation",
      consumes = MediaType.APPLICATION_JSON_VALUE)
  StatusBody revoke(
      @AuthenticationPrincipal Requester requester,
      @PathVariable String serial,
      @RequestBody RevocationBody body) {
    return revocations.revoke(
        requester, serial, reason(body.reason()), date(body.invalidityDate()));
  }

  @DeleteMapping("/v1/certificates/{serial}/revocation")
  StatusBody release(@AuthenticationPrincipal Requester requester, @PathVariable String serial) {
    return revocations.release(requester, serial);
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

  private static Optional<Instant> date(@Nullable String text) {
    try {
      return Optional.ofNullable(text).map(t -> OffsetDateTime.parse(t).toInstant());
    } catch (DateTimeException e) {
      throw new ProblemException(
          ProblemType.MALFORMED_REQUEST, "invalidityDate must be a time like 2026-01-31T12:00:00Z");
    }
  }
}
