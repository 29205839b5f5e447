package org.sluiceca.api.certificate.find;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.certificate.store.CertificateSearch.Page;
import org.sluiceca.api.certificate.store.FoundCertificate;
import org.sluiceca.api.certificate.store.FoundCertificate.Revoked;
import org.sluiceca.api.certificate.store.SearchFilter.Status;
import org.sluiceca.core.request.Requester;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code GET /v1/certificates}: requesters find what they enrolled; officers, auditors and admins
 * everything. What was issued a moment ago may come into the answer some hundred milliseconds
 * later; whether it is revoked is never old.
 */
@RestController
final class FindController {

  /**
   * The JSON form of a page.
   *
   * @param next the cursor of the next page; absent at the end
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record PageBody(List<CertificateBody> certificates, @Nullable String next) {}

  /** The JSON form of a certificate that was found; the certificate itself is at its serial. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record CertificateBody(
      String serial,
      String status,
      String subject,
      List<String> subjectAltNames,
      String issuer,
      String profile,
      String requester,
      String notBefore,
      String notAfter,
      String issuedAt,
      @Nullable String reason,
      @Nullable String revocationDate) {

    static CertificateBody of(FoundCertificate found, Instant now) {
      Optional<Revoked> revoked = found.revocation();
      return new CertificateBody(
          found.serialNumber().hex(),
          status(found, now).name().toLowerCase(Locale.ROOT),
          found.subject(),
          found.sans(),
          found.origin().issuer().value(),
          found.origin().profile().value(),
          found.origin().requester().value(),
          found.validity().notBefore().toString(),
          found.validity().notAfter().toString(),
          found.issuedAt().toString(),
          revoked.map(r -> r.reason().label()).orElse(null),
          revoked.map(r -> r.since().toString()).orElse(null));
    }

    private static Status status(FoundCertificate found, Instant now) {
      if (found.revocation().isPresent()) {
        return Status.REVOKED;
      }
      return found.validity().notAfter().isAfter(now) ? Status.VALID : Status.EXPIRED;
    }
  }

  private final Searches searches;
  private final InstantSource clock;

  FindController(Searches searches, InstantSource clock) {
    this.searches = searches;
    this.clock = clock;
  }

  @GetMapping(path = "/v1/certificates", produces = MediaType.APPLICATION_JSON_VALUE)
  PageBody find(
      @AuthenticationPrincipal Requester requester,
      @RequestParam MultiValueMap<String, String> parameters) {
    FindQuery query = FindQuery.of(requester, parameters);
    Instant now = clock.instant();
    Page page = searches.page(requester.id(), query.filter(), query.after(), query.limit(), now);
    return new PageBody(
        page.certificates().stream().map(found -> CertificateBody.of(found, now)).toList(),
        page.next().map(position -> Cursor.write(position, query.filter())).orElse(null));
  }
}
