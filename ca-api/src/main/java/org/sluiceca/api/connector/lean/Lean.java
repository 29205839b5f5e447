package org.sluiceca.api.connector.lean;

import org.apache.coyote.Processor;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/** A channel that has buffers only while it needs them. Used under its wrapper's lock. */
public sealed interface Lean permits LeanChannel, LeanTlsChannel {

  /** Borrows buffers, unless it has some. */
  void wake();

  /** Gives the buffers back, unless something is in them. */
  void rest();

  /** Returns whether it has buffers now: after a turn, because something is in them. */
  boolean isHolding();

  /** Returns when the connection was accepted, of {@link System#nanoTime}. */
  long acceptedNanos();

  /**
   * Returns whether nobody else uses the buffers: an asynchronous request runs without the lock.
   */
  static boolean mayRest(SocketWrapperBase<NioChannel> wrapper) {
    return !(wrapper.getCurrentProcessor() instanceof Processor processor && processor.isAsync());
  }

  /** Returns whether this thread works on a connection: Tomcat closes some from another. */
  static boolean isHeldHere(@Nullable SocketWrapperBase<NioChannel> wrapper) {
    return wrapper != null && wrapper.getLock().isHeldByCurrentThread();
  }
}
