package org.sluiceca.api.http.connector.pooled;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;
import org.jspecify.annotations.Nullable;

/** A plain connection, whose application buffers are lent. */
final class PooledChannel extends NioChannel implements PooledBuffers {

  private final LentBuffers application;
  private final BufferPool pool;
  private final long acceptedNanos = System.nanoTime();
  private final InputCut inputCut = new InputCut();
  private BufferPool.@Nullable BufferSet lent;

  PooledChannel(LentBuffers application, BufferPool pool) {
    super(application);
    this.application = application;
    this.pool = pool;
  }

  @Override
  public void acquireBuffers() {
    if (lent == null) {
      lent = pool.take();
      application.lend(lent.application());
    }
  }

  @Override
  public void releaseBuffers() {
    BufferPool.BufferSet set = lent;
    if (set != null && application.isEmpty()) {
      application.takeBack();
      lent = null;
      pool.put(set);
    }
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
      releaseBuffers();
    } else {
      // A thread may still work on them: they must not be another connection's.
      application.takeBack();
      lent = null;
    }
  }
}
