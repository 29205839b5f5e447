package org.sluiceca.core.admit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;
import org.sluiceca.core.admit.AdmissionDecision.Cause;
import org.sluiceca.core.admit.AdmissionDecision.Shed;
import org.sluiceca.core.pace.RetryAfter;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;

/**
 * Step 1, admit: bounds each lane of the line in number and in time, and each requester to its
 * share of both. A request that costs the signer eight times as much as another is eight times the
 * work, and one place like any other. It never blocks and does no I/O, so a refusal costs
 * microseconds whatever the token does. Thread-safe.
 */
public final class Admission {

  /**
   * Whoever is told to come back comes within a minute: a signer that nobody met for longer may
   * have been there meanwhile.
   */
  private static final long LOSS_UNSEEN_NANOS = 70_000_000_000L;

  /**
   * Orders that may be on their way into the backlog: a verification and a commit each. More would
   * take the processors from what is being signed.
   */
  static final int PARKING_MAX = 64;

  /** Each takes a commit's time. */
  private static final Duration PARKING_RETRY = Duration.ofSeconds(1);

  /** Of the bulk lane's room: the rest is for batches, whose clients wait. */
  private static final double ROOM_FOR_ORDERS = 0.8;

  private final Terms terms;
  private final Signer signer;
  private final Ticker ticker;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Lanes lanes;

  @GuardedBy("lock")
  private final Requesters requesters = new Requesters();

  @GuardedBy("lock")
  private final RetryAfter retryAfter;

  @GuardedBy("lock")
  private final Refusals refusals;

  /** On their way into the backlog. */
  @GuardedBy("lock")
  private int parking;

  @GuardedBy("lock")
  private boolean signerLost;

  @GuardedBy("lock")
  private long signerLostSinceNanos;

  /** When a request last met it. */
  @GuardedBy("lock")
  private long signerLostSeenNanos;

  @GuardedBy("lock")
  private boolean draining;

  /**
   * What the line may hold.
   *
   * @param placesMax how many requests may be between admission and outcome, at least 1
   * @param quota what each requester may have of this node
   */
  public record Terms(int placesMax, Optional<Quota> quota) {

    public Terms {
      if (placesMax < 1) {
        throw new IllegalArgumentException("placesMax " + placesMax + " below 1");
      }
    }
  }

  /**
   * What admission asks of the signer; both must return at once.
   *
   * @param usable whether any token can sign now
   * @param capacityPerSecond how many jobs, of what it was given of late, it could sign a second by
   *     its own estimate, for as long as the line has not learnt its rate; 0 if unknown. The line
   *     takes each for a request of the mean cost
   */
  public record Signer(BooleanSupplier usable, DoubleSupplier capacityPerSecond) {}

  /** Makes an empty line. */
  public Admission(Terms terms, Signer signer, Ticker ticker, RandomGenerator random) {
    this.terms = terms;
    this.signer = signer;
    this.ticker = ticker;
    this.retryAfter = new RetryAfter(random);
    this.lanes = new Lanes(terms.placesMax(), signer.capacityPerSecond(), ticker.nanoTime());
    this.refusals = new Refusals(terms.quota(), lanes, requesters, retryAfter);
  }

  /** Makes an empty line without quotas, over a signer that tells no capacity. */
  public Admission(
      int placesMax, BooleanSupplier signerUsable, Ticker ticker, RandomGenerator random) {
    this(new Terms(placesMax, Optional.empty()), new Signer(signerUsable, () -> 0), ticker, random);
  }

  /** Takes a place for a request that costs 1, as all do where all keys are of one kind. */
  public AdmissionDecision.OfLine admit(Lane lane, RequesterId requester, Deadline deadline) {
    return admit(lane, requester, 1, deadline);
  }

  /**
   * Takes a place, or says why there is none and when to come back.
   *
   * @param lane as the server assigns it; {@link Lane#STATUS} is the node's own work and finds a
   *     place whatever the load
   * @param cost how much of the signer's time it takes, of the cheapest kind of request 1: at least
   *     1
   */
  public AdmissionDecision.OfLine admit(
      Lane lane, RequesterId requester, double cost, Deadline deadline) {
    return admit(lane, requester, cost, deadline, true);
  }

