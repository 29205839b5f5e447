package org.sluiceca.api.fulfil;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;
import org.sluiceca.core.sign.Station;

/**
 * The clients that wait for their certificate, each on a connection in a request, of which the node
 * bears so many. They leave room for who waits for no token: a token that is busy or hangs would
 * else hold all requests in progress, and whoever came next would wait to be told that the line is
 * full, on a connection whose handshake nobody answers. Those of one station leave room for those
 * of the others too. Thread-safe; never blocks.
 */
public final class WaitingClients {

  /**
   * A station's may wait while they are fewer than three times those that still may: three quarters
   * for one alone. The rest of a node's requests in progress is for all that waits for no token.
   */
  private static final int SHARE_OF_FREE = 3;

  private final int max;
  private final Object lock = new Object();

  /** Of stations whose clients wait, so no more than those. */
  @GuardedBy("lock")
  private final Map<Station, Integer> waiting = new HashMap<>();

  @GuardedBy("lock")
  private int all;

  /**
   * Nobody waits.
   *
   * @param max requests that the node bears in progress at once, at least 1
   */
  public WaitingClients(int max) {
    if (max < 1) {
      throw new IllegalArgumentException("at most " + max + " clients, not 1 or more");
    }
    this.max = max;
  }

  /**
   * Lets a client wait for a token of {@code station}, until {@link #leave}; false if it is to have
   * its order's number at once.
   */
  public boolean enter(Station station) {
    synchronized (lock) {
      int own = waiting.getOrDefault(station, 0);
      if (own >= (long) SHARE_OF_FREE * Math.max(0, max - all)) {
        return false;
      }
      int ignored = waiting.merge(station, 1, Integer::sum);
      all++;
      return true;
    }
  }

  /** Ends what {@link #enter} has begun. */
  public void leave(Station station) {
    synchronized (lock) {
      Integer ignored = waiting.computeIfPresent(station, (s, own) -> own == 1 ? null : own - 1);
      all--;
    }
  }
}
