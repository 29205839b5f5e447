package org.sluiceca.api.http.connector.pooled;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.Stream;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.NioEndpoint.NioSocketWrapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whose a connection's buffers are when it is closed. */
class LentBuffersTest {

  private static final int BYTES = 16;

  private final BufferPool.BufferSet buffers = BufferPool.BufferSet.of(BYTES, BYTES);

  private static Stream<BufferPool> shelves() {
    return Stream.of(BufferPool.forPlain(), BufferPool.forTls());
  }

  @ParameterizedTest
  @MethodSource("shelves")
  void close_byWhoWorksOnIt_lentAgain(BufferPool shelf) throws IOException {
    NioSocketWrapper connection = working(shelf);
    connection.getLock().lock();
    try {
      connection.getSocket().reset(null, null);
    } finally {
      connection.getLock().unlock();
    }

    assertThat(shelf.take()).isSameAs(buffers);
  }

  /** A thread may be in the middle of them: what it reads must not be another connection's. */
  @ParameterizedTest
  @MethodSource("shelves")
  void close_byAnother_neverLentAgain(BufferPool shelf) throws IOException {
    NioSocketWrapper connection = working(shelf);

    connection.getSocket().reset(null, null);

    assertThat(shelf.take()).isNotSameAs(buffers);
  }

  private NioSocketWrapper working(BufferPool shelf) throws IOException {
    shelf.put(buffers);
    NioEndpoint endpoint = new NioEndpoint();
    NioChannel channel = shelf.channel(endpoint);
    NioSocketWrapper connection = new NioSocketWrapper(channel, endpoint);
    channel.reset(null, connection);
    ((PooledBuffers) channel).acquireBuffers();
    return connection;
  }
}
