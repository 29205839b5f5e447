package org.sluiceca.api.revocation.bulk;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.approval.ApprovalAction;
import org.sluiceca.api.approval.ApprovalBody;
import org.sluiceca.api.approval.Approvals;
import org.sluiceca.api.http.connector.SlotExtension;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.revocation.RevocationController;
import org.sluiceca.api.revocation.bulk.BulkRevocations.DryRun;
import org.sluiceca.api.revocation.bulk.BulkRevocations.Start;
import org.sluiceca.api.revocation.bulk.store.BulkJobStore;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.revoke.Revoker;
import org.sluiceca.core.revoke.bulk.BulkJob;
import org.sluiceca.core.revoke.bulk.BulkRevocation;
import org.sluiceca.core.revoke.bulk.BulkSelection;
import org.sluiceca.core.revoke.bulk.BulkTally;
import org.sluiceca.core.x509.IssuerName;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /v1/revocations}: officers revoke what a requester, a profile or an issuer stands for, in
 * two requests, of which the first only counts. Roles are asked for by the routes.
 */
@RestController
final class BulkRevocationController {

  private static final String PATH = "/v1/revocations";

  /** Names of each kind in an answer; the sum is of all. */
  private static final int NAMES_MAX = 100;

  private static final int YEAR_MAX = 9_999;

  /** A batch a quarter of a second. */
  private static final Duration POLL_AFTER = Duration.ofSeconds(1);

  /** Another dry run on this node takes seconds. */
  private static final Duration BUSY_FOR = Duration.ofSeconds(10);

  /** The selection to be revoked; at least one of the first three. */
  record SelectionBody(
      @Nullable String requester,
      @Nullable String profile,
      @Nullable String issuer,
      @Nullable String issuedAfter,
      @Nullable String issuedBefore) {}

  /**
   * A wish to revoke many.
   *
   * @param dryRun true counts; false revokes what a dry run with the same members has counted
   * @param confirmation what that dry run answered
   */
  record BulkBody(
      @Nullable SelectionBody selection,
      @Nullable String reason,
      @Nullable String invalidityDate,
      @Nullable Boolean dryRun,
      @Nullable String confirmation) {}

  /**
   * The count of certificates that would be revoked.
   *
   * @param onHold how many more are on hold, and would stay so
   * @param refused how many more have no revocation information
   * @param byProfile the hundred profiles with the most
   * @param byRequester the hundred requesters with the most
   */
  record CountBody(
      long count,
      long onHold,
      long refused,
      String asOf,
      String confirmation,
      Map<String, Long> byProfile,
      Map<String, Long> byRequester) {

    static CountBody of(BulkJob job, BulkTally tally) {
      return new CountBody(
          tally.count(),
          tally.onHold(),
          tally.refused(),
          job.asOf().toString(),
          job.confirmation(),
          tally.byProfile(NAMES_MAX),
          tally.byRequester(NAMES_MAX));
    }
  }

