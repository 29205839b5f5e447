package org.sluiceca.api.connector;

import java.nio.ByteBuffer;
import org.apache.tomcat.util.net.SocketBufferHandler;

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
