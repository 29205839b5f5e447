package org.sluiceca.api.certificate.store;

import java.time.Instant;
import java.util.Optional;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.ExpiryWeek;
import org.sluiceca.core.x509.IssuerName;

/**
 * Which certificates are looked for: all that fit everything that is given.
 *
 * @param subject the commonName or serialNumber attribute of the subject
 * @param san a subjectAltName
 */
public record SearchFilter(
    Optional<RequesterId> requester,
    Optional<NameRange> subject,
    Optional<NameRange> san,
    Optional<ProfileName> profile,
    Optional<IssuerName> issuer,
    Optional<Status> status,
    Span issued,
    Span expires) {

  /** A certificate's status at the moment; a revoked one stays revoked when it expires. */
  public enum Status {
    VALID,
    REVOKED,
    EXPIRED
  }

  /** From after one moment to before another. */
  public record Span(Optional<Instant> after, Optional<Instant> before) {

    /** Always. */
    public static final Span OPEN = new Span(Optional.empty(), Optional.empty());

    /** Certificates end neither before nor after that: see {@link ExpiryWeek}. */
    private static final Instant FIRST = Instant.EPOCH;

    private static final Instant LAST = Instant.ofEpochSecond((0xFFFF + 1) * 7L * 24 * 60 * 60 - 1);

    public Span {
      after = after.map(Span::within);
      before = before.map(Span::within);
    }

    private static Instant within(Instant instant) {
      return instant.isBefore(FIRST) ? FIRST : instant.isAfter(LAST) ? LAST : instant;
    }
  }

  /** Returns the first week in which what is looked for can expire. */
  int firstWeek(Instant now) {
    int first = expires.after().map(SearchFilter::week).orElse(0);
    return isOnly(Status.VALID) ? Math.max(first, week(now)) : first;
  }

  /** Returns the last one. */
  int lastWeek(Instant now) {
    int last = expires.before().map(SearchFilter::week).orElse(0xFFFF);
    return isOnly(Status.EXPIRED) ? Math.min(last, week(now)) : last;
  }

  private boolean isOnly(Status wanted) {
    return status.isPresent() && status.get() == wanted;
  }

  private static int week(Instant instant) {
    return ExpiryWeek.of(instant).number();
  }
}
