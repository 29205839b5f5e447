package org.sluiceca.api.issuance;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.admit.LinePermit;
import org.sluiceca.core.admit.QueuePosition;
import org.sluiceca.core.enroll.Acceptance;
import org.sluiceca.core.enroll.Enrollment;
import org.sluiceca.core.enroll.Finish;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SigningPool;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.CertificateDer;

/**
 * The one way to a certificate for everything but the key ceremony: accepts a request, has it
 * finished, waits for it as long as its client does, and knows where it is queued. Protocols
 * translate to and from it. Thread-safe.
 */
public final class IssuanceService {

  /**
   * How much work ahead a request may have, whether its client waits or not: less than a claim
   * lives, for what is queued longer would be taken over. The client's wait only decides between a
   * certificate and an order.
   */
  private static final Duration ACCEPT_MAX = Duration.ofSeconds(10);

  /**
   * What the service works with.
   *
   * @param newestOrder the position of a requester's newest order in the backlog; never blocks
   * @param results receives each request with what came of it; must not block
   */
  public record Parts(
      IssuanceExecutor executor,
      WaitBulkhead clients,
      Function<RequesterId, QueuePosition> newestOrder,
      RenewalAudit audit,
      BiConsumer<EnrollmentRequest, IssuanceResult> results,
      Ticker ticker) {}

  private final Enrollment enrollment;
  private final Parts parts;

  /** Issues through {@code enrollment}. */
  public IssuanceService(Enrollment enrollment, Parts parts) {
    this.enrollment = enrollment;
    this.parts = parts;
  }

  /**
   * Issues a certificate. Blocks for steps 1 to 5, and then until there is an outcome, but no
   * longer than {@code wait} says. An interrupt ends the wait, as its time does, and is kept: the
   * intent is durable, so its client must hear of the order.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable as {@link Enrollment#accept}
   */
  public IssuanceResult issue(EnrollmentRequest wanted, Wait wait) {
    boolean isOrder =
        wait.isOrder() || (wait.holdsRequest() && enrollment.lane(wanted) == Lane.BULK);
    EnrollmentRequest request = isOrder ? wanted.asOrder() : wanted;
    try (ClientWait client = new ClientWait(request.requester().id(), wait)) {
      Acceptance acceptance =
          parts
              .audit()
              .recorded(request, () -> enrollment.accept(request, acceptBy(), client::begin));
      IssuanceResult result =
          switch (acceptance) {
            case Acceptance.Accepted accepted -> finish(accepted, client);
            case Acceptance.Ordered(Intent intent) ->
                new IssuanceResult.Pending(
                    intent.serialNumber(),
                    Optional.of(parts.newestOrder().apply(intent.origin().requester())),
                    false);
            case Acceptance.Replayed(LedgerEntry first) -> replayed(first);
            case Acceptance.InProgress(LedgerEntry first) ->
                new IssuanceResult.InProgress(first.intent().serialNumber());
            case Acceptance.Rejected rejected -> new IssuanceResult.Rejected(rejected.rejection());
            case Acceptance.Shed shed -> new IssuanceResult.Shed(shed.decision());
          };
      parts.results().accept(request, result);
      return result;
    }
  }

  private Deadline acceptBy() {
    return Deadline.after(ACCEPT_MAX, parts.ticker());
  }

  private IssuanceResult finish(Acceptance.Accepted accepted, ClientWait client) {
    Intent intent = accepted.intent().intent();
    Optional<Finish> finish = parts.executor().finish(accepted, client.answerBy);
    if (finish.isEmpty()) {
      return new IssuanceResult.Pending(
          intent.serialNumber(),
          parts.executor().position(intent.serialNumber()),
          client.isWaiting);
    }
    return switch (finish.get()) {
      case Finish.Issued(CertificateDer certificate) ->
          new IssuanceResult.Issued(intent, certificate, client.isWaiting);
      // Durable: another node took the intent over and gave it up.
      case Finish.Abandoned(Outcome.Abandoned outcome) ->
          new IssuanceResult.GivenUp(outcome, false);
    };
  }

  /** How long a client waits, which is settled when its request has a place on the line. */
  private final class ClientWait implements AutoCloseable {
    private final RequesterId requester;
    private final Wait wait;
    private Deadline answerBy = Deadline.after(Duration.ZERO, parts.ticker());
    private boolean isWaiting;
    private @Nullable SigningPool entered;

    ClientWait(RequesterId requester, Wait wait) {
      this.requester = requester;
      this.wait = wait;
    }

    Deadline begin(LinePermit place) {
      // On a connection a client does not wait for bulk work, whatever it prefers.
      isWaiting = !wait.holdsRequest() || place.lane() != Lane.BULK;
      Duration longest = isWaiting ? wait.longest() : Duration.ZERO;
      if (longest.isPositive() && mayWait(place.pool())) {
        answerBy = answerBy.earlierBy(longest.negated());
      }
      return answerBy;
    }

    private boolean mayWait(SigningPool pool) {
      if (!wait.holdsRequest()) {
        return true;
      }
      if (!parts.clients().enter(pool, requester)) {
        return false;
      }
      entered = pool;
      return true;
    }

    @Override
    public void close() {
      if (entered != null) {
        parts.clients().leave(entered, requester);
      }
    }
  }

  private static IssuanceResult replayed(LedgerEntry first) {
    return switch (first.outcome().orElseThrow()) {
      case Outcome.Issued _ ->
          new IssuanceResult.Replayed(first.intent(), first.certificate().orElseThrow());
      case Outcome.Abandoned abandoned -> new IssuanceResult.GivenUp(abandoned, true);
    };
  }
}
