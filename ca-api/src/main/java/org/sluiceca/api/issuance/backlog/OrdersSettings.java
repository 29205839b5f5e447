package org.sluiceca.api.issuance.backlog;

import org.sluiceca.core.order.OrderLimits;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The backlog's bounds, as they are written.
 *
 * @param perRequester orders of one requester that may wait, 1 to 1,000,000,000
 * @param total orders that may wait in all, at least {@code perRequester}. An order takes some 2 KB
 *     of the database, its intent included
 */
public record OrdersSettings(
    @DefaultValue("100000") long perRequester, @DefaultValue("5000000") long total) {

  /** Returns the bounds, checked. */
  public OrderLimits limits() {
    return new OrderLimits(perRequester, total);
  }
}
