package org.sluiceca.api.issuance;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.SigningPool;

/**
 * The clients that wait for their certificate, each on a connection in a request, of which the node
 * bears a limited number. They leave room for requests that wait for no token: otherwise a token
 * that is busy or hangs would hold all requests in progress, and the next client would wait for a
 * refusal, on a connection whose handshake is not answered. Those of one signing pool leave room
 * for those of the others too, and those of one requester for the first of another. Thread-safe;
 * never blocks.
 */
public final class WaitBulkhead {

  /**
   * A signing pool's may wait while they are fewer than three times those that still may: three
   * quarters for one alone. The rest of a node's requests in progress is for all that waits for no
   * token.
   */
  private static final int SHARE_OF_FREE = 3;

  /** The first client of a requester may wait beyond that, until an eighth of all is left. */
  private static final int LEFT_BY_FIRST = 8;

  private record Source(SigningPool pool, RequesterId requester) {}

  private final int max;
  private final Object lock = new Object();

  /** Of signing pools whose clients wait, so no more than those. */
  @GuardedBy("lock")
  private final Map<SigningPool, Integer> waiting = new HashMap<>();

  /** Of requesters whose clients wait: no more than {@link #all}. */
  @GuardedBy("lock")
  private final Map<Source, Integer> byRequester = new HashMap<>();

  @GuardedBy("lock")
  private int all;

  /**
   * No client waits.
   *
   * @param max requests that the node bears in progress at once, at least 1
   */
  public WaitBulkhead(int max) {
    if (max < 1) {
      throw new IllegalArgumentException("at most " + max + " clients, not 1 or more");
    }
    this.max = max;
  }

  /**
   * Lets a requester's client wait for a token of {@code pool}, until {@link #leave}; false if it
   * is to have its order's number at once.
   */
  public boolean enter(SigningPool pool, RequesterId requester) {
    Source source = new Source(pool, requester);
    synchronized (lock) {
      int own = waiting.getOrDefault(pool, 0);
      int free = Math.max(0, max - all);
      boolean isFirst = !byRequester.containsKey(source);
      if (own >= (long) SHARE_OF_FREE * free && !(isFirst && free > max / LEFT_BY_FIRST)) {
        return false;
      }
      int _ = waiting.merge(pool, 1, Integer::sum);
      int _ = byRequester.merge(source, 1, Integer::sum);
      all++;
      return true;
    }
  }

  /** Ends what {@link #enter} has begun. */
  public void leave(SigningPool pool, RequesterId requester) {
    synchronized (lock) {
      oneLess(waiting, pool);
      oneLess(byRequester, new Source(pool, requester));
      all--;
    }
  }

  private static <K> void oneLess(Map<K, Integer> counts, K key) {
    Integer _ = counts.computeIfPresent(key, (k, own) -> own == 1 ? null : own - 1);
  }
}
