package org.sluiceca.api.connector.lean;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;
import org.jspecify.annotations.Nullable;

/** A plain connection, whose application buffers are lent. */
final class LeanChannel extends NioChannel implements Lean {

  private final LentBuffers application;
  private final BufferShelf shelf;
  private final long acceptedNanos = System.nanoTime();
  private volatile boolean isInputCut;
  private BufferShelf.@Nullable BufferSet lent;

  LeanChannel(LentBuffers application, BufferShelf shelf) {
    super(application);
    this.application = application;
    this.shelf = shelf;
  }

  @Override
  public void wake() {
    if (lent == null) {
      lent = shelf.take();
      application.lend(lent.application());
    }
  }

  @Override
  public void rest() {
    BufferShelf.BufferSet set = lent;
    if (set != null && application.isEmpty()) {
      application.takeBack();
      lent = null;
      shelf.put(set);
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
    isInputCut = true;
    Lean.wakeReader(this);
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    if (isInputCut) {
      throw new SocketTimeoutException("the input was cut");
    }
    return super.read(into);
  }

  @Override
  public void reset(@Nullable SocketChannel channel, @Nullable NioSocketWrapper wrapper)
      throws IOException {
    boolean isMine = Lean.isHeldHere(socketWrapper);
    super.reset(channel, wrapper);
    if (isMine) {
      rest();
    } else {
      // Whoever works on them still does: they must not be another connection's.
      application.takeBack();
      lent = null;
    }
  }
}
