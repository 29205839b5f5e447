package org.sluiceca.core.admit.share;

import java.util.LinkedHashMap;
import java.util.Map;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;

/**
 * Those who ask at a signing pool, by when they last did. Those that hold a place are always known,
 * and they are fewer than the places; of the others the latest. Not thread-safe: step 1 guards it.
 */
public final class Requesters {

  /**
   * Some 300 bytes each. A forgotten requester only loses what its own earlier requests counted.
   */
  static final int KNOWN_MAX = 1_024;

  /** More need not be counted: of this many, each has little. Bounds the time under the lock. */
  public static final int COUNTED_MAX = 64;

  private final LinkedHashMap<RequesterId, Share> known = new LinkedHashMap<>();
  private final long wantsNanos;

  /**
   * Has no requester yet.
   *
   * @param wantsNanos for how long a requester that has asked still wants a place
   */
  public Requesters(long wantsNanos) {
    this.wantsNanos = wantsNanos;
  }

  /** Notes that {@code requester} asks for a place of {@code lane}. */
  public Share asks(RequesterId requester, Lane lane, long nowNanos) {
    Share share = known.get(requester);
    if (share == null) {
      share = new Share();
      forgetOne();
    }
    share.asks(lane, nowNanos);
    known.putLast(requester, share);
    return share;
  }

  /** Returns how many want places of {@code lane} now, up to 64. */
  public int wanting(Lane lane, long nowNanos) {
    int wanting = 0;
    for (Share share : known.sequencedValues().reversed()) {
      if (wanting == COUNTED_MAX) {
        break;
      }
      if (share.hasAsked(lane, nowNanos - wantsNanos)) {
        wanting++;
      }
    }
    return wanting;
  }

  int size() {
    return known.size();
  }

  private void forgetOne() {
    if (known.size() >= KNOWN_MAX) {
      known.entrySet().stream()
          .filter(e -> e.getValue().isIdle())
          .findFirst()
          .map(Map.Entry::getKey)
          .ifPresent(known::remove);
    }
  }
}
