package org.sluiceca.api.http.connector;

import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.coyote.Processor;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.sluiceca.api.http.connector.evict.EachConnection;
import org.sluiceca.api.http.connector.pooled.PooledBuffers;
import org.sluiceca.api.http.problem.ProblemType;

/**
 * Cuts connections whose TLS handshake or request head takes too long in all. Tomcat's
 * connectionTimeout begins again with each byte, so a client that sends one now and then would keep
 * its connection for hours. Run by one thread, again and again.
 */
final class SlowConnections implements Runnable {

  /** 16 KB at 53 kbit/s, the speed of a telephone modem, and a few round trips. */
  static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

  private final Supplier<? extends Collection<SocketWrapperBase<NioChannel>>> connections;
  private final LongSupplier nanoTime;

  SlowConnections(
      Supplier<? extends Collection<SocketWrapperBase<NioChannel>>> connections,
      LongSupplier nanoTime) {
    this.connections = connections;
    this.nanoTime = nanoTime;
  }

  @Override
  public void run() {
    EachConnection.of(connections.get(), this::look);
  }

  private void look(SocketWrapperBase<NioChannel> connection) {
    ReentrantLock lock = connection.getLock();
    // The thread that holds it works on the connection just now: the next look finds what is left.
    if (!lock.tryLock()) {
      return;
    }
    try {
      if (connection.isClosed() || !(connection.getSocket() instanceof PooledBuffers channel)) {
        return;
      }
      if (!connection.getSocket().isHandshakeComplete()) {
        if (isOver(channel.acceptedNanos())) {
          connection.close();
        }
      } else if (connection.getCurrentProcessor() instanceof Processor processor
          && !processor.isAsync()
          && processor.getRequest() != null
          && processor.getRequest().getStartTimeNanos() >= 0
          && isOver(processor.getRequest().getStartTimeNanos())) {
        // A processor stays with a connection without a thread only while a head is incomplete.
        channel.acquireBuffers();
        PlainAnswer.write(
            connection, ProblemType.REQUEST_TIMEOUT, "the headers were not complete in time", "");
        connection.close();
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isOver(long sinceNanos) {
    return nanoTime.getAsLong() - sinceNanos > NANOS_MAX;
  }
}
