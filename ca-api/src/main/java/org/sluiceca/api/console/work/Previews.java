package org.sluiceca.api.console.work;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.platform.share.FairSlots;
import org.sluiceca.core.enroll.Preview;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.failure.Rejection;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.RequesterId;

/**
 * Previews of requests with bounds: one at a time on a node, and {@value #WAITING_MAX} that wait
 * for their turn, shared fairly among requesters; a preview costs as much as steps 2 to 4, some
 * milliseconds. What would be refused is in the audit trail. Thread-safe.
 */
public final class Previews {

  static final int WAITING_MAX = 16;

  private static final Duration WAIT_MAX = Duration.ofSeconds(2);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Preview preview;
  private final Consumer<Fact> trail;
  private final FairSlots<RequesterId> turns = new FairSlots<>(1, 1 + WAITING_MAX);

  /** Asks {@code preview}; {@code trail} has what is refused, as it has what the line refuses. */
  public Previews(Preview preview, Consumer<Fact> trail) {
    this.preview = preview;
    this.trail = trail;
  }

  /**
   * Explains a request, and what would become of it.
   *
   * @throws ProblemException 503 if it gets no turn; 400 if the request cannot be read
   */
  ExplainedRequest explained(EnrollmentRequest request) {
    RequesterId requester = request.requester().id();
    try {
      if (!turns.begin(requester, WAIT_MAX)) {
        throw new ProblemException(
            ProblemType.SATURATED,
            String.format(
                Locale.ROOT,
                "This node explains one request at a time, and %d wait: try again in %d s.",
                WAITING_MAX,
                RETRY.toSeconds()),
            RETRY,
            null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LedgerUnavailable("interrupted while waiting for a preview", e);
    }
    try {
      ExplainedRequest.Asked asked = ExplainedRequest.asked(request.csr());
      Preview.Result result = preview.of(request);
      if (result instanceof Preview.Result.Refused(Rejection rejection)) {
        trail.accept(refused(request, rejection));
      }
      return ExplainedRequest.of(asked, result);
    } finally {
      turns.end(requester);
    }
  }

  private static Fact refused(EnrollmentRequest request, Rejection rejection) {
    return new Fact(
        AuditKind.REQUEST_REJECTED,
        request.requester().id().value(),
        Map.of("profile", request.profile().value(), "reason", rejection.reason().name()));
  }
}
