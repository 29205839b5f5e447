package org.sluiceca.api.issuance;

import java.time.Duration;

/**
 * Whether and how long a client waits for its certificate.
 *
 * @param isOrder whether it does not wait, or not only: if the line has no place, its request goes
 *     into the backlog
 * @param longest after which it is answered with an order; 0 for at once
 * @param holdsRequest whether it waits on a connection, of which the node has a bounded number for
 *     requests in progress: the wait is cut to 0 where too many wait ({@link WaitBulkhead})
 */
public record Wait(boolean isOrder, Duration longest, boolean holdsRequest) {

  public Wait {
    if (longest.isNegative()) {
      throw new IllegalArgumentException("a wait of " + longest);
    }
  }

  /** A client on a connection. */
  public static Wait ofClient(boolean isOrder, Duration longest) {
    return new Wait(isOrder, longest, true);
  }

  /** A caller on a thread of its own, whose number the caller bounds. */
  public static Wait ofNode(Duration longest) {
    return new Wait(false, longest, false);
  }

  /** A client that does not wait. */
  public static Wait none() {
    return new Wait(true, Duration.ZERO, false);
  }
}