  /**
   * The same for an order, which does not come back when it is refused: it gets no turn, and what
   * it is told to wait means nothing.
   */
  public AdmissionDecision.OfLine admitOrder(
      Lane lane, RequesterId requester, double cost, Deadline deadline) {
    return admit(lane, requester, cost, deadline, false);
  }

  private AdmissionDecision.OfLine admit(
      Lane lane, RequesterId requester, double cost, Deadline deadline, boolean comesBack) {
    if (!(cost >= 1 && cost < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("a cost of " + cost + ", not 1 or more");
    }
    boolean usable = signer.usable().getAsBoolean();
    lock.lock();
    try {
      long now = ticker.nanoTime();
      if (draining) {
        return new Shed(Cause.DRAINING, Duration.ofSeconds(1), Optional.empty());
      }
      if (!usable) {
        return new Shed(
            Cause.SIGNER_LOST, retryAfter.signerLost(lostSeconds(now)), Optional.empty());
      }
      signerLost = false;
      LaneLine line = lanes.line(lane);
      Share share = requesters.asks(requester, lane, now);
      double workPerSecond = lanes.workPerSecond(line, now);
      if (comesBack) {
        line.asked(now, cost);
      }
      Refusals.Asking asking = new Refusals.Asking(line, share, cost, now, workPerSecond);
      Optional<Shed> shed =
          lane == Lane.STATUS
              ? Optional.empty()
              : comesBack ? refusals.of(asking, deadline) : refusals.ofOrder(asking, deadline);
      if (shed.isPresent()) {
        if (comesBack && shed.get().cause() != Cause.OVER_QUOTA) {
          // Who is over its quota comes back to that, whatever the lane's load is.
          line.refused(now, shed.get().retryAfter().toNanos());
        }
        return shed.get();
      }
      if (!comesBack) {
        line.asked(now, cost);
      }
      terms.quota().ifPresent(quota -> quota.use(share, now));
      share.take(lane, cost);
      Admitted place = new Admitted(this, lane, share, cost, now);
      lanes.enter(line, place, now);
      return place;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Lets an order into the backlog rather than onto the line, whatever the signer does: or says why
   * not, which is its requester's quota of requests, the node's end, or too many at once.
   */
  public AdmissionDecision park(RequesterId requester) {
    lock.lock();
    try {
      long now = ticker.nanoTime();
      if (draining) {
        return new Shed(Cause.DRAINING, Duration.ofSeconds(1), Optional.empty());
      }
      Share share = requesters.asks(requester, Lane.BULK, now);
      Optional<Shed> overQuota = refusals.ofQuota(share, now);
      if (overQuota.isPresent()) {
        return overQuota.get();
      }
      if (parking >= PARKING_MAX) {
        return new Shed(Cause.SATURATED, PARKING_RETRY, Optional.empty());
      }
      terms.quota().ifPresent(quota -> quota.use(share, now));
      parking++;
      return new Parked(this);
    } finally {
      lock.unlock();
    }
  }

  void parked() {
    lock.lock();
    try {
      parking--;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns how many orders the bulk lane takes now; 0 while no token can sign or the node ends. An
   * estimate: others may take the room meanwhile.
   */
  public int roomForOrders() {
    boolean usable = signer.usable().getAsBoolean();
    lock.lock();
    try {
      LaneLine line = lanes.line(Lane.BULK);
      double cost = line.meanCost();
      Lanes.Capacity capacity =
          lanes.capacity(line, lanes.workPerSecond(line, ticker.nanoTime()), cost);
      return usable && !draining
          ? Math.max(
              0, (int) Math.ceil(ROOM_FOR_ORDERS * capacity.requests(cost)) - line.places.size())
          : 0;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives a place of the bulk lane to an order that was taken out of the backlog: it was admitted
   * when it was asked for, so it is never refused. Whoever takes orders keeps to {@link
   * #roomForOrders}.
   */
  public Admitted resume(RequesterId requester, double cost) {
    lock.lock();
    try {
      long now = ticker.nanoTime();
      LaneLine line = lanes.line(Lane.BULK);
      // It comes when it is fetched, so it tells nothing of how many come of themselves.
      Share share = requesters.asks(requester, Lane.BULK, now);
      share.take(Lane.BULK, cost);
      Admitted place = new Admitted(this, Lane.BULK, share, cost, now);
      lanes.enter(line, place, now);
      return place;
    } finally {
      lock.unlock();
    }
  }

  /** Refuses every request from now on; those admitted keep their places. */
  public void drain() {
    lock.lock();
    try {
      draining = true;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the places taken and their bound, and what the line drains. */
  public Occupancy occupancy() {
    lock.lock();
    try {
      long now = ticker.nanoTime();
      List<LaneOccupancy> occupancies = new ArrayList<>();
      for (LaneLine line : lanes.lines()) {
        occupancies.add(occupancy(line, now));
      }
      return new Occupancy(
          lanes.inFlight(),
          terms.placesMax(),
          lanes.workPerSecond(now) / lanes.meanCost(),
          List.copyOf(occupancies));
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private LaneOccupancy occupancy(LaneLine line, long now) {
    double workPerSecond = lanes.workPerSecond(line, now);
    int depth = line.places.size();
    double cost = line.meanCost();
    Lanes.Capacity capacity = lanes.capacity(line, workPerSecond, cost);
    return new LaneOccupancy(
        line.lane,
        depth,
        line.lane == Lane.STATUS ? terms.placesMax() : (int) capacity.requests(cost),
        depth == 0 ? 0 : Math.max(0, now - line.places.getFirst().sinceNanos()),
        workPerSecond / cost,
        workPerSecond == 0 ? 0 : line.work() / workPerSecond);
  }

  /**
   * A snapshot of the line.
   *
   * @param drainPerSecond learnt completions a second, at their mean cost of late; 0 while unknown
   */
  public record Occupancy(
      int inFlight, int placesMax, double drainPerSecond, List<LaneOccupancy> lanes) {}

  /**
   * A snapshot of one lane.
   *
   * @param depth requests between admission and outcome
   * @param capacity how many it takes now: by places, by the time they would take at their mean
   *     cost of late, and by what the other lanes have
   * @param oldestAgeNanos since when the first of them is there; 0 if there is none
   * @param perSecond how many requests of that cost it drains a second; 0 while unknown
   * @param etaSeconds in which it drains what it has, whatever each costs; 0 while unknown
   */
  public record LaneOccupancy(
      Lane lane,
      int depth,
      int capacity,
      long oldestAgeNanos,
      double perSecond,
      double etaSeconds) {}

  Standing standing(Admitted place) {
    lock.lock();
    try {
      LaneLine line = lanes.line(place.lane());
      // One that has just been given back is as good as served.
      int position = 0;
      double work = place.cost();
      if (line.places.contains(place)) {
        for (Admitted other : line.places) {
          if (other == place) {
            break;
          }
          position++;
          work += other.cost();
        }
      }
      double workPerSecond = lanes.workPerSecond(line, ticker.nanoTime());
      return new Standing(
          position,
          workPerSecond == 0 ? OptionalDouble.empty() : OptionalDouble.of(work / workPerSecond));
    } finally {
      lock.unlock();
    }
  }

  void release(Admitted place, boolean completed) {
    lock.lock();
    try {
      place.share().giveBack(place.lane(), place.cost());
      lanes.leave(lanes.line(place.lane()), place, completed, ticker.nanoTime());
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private double lostSeconds(long nowNanos) {
    if (!signerLost || nowNanos - signerLostSeenNanos > LOSS_UNSEEN_NANOS) {
      signerLost = true;
      signerLostSinceNanos = nowNanos;
    }
    signerLostSeenNanos = nowNanos;
    return (nowNanos - signerLostSinceNanos) / 1e9;
  }
}
