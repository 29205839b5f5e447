package org.sluiceca.api.http.connector;

import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.http.BodyWait;
import org.sluiceca.api.http.connector.evict.BodyWaits;
import org.sluiceca.api.http.connector.pooled.PooledBuffers;

/**
 * A connection whose request waits for its body.
 *
 * @param waits those of its port
 */
record ConnectionBody(
    BodyWaits<SocketWrapperBase<NioChannel>> waits, SocketWrapperBase<NioChannel> connection)
    implements BodyWait.Connection {

  @Override
  public void begin(BodyWait.Body body) {
    cutInput(waits.begin(connection, body));
  }

  @Override
  public void end() {
    waits.end(connection);
  }

  @Override
  public void cutInput() {
    cutInput(connection);
  }

  static void cutInput(@Nullable SocketWrapperBase<NioChannel> connection) {
    if (connection != null && connection.getSocket() instanceof PooledBuffers channel) {
      channel.cutInput();
    }
  }
}
