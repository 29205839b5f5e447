package org.sluiceca.api.console.work;

import java.time.Duration;
import java.util.Locale;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.api.platform.share.FairSlots;
import org.sluiceca.core.enroll.Preview;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.RequesterId;

/**
 * Previews of requests with bounds: one at a time on a node, and {@value #WAITING_MAX} that wait
 * for their turn, shared fairly among requesters; a preview costs as much as steps 2 to 4, some
 * milliseconds. Thread-safe.
 */
public final class Previews {

  static final int WAITING_MAX = 16;

  private static final Duration WAIT_MAX = Duration.ofSeconds(2);
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Preview preview;
  private final FairSlots<RequesterId> turns = new FairSlots<>(1, 1 + WAITING_MAX);

  /** Asks {@code preview}. */
  public Previews(Preview preview) {
    this.preview = preview;
  }

  /**
   * Returns what would become of a request.
   *
   * @throws ProblemException 503 if it gets no turn
   */
  Preview.Result of(EnrollmentRequest request) {
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
      return preview.of(request);
    } finally {
      turns.end(requester);
    }
  }
}
