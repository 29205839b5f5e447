package org.sluiceca.api.certificate.find;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.certificate.store.CertificateSearch;
import org.sluiceca.api.certificate.store.FoundCertificate;
import org.sluiceca.api.certificate.store.FoundCertificate.Revoked;
import org.sluiceca.api.certificate.store.SearchFilter.Status;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.core.request.Requester;

/**
 * Finds certificates: for requesters what they enrolled; for officers, auditors and admins
 * everything. REST and the console ask here. What was issued a moment ago may come into the answer
 * some hundred milliseconds later; whether it is revoked is never old. Thread-safe.
 */
public final class CertificateFinder {

  /** The most certificates of a page. */
  public static final int LIMIT_MAX = FindQuery.LIMIT_MAX;

  /**
   * The JSON form of a page.
   *
   * @param next the cursor of the next page; absent at the end
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record PageBody(List<CertificateBody> certificates, @Nullable String next) {}

  /** The JSON form of a certificate that was found; the certificate itself is at its serial. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record CertificateBody(
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

  /** Finds by {@code searches}, which bound what all requests may take. */
  public CertificateFinder(Searches searches, InstantSource clock) {
    this.searches = searches;
    this.clock = clock;
  }

  /**
   * Returns a page.
   *
   * @param parameters those of {@code GET /v1/certificates}
   * @throws ProblemException 400 if one is unknown, given twice or not what it should be; 403 if
   *     the requester may not see what it asks for; 503 if it gets no turn
   */
  public PageBody find(Requester requester, Map<String, List<String>> parameters) {
    FindQuery query = FindQuery.of(requester, parameters);
    Instant now = clock.instant();
    CertificateSearch.Page page =
        searches.page(requester.id(), query.filter(), query.after(), query.limit(), now);
    return new PageBody(
        page.certificates().stream().map(found -> CertificateBody.of(found, now)).toList(),
        page.next().map(position -> Cursor.write(position, query.filter())).orElse(null));
  }

  /** Returns whether a requester finds what others enrolled, too. */
  public static boolean mayReadAll(Requester requester) {
    return FindQuery.mayReadAll(requester);
  }
}
