package org.sluiceca.core.admit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.sluiceca.core.admit.AdmissionDecision.Cause;
import org.sluiceca.core.admit.AdmissionDecision.Limit;
import org.sluiceca.core.admit.AdmissionDecision.Shed;
import org.sluiceca.core.admit.share.Share;
import org.sluiceca.core.quota.Quota;
import org.sluiceca.core.quota.Quotas;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SigningCost;
import org.sluiceca.core.sign.SigningPool;
import org.sluiceca.core.throughput.RetryAfter;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;

/**
 * Step 1, admit: bounds each lane of a signing pool's line in number and in time, and each
 * requester to its share of both. A request that costs the signer eight times as much as another is
 * eight times the work, and one place like any other. Each signing pool has a line of its own, so
 * that requests waiting for one token do not keep others from another token. Admission never blocks
 * and does no I/O, so a refusal costs microseconds whatever the token does. Thread-safe.
 */
public final class Admission {

  /**
   * Orders that may be on their way into the backlog: a verification and a commit each. More would
   * take the processors from what is being signed.
   */
  static final int PARKING_MAX = 64;

  /** Each takes a commit's time. */
  private static final Duration PARKING_RETRY = Duration.ofSeconds(1);

  private final Signer signer;
  private final Ticker ticker;

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final PoolLines lines;

  @GuardedBy("lock")
  private final Optional<Quotas> quotas;

  @GuardedBy("lock")
  private final RetryAfter retryAfter;

  /** On their way into the backlog. */
  @GuardedBy("lock")
  private int parking;

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
   * @param usable whether any token of a signing pool can sign now
   * @param capacityPerSecond how many jobs a second a signing pool could sign, by its own estimate
   *     and for the mix of jobs that it has received recently; used until its line has learnt its
   *     rate; 0 if unknown. The line counts each job as a request of the mean cost
   */
  public record Signer(
      Predicate<SigningPool> usable, ToDoubleFunction<SigningPool> capacityPerSecond) {

    /** Where everything is signed in one place. */
    public static Signer ofOne(BooleanSupplier usable, DoubleSupplier capacityPerSecond) {
      return new Signer(pool -> usable.getAsBoolean(), pool -> capacityPerSecond.getAsDouble());
    }
  }

  /** Makes an empty line. */
  public Admission(Terms terms, Signer signer, Ticker ticker, RandomGenerator random) {
    this.signer = signer;
    this.ticker = ticker;
    this.retryAfter = new RetryAfter(random);
    this.lines =
        new PoolLines(
            new SignerQueue.Places(terms.placesMax()), signer, retryAfter, ticker.nanoTime());
    this.quotas = terms.quota().map(Quotas::new);
  }

  /** Makes an empty line without quotas, over one signer that reports no capacity. */
  public Admission(
      int placesMax, BooleanSupplier signerUsable, Ticker ticker, RandomGenerator random) {
    this(
        new Terms(placesMax, Optional.empty()),
        Signer.ofOne(signerUsable, () -> 0),
        ticker,
        random);
  }

  /** Takes a place for ordinary work, where everything is signed in one place. */
  public AdmissionDecision.OfLine admit(Lane lane, RequesterId requester, Deadline deadline) {
    return admit(lane, requester, SigningCost.ORDINARY, deadline);
  }

  /**
   * Takes a place, or says why there is none and when to come back.
   *
   * @param lane as the server assigns it; {@link Lane#STATUS} is the node's own work and finds a
   *     place whatever the load
   */
  public AdmissionDecision.OfLine admit(
      Lane lane, RequesterId requester, SigningCost work, Deadline deadline) {
    return admit(lane, requester, work, deadline, true);
  }

  /**
   * The same for an order, which does not come back when it is refused: it gets no retry slot, and
   * the wait in the refusal means nothing.
   */
  public AdmissionDecision.OfLine admitOrder(
      Lane lane, RequesterId requester, SigningCost work, Deadline deadline) {
    return admit(lane, requester, work, deadline, false);
  }

