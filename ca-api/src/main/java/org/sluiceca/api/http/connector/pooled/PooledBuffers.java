package org.sluiceca.api.http.connector.pooled;

import org.apache.coyote.Processor;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/** A channel that has buffers only while it needs them. Used under its wrapper's lock. */
public sealed interface PooledBuffers permits PooledChannel, PooledTlsChannel {

  /** Borrows buffers, unless it has some. */
  void acquireBuffers();

  /** Gives the buffers back, unless something is in them. */
  void releaseBuffers();

  /** Returns whether it has buffers now: after a turn, because something is in them. */
  boolean isHolding();

  /** Returns when the connection was accepted, of {@link System#nanoTime}. */
  long acceptedNanos();

  /**
   * Ends the input: a thread that waits for it fails at once, as if the connection had timed out,
   * and so does each later read. The answer can still be written. By any thread.
   */
  void cutInput();

  /**
   * Returns whether no other thread uses the buffers: an asynchronous request runs without the
   * lock.
   */
  static boolean mayReleaseBuffers(SocketWrapperBase<NioChannel> wrapper) {
    return !(wrapper.getCurrentProcessor() instanceof Processor processor && processor.isAsync());
  }

  /** Returns whether this thread works on a connection: Tomcat closes some from another. */
  static boolean isHeldHere(@Nullable SocketWrapperBase<NioChannel> wrapper) {
    return wrapper != null && wrapper.getLock().isHeldByCurrentThread();
  }
}
