package org.sluiceca.api.http.connector;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.http.edge.RequestId;
import org.sluiceca.api.http.problem.FixedProblem;
import org.sluiceca.api.http.problem.ProblemType;

/** A problem as the last words on a connection, written without Tomcat's processor. */
final class PlainAnswer {

  private static final Logger LOG = LoggerFactory.getLogger(PlainAnswer.class);

  private PlainAnswer() {}

  /**
   * Writes as much as the socket takes at once: who does not read either gets no answer. Called
   * under the connection's lock, with buffers.
   *
   * @param header a line of its own with its line break, or nothing
   */
  static void write(
      SocketWrapperBase<NioChannel> connection, ProblemType type, String detail, String header) {
    String id = RequestId.fresh();
    byte[] body = FixedProblem.json(type, detail, id);
    String head =
        String.format(
            Locale.ROOT,
            "HTTP/1.1 %d \r\n%s: %s\r\n%sContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n",
            type.status(),
            RequestId.HEADER,
            id,
            header,
            FixedProblem.MEDIA_TYPE,
            body.length);
    try {
      connection.write(false, ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII)));
      connection.write(false, ByteBuffer.wrap(body));
      connection.flush(false);
    } catch (IOException e) {
      LOG.debug("no answer to a client whose connection ends: {}", e.getMessage());
    }
  }
}
