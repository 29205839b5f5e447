package org.sluiceca.core.order;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.admit.AdmissionDecision;
import org.sluiceca.core.admit.AdmissionDecision.Cause;
import org.sluiceca.core.admit.AdmissionDecision.Shed;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SigningCost;
import org.sluiceca.core.time.Deadline;

/**
 * Step 1 for who does not wait: a place on the line if there is one and none of its orders waits
 * already, else the way into the backlog. Thread-safe; never blocks.
 */
public final class OrderAdmission {

  /** A backlog of that size is not empty soon. */
  private static final Duration FULL_RETRY = Duration.ofSeconds(60);

  private final Admission admission;
  private final OrderLimits limits;
  private final Supplier<BacklogDepths> depths;

  /**
   * Admits to {@code admission} or to the backlog.
   *
   * @param depths as last heard; must return at once
   */
  public OrderAdmission(Admission admission, OrderLimits limits, Supplier<BacklogDepths> depths) {
    this.admission = admission;
    this.limits = limits;
    this.depths = depths;
  }

  /** As {@link Admission#admit}; a place may be {@code BacklogPermit}. */
  public AdmissionDecision admit(
      Lane lane, RequesterId requester, SigningCost work, Deadline deadline) {
    BacklogDepths now = depths.get();
    // Bulk work keeps its order; what has a lane of its own does not wait behind it.
    if (lane != Lane.BULK || now.of(requester) == 0) {
      AdmissionDecision decision = admission.admitOrder(lane, requester, work, deadline);
      if (!(decision instanceof Shed shed) || !isForWantOfRoom(shed.cause())) {
        return decision;
      }
    }
    return full(now, requester)
        .<AdmissionDecision>map(s -> s)
        .orElseGet(() -> admission.park(requester));
  }

  private Optional<Shed> full(BacklogDepths now, RequesterId requester) {
    if (now.of(requester) >= limits.perRequester()) {
      return Optional.of(new Shed(Cause.ORDERS_OVER_QUOTA, FULL_RETRY, Optional.empty()));
    }
    return now.total() >= limits.total()
        ? Optional.of(new Shed(Cause.BACKLOG_FULL, FULL_RETRY, Optional.empty()))
        : Optional.empty();
  }

  private static boolean isForWantOfRoom(Cause cause) {
    return switch (cause) {
      case SATURATED, OVER_SHARE, DEADLINE_UNREACHABLE, SIGNER_LOST -> true;
      case OVER_QUOTA, ORDERS_OVER_QUOTA, BACKLOG_FULL, DRAINING -> false;
    };
  }
}
