package org.sluiceca.api.http.connector.pooled;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.jspecify.annotations.Nullable;

/**
 * A TLS connection, whose four buffers are lent: Tomcat's would be 66 KB of heap for each
 * connection, busy or not.
 */
final class PooledTlsChannel extends SecureNioChannel implements PooledBuffers {

  private static final ByteBuffer NONE = ByteBuffer.allocate(0);

  private final LentBuffers application;
  private final BufferPool pool;
  private final long acceptedNanos = System.nanoTime();
  private final InputCut inputCut = new InputCut();
  private BufferPool.@Nullable BufferSet lent;

  PooledTlsChannel(LentBuffers application, NioEndpoint endpoint, BufferPool pool) {
    super(application, endpoint);
    this.application = application;
    this.pool = pool;
    netInBuffer = NONE;
    netOutBuffer = NONE;
  }

  @Override
  public void acquireBuffers() {
    if (lent == null) {
      lent = pool.take();
      netInBuffer = lent.in();
      netOutBuffer = lent.out();
      application.lend(lent.application());
    }
  }

  @Override
  public void releaseBuffers() {
    // The one is written into, the other read from, whenever no thread works on them.
    if (netInBuffer.position() == 0 && !netOutBuffer.hasRemaining() && application.isEmpty()) {
      giveBack();
    }
  }

  private void giveBack() {
    if (lent == null) {
      return;
    }
    BufferPool.BufferSet set = lent;
    // Tomcat puts larger ones in their place for a ClientHello that does not fit.
    boolean isWhole =
        netInBuffer.capacity() == set.in().capacity()
            && netOutBuffer.capacity() == set.out().capacity();
    forget();
    if (isWhole) {
      pool.put(set);
    }
  }

  private void forget() {
    application.takeBack();
    lent = null;
    netInBuffer = NONE;
    netOutBuffer = NONE;
  }

  @Override
  public boolean isHolding() {
    return lent != null;
  }

  @Override
  public long acceptedNanos() {
    return acceptedNanos;
  }

  @Override
  public void cutInput() {
    inputCut.cut(this);
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    return inputCut.read(super::read, into);
  }

  @Override
  public void reset(@Nullable SocketChannel channel, @Nullable NioSocketWrapper wrapper)
      throws IOException {
    boolean isMine = PooledBuffers.isHeldHere(socketWrapper);
    super.reset(channel, wrapper);
    if (isMine) {
      giveBack();
    } else {
      // A thread may still work on them: they must not be another connection's.
      forget();
    }
  }

  /** Closing writes the close_notify alert. */
  @Override
  public void close() throws IOException {
    acquireBuffers();
    super.close();
  }
}