  private AdmissionDecision.OfLine admit(
      Lane lane, RequesterId requester, SigningCost work, Deadline deadline, boolean comesBack) {
    boolean usable = signer.usable().test(work.pool());
    double cost = work.cost();
    lock.lock();
    try {
      long now = ticker.nanoTime();
      if (draining) {
        return new Shed(Cause.DRAINING, Duration.ofSeconds(1), Optional.empty());
      }
      SignerQueue pool = lines.asked(work.pool(), now);
      if (!usable) {
        return new Shed(
            Cause.SIGNER_LOST, retryAfter.signerLost(pool.lostSeconds(now)), Optional.empty());
      }
      pool.signerIsThere();
      Lanes lanes = pool.lanes;
      PriorityClassQueue line = lanes.line(lane);
      Share share = pool.requesters.asks(requester, lane, now);
      double workPerSecond = lanes.workPerSecond(line, now);
      if (comesBack) {
        line.asked(now, cost);
      }
      if (lane != Lane.STATUS) {
        Optional<Shed> overQuota = overQuota(requester, now);
        if (overQuota.isPresent()) {
          // Who is over its quota comes back to that, whatever the lane's load is.
          return overQuota.get();
        }
        AdmissionPolicy.Asking asking =
            new AdmissionPolicy.Asking(line, share, cost, now, workPerSecond);
        Optional<Shed> shed =
            comesBack
                ? pool.refusals.of(asking, deadline)
                : pool.refusals.ofOrder(asking, deadline);
        if (shed.isPresent()) {
          if (comesBack) {
            line.refused(now, shed.get().retryAfter().toNanos());
          }
          return shed.get();
        }
      }
      if (!comesBack) {
        line.asked(now, cost);
      }
      quotas.ifPresent(all -> all.use(requester, now));
      return enter(pool, lane, share, cost, now);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private LinePermit enter(SignerQueue pool, Lane lane, Share share, double cost, long now) {
    share.take(lane, cost);
    LinePermit place = new LinePermit(this, pool, lane, share, cost, now);
    pool.lanes.enter(pool.lanes.line(lane), place, now);
    return place;
  }

  /** Returns how many signing pools have a line, 65 at most. */
  int pools() {
    lock.lock();
    try {
      return lines.count();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private Optional<Shed> overQuota(RequesterId requester, long now) {
    if (quotas.isEmpty()) {
      return Optional.empty();
    }
    OptionalDouble seconds = quotas.get().refusedFor(requester, now);
    Quota quota = quotas.get().quota();
    return seconds.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Shed(
                Cause.OVER_QUOTA,
                retryAfter.notBefore(seconds.getAsDouble()),
                Optional.of(new Limit(quota.requests(), quota.window()))));
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
      Optional<Shed> overQuota = overQuota(requester, now);
      if (overQuota.isPresent()) {
        return overQuota.get();
      }
      if (parking >= PARKING_MAX) {
        return new Shed(Cause.SATURATED, PARKING_RETRY, Optional.empty());
      }
      quotas.ifPresent(all -> all.use(requester, now));
      parking++;
      return new BacklogPermit(this);
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
   * Returns how many orders the bulk lanes take now: as many as the fullest of the working signing
   * pools can take, because it is not known which pool will sign the next order. 0 while no pool
   * works or the node shuts down. An estimate: other requests may take the room meanwhile.
   */
  public int roomForOrders() {
    lock.lock();
    try {
      return draining ? 0 : lines.roomForOrders(ticker.nanoTime());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives a place of the bulk lane to an order that was taken out of the backlog: it was admitted
   * when it was requested, so it is never refused. The caller that takes orders must not exceed
   * {@link #roomForOrders}.
   */
  public LinePermit resume(RequesterId requester, SigningCost work) {
    lock.lock();
    try {
      long now = ticker.nanoTime();
      SignerQueue pool = lines.asked(work.pool(), now);
      // The node fetches orders itself, so they do not count as arrivals.
      Share share = pool.requesters.asks(requester, Lane.BULK, now);
      return enter(pool, Lane.BULK, share, work.cost(), now);
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

  /** Returns the places taken and their bound, and what the lines of all signing pools drain. */
  public Occupancy occupancy() {
    lock.lock();
    try {
      return lines.occupancy(ticker.nanoTime());
    } finally {
      lock.unlock();
    }
  }

  QueuePosition position(LinePermit place) {
    lock.lock();
    try {
      return place.line().lanes.position(place, ticker.nanoTime());
    } finally {
      lock.unlock();
    }
  }

  void release(LinePermit place, boolean completed) {
    lock.lock();
    try {
      place.share().giveBack(place.lane(), place.cost());
      Lanes lanes = place.line().lanes;
      lanes.leave(lanes.line(place.lane()), place, completed, ticker.nanoTime());
    } finally {
      lock.unlock();
    }
  }
}
