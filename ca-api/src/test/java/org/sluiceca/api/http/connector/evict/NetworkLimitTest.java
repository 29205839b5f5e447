package org.sluiceca.api.http.connector.evict;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With connections of one machine to itself, which are of one network. */
@Timeout(30)
class NetworkLimitTest {

  private final List<SocketChannel> channels = new ArrayList<>();
  private ServerSocketChannel port;

  @BeforeEach
  void open() throws IOException {
    port =
        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterEach
  void close() throws IOException {
    for (SocketChannel channel : channels) {
      channel.close();
    }
    port.close();
  }

  private SocketChannel accept() throws IOException {
    channels.add(SocketChannel.open(port.getLocalAddress()));
    SocketChannel accepted = port.accept();
    channels.add(accepted);
    return accepted;
  }

  @Test
  void isReached_fewerOpen_false_asMany_true() throws IOException {
    List<SocketChannel> open = List.of(accept(), accept());
    SocketChannel accepted = accept();

    assertThat(NetworkLimit.isReached(3, accepted, open)).isFalse();
    assertThat(NetworkLimit.isReached(2, accepted, open)).isTrue();
  }

  @Test
  void isReached_noLimit_false() throws IOException {
    assertThat(NetworkLimit.isReached(0, accept(), List.of(accept()))).isFalse();
  }

  @Test
  void isReached_closedOnes_notCounted() throws IOException {
    SocketChannel closed = accept();
    closed.close();

    assertThat(NetworkLimit.isReached(1, accept(), List.of(closed))).isFalse();
    assertThat(NetworkLimit.isReached(1, closed, List.of(accept()))).isFalse();
  }
}
