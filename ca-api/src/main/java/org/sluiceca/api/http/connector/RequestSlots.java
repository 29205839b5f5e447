package org.sluiceca.api.http.connector;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.http.connector.pooled.PooledBuffers;
import org.sluiceca.api.http.problem.ProblemType;

/**
 * Places for connections that are in a request, where each costs some 110 KB. Who finds none waits
 * before anything of the request is read, at the cost of a parked virtual thread. Thread-safe.
 */
final class RequestSlots {

  /** As long as a client may take for its head. */
  private static final long WAIT_SECONDS = 10;

  /** 10 s for the body, 30 s of waiting for a certificate, and the answer's way over a bad line. */
  static final long SLOT_NANOS_MAX = TimeUnit.SECONDS.toNanos(60);

  /** What is ahead has been waiting for ten seconds; so may the client. */
  private static final int RETRY_AFTER_SECONDS = 10;

  /** A refusal borrows buffers for less than a millisecond: 8 at once are half a megabyte. */
  private static final int REFUSALS_AT_ONCE = 8;

  private static final int SKIPPED_BYTES = 16_384;

  private static final Logger LOG = LoggerFactory.getLogger(RequestSlots.class);

  private final Semaphore places;
  private final Map<SocketWrapperBase<NioChannel>, Long> underWay = new ConcurrentHashMap<>();
  private final Semaphore refusals = new Semaphore(REFUSALS_AT_ONCE);

  RequestSlots(int max) {
    // Fair: who has waited for longest is next.
    places = new Semaphore(max, true);
  }

  /** Takes a place; returns false if there was none for so long, or the node is stopping. */
  boolean begin(SocketWrapperBase<NioChannel> connection) {
    if (!acquire(places)) {
      return false;
    }
    underWay.put(connection, System.nanoTime());
    return true;
  }

  void end(SocketWrapperBase<NioChannel> connection) {
    underWay.remove(connection);
    places.release();
  }

  /** Starts the time of a place again. */
  void prolong(SocketWrapperBase<NioChannel> connection) {
    underWay.computeIfPresent(connection, (open, since) -> System.nanoTime());
  }

  /** Returns who has a place for longer than {@link #SLOT_NANOS_MAX}: its client does not read. */
  List<SocketWrapperBase<NioChannel>> overdue(long now) {
    List<SocketWrapperBase<NioChannel>> overdue = new ArrayList<>();
    underWay.forEach(
        (connection, since) -> {
          if (now - since > SLOT_NANOS_MAX) {
            overdue.add(connection);
          }
        });
    return overdue;
  }

  /** Answers 503 and closes. Called under the connection's lock. */
  void refuse(SocketWrapperBase<NioChannel> connection) {
    if (connection.getSocket() instanceof PooledBuffers channel
        && connection.getSocket().isHandshakeComplete()
        && acquire(refusals)) {
      try {
        channel.acquireBuffers();
        answer(connection);
      } finally {
        refusals.release();
      }
    }
    connection.close();
  }

  private static boolean acquire(Semaphore semaphore) {
    try {
      return semaphore.tryAcquire(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void answer(SocketWrapperBase<NioChannel> connection) {
    try {
      // Closing over unread bytes would reset the connection before the answer is read.
      if (connection.read(false, ByteBuffer.allocate(SKIPPED_BYTES)) >= 0) {
        PlainAnswer.write(
            connection,
            ProblemType.SATURATED,
            "too many requests are under way at once",
            "Retry-After: " + RETRY_AFTER_SECONDS + "\r\n");
      }
    } catch (IOException e) {
      LOG.debug("no answer to a client that was refused: {}", e.getMessage());
    }
  }
}
