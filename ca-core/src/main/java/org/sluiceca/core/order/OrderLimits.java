package org.sluiceca.core.order;

/**
 * How many orders the backlog may hold. Nodes judge by what they last heard, so each may exceed
 * this by what it records meanwhile.
 *
 * @param perRequester 1 to 1,000,000,000
 * @param total at least {@code perRequester}
 */
public record OrderLimits(long perRequester, long total) {

  private static final long MAX = 1_000_000_000;

  public OrderLimits {
    if (perRequester < 1 || perRequester > MAX) {
      throw new IllegalArgumentException(
          "orders per requester: " + perRequester + ", not 1 to " + MAX);
    }
    if (total < perRequester || total > MAX) {
      throw new IllegalArgumentException(
          "orders in total: " + total + ", not " + perRequester + " to " + MAX);
    }
  }
}
