package org.sluiceca.api.http.connector.evict;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Has something look at the connections of a port each second while there are any. Without them no
 * thread wakes. Thread-safe.
 */
public final class Patrol {
  /*
   * Why no connection is missed. A connection is counted and then the patrol asked whether it
   * rests; the patrol notes that it rests and then counts again. So one of the two sees the other.
   */

  private final IntSupplier connections;
  private final Runnable look;
  private final Function<Runnable, Runnable> eachSecond;

  private final AtomicBoolean isResting = new AtomicBoolean(true);

  /** Ends the looks; null while there are none. Guarded by this. */
  private @Nullable Runnable end;

  /** Guarded by this. */
  private boolean isStopped = true;

  /**
   * A patrol that does nothing before {@link #start}.
   *
   * @param connections counts those that are open now
   * @param look must not throw
   * @param eachSecond runs what it is given each second from now on, and returns what ends that;
   *     neither may block
   */
  public Patrol(IntSupplier connections, Runnable look, Function<Runnable, Runnable> eachSecond) {
    this.connections = connections;
    this.look = look;
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
    if (isStopped) {
      isResting.set(true);
    } else {
      end = eachSecond.apply(this::step);
    }
  }

  private void step() {
    boolean isEmpty = connections.getAsInt() == 0;
    // Once more after the last connection: what it left is removed.
    look.run();
    if (isEmpty) {
      rest();
      connected();
    }
  }

  private synchronized void rest() {
    if (end != null) {
      end.run();
      end = null;
      isResting.set(true);
    }
  }

  /** Runs {@code action} if there are looks now; they do not end meanwhile. */
  public synchronized void whileAwake(Runnable action) {
    if (end != null) {
      action.run();
    }
  }

  /** The port is closed: there are no more looks. */
  public synchronized void stop() {
    isStopped = true;
    rest();
  }
}
