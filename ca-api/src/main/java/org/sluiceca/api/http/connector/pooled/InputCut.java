package org.sluiceca.api.http.connector.pooled;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import org.apache.tomcat.util.net.NioChannel;
import org.slf4j.LoggerFactory;

/** Whether the input of a channel was cut, which is for good. Thread-safe. */
final class InputCut {

  /** The channel's own read. */
  @FunctionalInterface
  interface Read {
    int into(ByteBuffer buffer) throws IOException;
  }

  private volatile boolean isCut;

  /** Cuts the input of {@code channel}, and wakes a thread that waits for it. */
  void cut(NioChannel channel) {
    isCut = true;
    try {
      // The selector reports the end of the input; nothing but input or time wakes the reader.
      channel.getIOChannel().shutdownInput();
    } catch (IOException e) {
      LoggerFactory.getLogger(InputCut.class).debug("closed already: {}", e.getMessage());
    }
  }

  /**
   * Reads by {@code channel}, and returns what it returns.
   *
   * @throws SocketTimeoutException if the input was cut
   */
  int read(Read channel, ByteBuffer into) throws IOException {
    requireInput();
    int octets = channel.into(into);
    if (octets < 0) {
      // The cut may have come during the read: then the end of the input is not the client's.
      requireInput();
    }
    return octets;
  }

  private void requireInput() throws SocketTimeoutException {
    if (isCut) {
      throw new SocketTimeoutException("the input was cut");
    }
  }
}
