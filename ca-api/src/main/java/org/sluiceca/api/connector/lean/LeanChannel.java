package org.sluiceca.api.connector.lean;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;
import org.jspecify.annotations.Nullable;

/** A plain connection, whose application buffers are lent. */
final class LeanChannel extends NioChannel implements Lean {

  private final LentBuffers application;
  private final BufferShelf shelf;
  private final long acceptedNanos = System.nanoTime();
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
    if (lent != null && application.isEmpty()) {
      application.takeBack();
      shelf.put(lent);
      lent = null;
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
  public void reset(@Nullable SocketChannel channel, @Nullable NioSocketWrapper wrapper)
      throws IOException {
    super.reset(channel, wrapper);
    rest();
  }
}
