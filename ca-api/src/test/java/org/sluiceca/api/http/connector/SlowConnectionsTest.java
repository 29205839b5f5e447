package org.sluiceca.api.http.connector;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.http.connector.pooled.BufferPool;

/** Connections in a handshake, without a port. */
class SlowConnectionsTest {

  private final BoundedEndpoint endpoint = new BoundedEndpoint();
  private final List<String> cut = new ArrayList<>();

  private SocketWrapperBase<NioChannel> connection(String name) {
    return new NioSocketWrapper(BufferPool.forTls().channel(endpoint), endpoint) {

      @Override
      public void close() {
        if (name.startsWith("bad")) {
          throw new IllegalStateException("planted");
        }
        cut.add(name);
      }
    };
  }

  private void look(long laterNanos) {
    List<SocketWrapperBase<NioChannel>> all =
        List.of(connection("first"), connection("bad"), connection("last"));
    new SlowConnections(() -> all, () -> System.nanoTime() + laterNanos).run();
  }

  @Test
  void run_handshakeTakesTooLong_closed_oneThatFailsStopsNoOther() {
    look(SlowConnections.NANOS_MAX + 1);

    assertThat(cut).containsExactly("first", "last");
  }

  @Test
  void run_handshakeIsYoung_left() {
    look(0);

    assertThat(cut).isEmpty();
  }
}
