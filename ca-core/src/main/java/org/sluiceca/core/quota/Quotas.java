package org.sluiceca.core.quota;

import java.util.LinkedHashMap;
import java.util.OptionalDouble;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.throughput.RetryScheduler;

/** What each requester has used of its quota. Not thread-safe. */
public final class Quotas {

  /**
   * Some 100 bytes each. A forgotten requester, the one that used nothing for longest, has it
   * whole.
   */
  static final int KNOWN_MAX = 1_024;

  private final Quota quota;
  private final LinkedHashMap<RequesterId, Used> known = new LinkedHashMap<>();

  /** Of one requester. */
  private static final class Used {

    /** When its quota would be whole again, if that is to come. */
    private long wholeAt;

    /** Its retry slots at the quota's rate. */
    private final RetryScheduler room;

    Used(long nowNanos) {
      this.wholeAt = nowNanos;
      this.room = new RetryScheduler(nowNanos);
    }
  }

  /** Starts with the whole quota for every requester. */
  public Quotas(Quota quota) {
    this.quota = quota;
  }

  /** Returns what each may have. */
  public Quota quota() {
    return quota;
  }

  /**
   * Returns the seconds after which {@code requester} may come again, with a slot of its own for
   * each refused request; empty if it may have one more now.
   */
  public OptionalDouble refusedFor(RequesterId requester, long nowNanos) {
    Used used = known.get(requester);
    if (used == null) {
      return OptionalDouble.empty();
    }
    double toNext = (used.wholeAt - nowNanos + quota.costNanos() - quota.window().toNanos()) / 1e9;
    return toNext <= 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(
            Math.max(toNext, used.room.next(nowNanos, 0, quota.requests(), quota.perSecond())));
  }

  /** Counts a request that was admitted. */
  public void use(RequesterId requester, long nowNanos) {
    Used used = known.get(requester);
    if (used == null) {
      used = new Used(nowNanos);
      if (known.size() >= KNOWN_MAX) {
        known.pollFirstEntry();
      }
    }
    long whole = used.wholeAt - nowNanos > 0 ? used.wholeAt : nowNanos;
    used.wholeAt = whole + quota.costNanos();
    known.putLast(requester, used);
  }

  /** Returns how many requesters are remembered, 1,024 at most. */
  int size() {
    return known.size();
  }
}