  /**
   * How it stands.
   *
   * @param status pending, running, done or failed
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record JobBody(
      String id,
      String status,
      long selected,
      long revoked,
      long alreadyRevoked,
      long refused,
      String reason,
      String asOf,
      String startedAt,
      @Nullable String endedAt) {

    static JobBody of(BulkJobStore.State state) {
      BulkJob job = state.job();
      return new JobBody(
          job.id().toString(),
          state.status().name().toLowerCase(Locale.ROOT),
          job.selected(),
          state.counts().revoked(),
          state.counts().alreadyRevoked(),
          state.counts().refused(),
          job.wish().reason().label(),
          job.asOf().toString(),
          state.startedAt().toString(),
          state.endedAt().map(Instant::toString).orElse(null));
    }
  }

  private final BulkRevocations revocations;
  private final Approvals approvals;
  private final Revoker revoker;

  BulkRevocationController(BulkRevocations revocations, Approvals approvals, Revoker revoker) {
    this.revocations = revocations;
    this.approvals = approvals;
    this.revoker = revoker;
  }

  @PostMapping(path = PATH, consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<Object> revoke(
      @AuthenticationPrincipal Requester officer, @RequestBody BulkBody body) {
    BulkRevocation wish = wish(officer, body);
    @Nullable Boolean isDryRun = body.dryRun();
    if (isDryRun == null) {
      throw malformed("dryRun must be true or false");
    }
    return isDryRun ? count(wish, body) : start(officer, wish, body);
  }

  private ResponseEntity<Object> count(BulkRevocation wish, BulkBody body) {
    if (body.confirmation() != null) {
      throw conflict("a dry run needs no confirmation: it gives one");
    }
    return switch (revocations.dryRun(wish, SlotExtension::extend)) {
      case DryRun.Counted(BulkJob job, BulkTally tally) ->
          ResponseEntity.ok(CountBody.of(job, tally));
      case DryRun.Busy busy ->
          throw new ProblemException(
              ProblemType.SATURATED, "another dry run is under way on this node", BUSY_FOR, null);
      case DryRun.TookTooLong(Duration max) ->
          throw conflict("the ledger is not counted within " + max.toMinutes() + " minutes");
    };
  }

  private ResponseEntity<Object> start(Requester officer, BulkRevocation wish, BulkBody body) {
    String confirmation = body.confirmation();
    if (confirmation == null) {
      throw conflict("first ask with dryRun true, then send its confirmation");
    }
    return switch (revocations.judge(wish, confirmation)) {
      case Start.Started(UUID job) -> started(job);
      case Start.Ready(BulkJob job) ->
          approvals.isHeldBack(ApprovalAction.BULK_REVOCATION)
              ? ApprovalBody.waiting(
                  approvals.ask(
                      ApprovalAction.BULK_REVOCATION, BulkRevocationAct.content(job), officer))
              : started(revocations.start(job).job());
      case Start.NotConfirmed(String detail) -> throw conflict(detail);
    };
  }

  private ResponseEntity<Object> started(UUID job) {
    return ResponseEntity.accepted()
        .location(URI.create(PATH + "/" + job))
        .header(HttpHeaders.RETRY_AFTER, Long.toString(POLL_AFTER.toSeconds()))
        // Whatever the client accepts: a job that was started is never a 406.
        .contentType(MediaType.APPLICATION_JSON)
        .body(JobBody.of(state(job)));
  }

  @GetMapping(PATH + "/{id}")
  JobBody get(@PathVariable String id) {
    try {
      return JobBody.of(state(UUID.fromString(id)));
    } catch (IllegalArgumentException e) {
      throw unknown();
    }
  }

  private BulkJobStore.State state(UUID job) {
    return revocations.find(job).orElseThrow(BulkRevocationController::unknown);
  }

  private BulkRevocation wish(Requester officer, BulkBody body) {
    BulkSelection selection = selection(body.selection());
    BulkRevocation wish =
        new BulkRevocation(
            selection,
            RevocationController.reason(body.reason()),
            time("invalidityDate", body.invalidityDate()),
            officer.id());
    if (selection.isContradictory()) {
      throw conflict("issuedBefore is not after issuedAfter: there is nothing in between");
    }
    if (wish.invalidityDate().isPresent()
        && revoker.invalidSince(wish.invalidityDate().get()).isEmpty()) {
      throw malformed(revoker.invalidityBounds());
    }
    return wish;
  }

  private static BulkSelection selection(@Nullable SelectionBody body) {
    // An empty selection is never everything.
    if (body == null
        || (body.requester() == null && body.profile() == null && body.issuer() == null)) {
      throw malformed("selection must name a requester, a profile or an issuer");
    }
    return new BulkSelection(
        name("requester", body.requester(), RequesterId::new),
        name("profile", body.profile(), ProfileName::new),
        name("issuer", body.issuer(), IssuerName::new),
        time("issuedAfter", body.issuedAfter()),
        time("issuedBefore", body.issuedBefore()));
  }

  private static <T> Optional<T> name(
      String member, @Nullable String text, Function<String, T> parse) {
    try {
      return Optional.ofNullable(text).map(parse);
    } catch (IllegalArgumentException e) {
      throw malformed(member + " is not a name of a " + member);
    }
  }

  private static Optional<Instant> time(String member, @Nullable String text) {
    try {
      Optional<OffsetDateTime> time = Optional.ofNullable(text).map(OffsetDateTime::parse);
      // RFC 3339: four digits; Java takes nine.
      if (time.isPresent() && (time.get().getYear() < 0 || time.get().getYear() > YEAR_MAX)) {
        throw notTime(member);
      }
      return time.map(OffsetDateTime::toInstant);
    } catch (DateTimeException e) {
      throw notTime(member);
    }
  }

  private static ProblemException notTime(String member) {
    return malformed(member + " must be a time like 2026-01-31T12:00:00Z");
  }

  private static ProblemException malformed(String detail) {
    return new ProblemException(ProblemType.MALFORMED_REQUEST, detail);
  }

  private static ProblemException conflict(String detail) {
    return new ProblemException(ProblemType.CONFLICT, detail);
  }

  private static ProblemException unknown() {
    return new ProblemException(ProblemType.NOT_FOUND, "unknown bulk revocation");
  }
}
