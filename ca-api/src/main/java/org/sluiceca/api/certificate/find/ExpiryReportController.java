package org.sluiceca.api.certificate.find;

import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.sluiceca.api.certificate.store.ExpiryTally;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.request.Requester;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code GET /v1/reports/expiry}: what expires soon, for officers, auditors and admins. */
@RestController
final class ExpiryReportController {

  private static final String WITHIN_DAYS = "withinDays";

  private static final int WITHIN_DEFAULT = 30;

  /** A year and a day. */
  private static final int WITHIN_MAX = 366;

  private static final long SECONDS_PER_WEEK = 7L * 24 * 60 * 60;

  /**
   * The JSON form of a report.
   *
   * @param from the first day, today, in UTC
   * @param before the day after the last
   * @param complete whether these are all lines
   */
  record ReportBody(String from, String before, boolean complete, List<LineBody> lines) {}

  /**
   * A week's certificates of one profile and requester.
   *
   * @param week its first day; weeks are counted from 1970-01-01, a Thursday
   * @param certificates all that expire then, {@code revoked} ones among them
   */
  record LineBody(String week, String profile, String requester, long certificates, long revoked) {

    static LineBody of(ExpiryTally.Line line) {
      return new LineBody(
          day(Instant.ofEpochSecond(line.week().number() * SECONDS_PER_WEEK)).toString(),
          line.profile(),
          line.requester(),
          line.certificates(),
          line.revoked());
    }
  }

  private final Searches searches;
  private final InstantSource clock;

  ExpiryReportController(Searches searches, InstantSource clock) {
    this.searches = searches;
    this.clock = clock;
  }

  @GetMapping(path = "/v1/reports/expiry", produces = MediaType.APPLICATION_JSON_VALUE)
  ReportBody report(
      @AuthenticationPrincipal Requester requester,
      @RequestParam MultiValueMap<String, String> parameters) {
    if (!FindQuery.mayReadAll(requester)) {
      throw new ProblemException(
          ProblemType.FORBIDDEN, "only officers, auditors and admins get reports");
    }
    int days =
        FindQuery.Values.of(parameters, Set.of(WITHIN_DAYS))
            .number(WITHIN_DAYS, WITHIN_DEFAULT, WITHIN_MAX);
    LocalDate today = day(clock.instant());
    LocalDate before = today.plusDays(days + 1L);
    ExpiryTally.Report report = searches.count(requester.id(), today, before);
    return new ReportBody(
        today.toString(),
        before.toString(),
        report.isComplete(),
        report.lines().stream().map(LineBody::of).toList());
  }

  private static LocalDate day(Instant instant) {
    return LocalDate.ofInstant(instant, ZoneOffset.UTC);
  }
}
