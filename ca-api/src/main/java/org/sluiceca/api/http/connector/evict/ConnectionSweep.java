package org.sluiceca.api.http.connector.evict;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a periodic sweep over a port's connections, once a second, while any are open. Without
 * connections no thread wakes. Thread-safe.
 */
public final class ConnectionSweep {
  /*
   * Why no connection is missed: the connector counts a connection and then asks whether the sweep
   * rests; the sweep records that it rests and then counts again. So one of the two sees the other.
   */

  private static final Logger LOG = LoggerFactory.getLogger(ConnectionSweep.class);

  private final IntSupplier connections;
  private final List<Runnable> parts;
  private final Function<Runnable, Runnable> eachSecond;

  private final AtomicBoolean isResting = new AtomicBoolean(true);

  /** Ends the sweeps; null while there are none. Guarded by this. */
  private @Nullable Runnable end;

  /** Guarded by this. */
  private boolean isStopped = true;

  /**
   * Does nothing before {@link #start}.
   *
   * @param connections counts those that are open now
   * @param parts look at all of them, one after the other; what one throws is logged, and the next
   *     one runs
   * @param eachSecond runs what it is given each second from now on, and returns what ends that;
   *     neither may block
   */
  public ConnectionSweep(
      IntSupplier connections, List<Runnable> parts, Function<Runnable, Runnable> eachSecond) {
    this.connections = connections;
    this.parts = List.copyOf(parts);
    this.eachSecond = eachSecond;
  }

  /** The port is open. */
  public void start() {
    synchronized (this) {
      isStopped = false;
    }
    connected();
  }

  /** A connection may have been added. */
  public void connected() {
    if (isResting.get() && connections.getAsInt() > 0 && isResting.compareAndSet(true, false)) {
      begin();
    }
  }

  private synchronized void begin() {
    try {
      end = isStopped ? null : eachSecond.apply(this::step);
    } finally {
      isResting.set(end == null);
    }
  }

  private void step() {
    boolean isEmpty = connections.getAsInt() == 0;
    // Once more after the last connection: what it left is removed.
    parts.forEach(ConnectionSweep::run);
    if (isEmpty) {
      rest();
      connected();
    }
  }

  private static void run(Runnable part) {
    try {
      part.run();
    } catch (RuntimeException | Error e) {
      // The time limits of the port must not end with it: the next sweep comes in a second.
      LOG.error("a sweep over connections failed", e);
    }
  }

  private synchronized void rest() {
    if (end != null) {
      end.run();
      end = null;
      isResting.set(true);
    }
  }

  /** Runs {@code action} if there are sweeps now; they do not end meanwhile. */
  public synchronized void whileAwake(Runnable action) {
    if (end != null) {
      action.run();
    }
  }

  /** The port is closed: there are no more sweeps. */
  public synchronized void stop() {
    isStopped = true;
    rest();
  }
}
