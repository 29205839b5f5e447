package org.sluiceca.api.edge;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.sluiceca.core.csr.CsrVerifier;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Bounds every request body at 64 KiB (CONTRACT: 413 above), by its declared length before a byte
 * is read, and by counting where none is declared; and in time, since the connector's timeout
 * begins anew with each byte.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
public final class BodyLimit extends OncePerRequestFilter {

  private static final long BYTES_MAX = CsrVerifier.CSR_BYTES_MAX;

  /** 64 KiB at 53 kbit/s, the speed of a telephone modem: a client that is slower is stuck. */
  private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(10);

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    chain.doFilter(new Limited(request), response);
  }

  private static final class Limited extends HttpServletRequestWrapper {

    Limited(HttpServletRequest request) {
      super(request);
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
      if (getContentLengthLong() > BYTES_MAX) {
        throw new BodyTooLargeException(BYTES_MAX);
      }
      return new Counting(super.getInputStream());
    }
  }

  private static final class Counting extends ServletInputStream {

    private final ServletInputStream in;
    private final long startNanos = System.nanoTime();
    private long left = BYTES_MAX;

    Counting(ServletInputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      int b = in.read();
      count(b < 0 ? 0 : 1);
      return b;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = in.read(bytes, offset, length);
      count(Math.max(0, read));
      return read;
    }

    private void count(int read) throws IOException {
      if (System.nanoTime() - startNanos > NANOS_MAX) {
        throw new BodyTooSlowException(NANOS_MAX);
      }
      left -= read;
      if (left < 0) {
        throw new BodyTooLargeException(BYTES_MAX);
      }
    }

    @Override
    public boolean isFinished() {
      return in.isFinished();
    }

    @Override
    public boolean isReady() {
      return in.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
      in.setReadListener(listener);
    }
  }
}
