package org.sluiceca.api.http.edge;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;

/**
 * An answer that leaves when it is over, with its length, in one record and one system call. Spring
 * flushes each answer behind its last byte, before it is known to be the last: Tomcat would send it
 * in chunks, and the chunk that ends them in a record of its own. What is too long for Tomcat's
 * buffer (8 KB) still leaves in chunks, and a stream that is flushed leaves at once.
 */
final class BufferedResponse extends HttpServletResponseWrapper {

  /** What may still come of the request. */
  @FunctionalInterface
  interface Rest {

    /** Whether something of the request's body is unread. */
    boolean isLeft() throws IOException;
  }

  private final Rest rest;

  BufferedResponse(HttpServletResponse response, Rest rest) {
    super(response);
    this.rest = rest;
  }

  /** Only where the rest of a body is read first: its client has the answer meanwhile. */
  @Override
  public void flushBuffer() throws IOException {
    if (rest.isLeft()) {
      super.flushBuffer();
    }
  }
}
