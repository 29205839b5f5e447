package org.sluiceca.api.http.connector.pooled;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketBufferHandler;

/** Buffers that wait for a connection to need them, and the connections. Thread-safe. */
public final class BufferPool {

  /** Two cores turn to a few dozen connections at once; 64 sets of 66 KB are 4 MB. */
  private static final int SETS_MAX = 64;

  /** The largest TLS record, RFC 8446 5.2, with what the JDK adds for older ciphers. */
  private static final int RECORD_BYTES = 16_921;

  /** What such a record holds (RFC 8446 5.1), and Tomcat's buffer of a plain connection. */
  private static final int FRAGMENT_BYTES = 16_704;

  private static final int PLAIN_BYTES = 8_192;

  /**
   * What a connection needs to work: buffers of the network's side and of the application's.
   *
   * @param in from the network; empty, to be written into
   * @param out to the network; empty, to be read from
   */
  record BufferSet(SocketBufferHandler application, ByteBuffer in, ByteBuffer out) {

    static BufferSet of(int applicationBytes, int networkBytes) {
      return new BufferSet(
              new SocketBufferHandler(applicationBytes, applicationBytes, false),
              ByteBuffer.allocate(networkBytes),
              ByteBuffer.allocate(networkBytes))
          .emptied();
    }

    BufferSet emptied() {
      application.reset();
      in.clear();
      out.clear().limit(0);
      return this;
    }
  }

  private final Queue<BufferSet> sets = new ArrayBlockingQueue<>(SETS_MAX);
  private final int applicationBytes;
  private final int networkBytes;

  private BufferPool(int applicationBytes, int networkBytes) {
    this.applicationBytes = applicationBytes;
    this.networkBytes = networkBytes;
  }

  /** Returns a shelf for TLS connections. */
  public static BufferPool forTls() {
    return new BufferPool(FRAGMENT_BYTES, RECORD_BYTES);
  }

  /** Returns a shelf for connections without TLS. */
  public static BufferPool forPlain() {
    return new BufferPool(PLAIN_BYTES, 0);
  }

  /** Returns a connection of {@code endpoint} that borrows from here. */
  public NioChannel channel(NioEndpoint endpoint) {
    return networkBytes > 0
        ? new PooledTlsChannel(new LentBuffers(), endpoint, this)
        : new PooledChannel(new LentBuffers(), this);
  }

  BufferSet take() {
    BufferSet set = sets.poll();
    return set == null ? BufferSet.of(applicationBytes, networkBytes) : set;
  }

  /** Takes a set back; what one connection read is overwritten before another can read it. */
  void put(BufferSet set) {
    boolean kept = sets.offer(set.emptied());
    // A full shelf lets it go.
    assert kept || !sets.isEmpty();
  }
}
