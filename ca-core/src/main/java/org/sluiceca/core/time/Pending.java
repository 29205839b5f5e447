package org.sluiceca.core.time;

import java.util.Optional;

/**
 * A result that is being made. One thread at a time waits for it; when that gives up, another may
 * go on.
 *
 * @param <T> the result
 */
@FunctionalInterface
public interface Pending<T> {

  /**
   * Blocks until the result is there or the time is over; empty says that the time is over. Not to
   * be called again once it has returned a result or thrown a failure; an interrupt leaves the
   * result as it is.
   */
  Optional<T> await(Deadline until) throws InterruptedException;
}
