package org.sluiceca.api.http.connector.evict;

import java.util.Collection;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does the same to many connections. One that fails does not keep the others from it: those were
 * often taken out of a list of what is overdue, and would never be closed.
 */
public final class EachConnection {

  private static final Logger LOG = LoggerFactory.getLogger(EachConnection.class);

  private EachConnection() {}

  /**
   * Runs {@code action} for each connection. If it throws, that is logged once for all of them,
   * with the first cause: there may be ten thousand.
   */
  public static <C> void of(Collection<C> connections, Consumer<C> action) {
    int failed = 0;
    Throwable first = null;
    for (C connection : connections) {
      try {
        action.accept(connection);
      } catch (RuntimeException | Error e) {
        failed++;
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      LOG.error("a sweep failed at {} of {} connections", failed, connections.size(), first);
    }
  }
}
