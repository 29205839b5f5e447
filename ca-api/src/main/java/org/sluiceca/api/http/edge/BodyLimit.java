package org.sluiceca.api.http.edge;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Optional;
import org.apache.coyote.CloseNowException;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.http.BodyWait;
import org.sluiceca.api.http.HttpSettings;
import org.sluiceca.api.http.RequestFilter;
import org.sluiceca.core.csr.CsrVerifier;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;

/**
 * Bounds every request body at 64 KiB (413 above), by its declared length before a byte is read,
 * and by counting where none is declared; and in time, since the connector's timeout begins again
 * with each byte. While a request waits for its body, its connection may be ended in favour of
 * others ({@link BodyWait}). What is left of a body that no handler read is read within the same
 * bounds after the answer: closing over unread bytes would reset the connection, and the answer
 * would be lost.
 *
 * <p>A body of lines ({@link #LINES_PATH}) is bounded by who reads them; here only what is left of
 * it.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
public final class BodyLimit extends RequestFilter {

  private static final long BYTES_MAX = CsrVerifier.CSR_BYTES_MAX;

  /** Set on a request that was authenticated. */
  private static final String REQUESTER = BodyLimit.class.getName() + ".credential";

  /** Whose lines are bounded, each as a body of its own, by who reads them. */
  public static final String LINES_PATH = "/v1/certificates:batch";

  private static final int DRAIN_BYTES = 4_096;

  private final Refusal refusal;

  /** 64 KiB in 10 s are 53 kbit/s, the speed of a telephone modem. */
  private final long nanosMax;

  public BodyLimit(Refusal refusal, HttpSettings settings) {
    this.refusal = refusal;
    this.nanosMax = settings.bodyTime().toNanos();
  }

  /** Gives the body of {@code request} the time and the places of authenticated requests. */
  public static void authenticated(HttpServletRequest request, String requester) {
    request.setAttribute(REQUESTER, requester);
  }

  @Override
  protected void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    Limited limited = new Limited(request);
    String coding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
    if (coding == null || coding.equalsIgnoreCase("identity")) {
      chain.doFilter(limited, new BufferedResponse(response, limited::hasRest));
    } else {
      // RFC 9110 15.5.16: a compressed body could unfold to any size.
      response.setHeader(HttpHeaders.ACCEPT_ENCODING, "identity");
      refusal.write(request, response, HttpServletResponse.SC_UNSUPPORTED_MEDIA_TYPE);
    }
    limited.drain(response);
  }

  private final class Limited extends HttpServletRequestWrapper {

    private @Nullable Counting body;
    private boolean isHandedOut;

    Limited(HttpServletRequest request) {
      super(request);
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
      if (getRequestURI().equals(LINES_PATH)) {
        isHandedOut = true;
        return super.getInputStream();
      }
      if (getContentLengthLong() > BYTES_MAX) {
        throw new BodyTooLargeException(BYTES_MAX);
      }
      if (body == null) {
        body = counting();
      }
      return body;
    }

    private Counting counting() throws IOException {
      Optional<String> requester =
          Optional.ofNullable(getAttribute(REQUESTER)).map(String::valueOf);
      return new Counting(super.getInputStream(), nanosMax, requester);
    }

    /** Whether there is a body that is not read to its end. */
    boolean hasRest() throws IOException {
      boolean hasBody =
          getContentLengthLong() > 0 || getHeader(HttpHeaders.TRANSFER_ENCODING) != null;
      return hasBody && !super.getInputStream().isFinished();
    }

    void drain(HttpServletResponse response) throws IOException {
      if (body != null && body.isSilent) {
        // Tomcat has made it 408 already and takes no answer of ours; without the exception, which
        // it would tell as 500, its answer leaves at once.
        removeAttribute(RequestDispatcher.ERROR_EXCEPTION);
        return;
      }
      // Who waits for 100 (Continue) has sent nothing, and asking for it would be a lie.
      boolean waits = body == null && !isHandedOut && getHeader(HttpHeaders.EXPECT) != null;
      if (waits || isAsyncStarted() || !hasRest()) {
        return;
      }
      if (body != null && body.isBroken) {
        return; // There is no rest: Tomcat closes the connection after the answer.
      }
      if (body != null && body.isTooSlow) {
        finish(response);
      }
      // The client has its answer, whatever becomes of the rest.
      response.flushBuffer();
      try {
        Counting rest = counting();
        byte[] bytes = new byte[DRAIN_BYTES];
        while (rest.read(bytes, 0, bytes.length) >= 0) {
          // It is not wanted.
        }
      } catch (IOException e) {
        removeAttribute(RequestDispatcher.ERROR_EXCEPTION);
        finish(response);
      }
    }

    /** Ends answer and connection: Tomcat would go on reading, without a bound in time. */
    private static void finish(HttpServletResponse response) throws IOException {
      response.setHeader(HttpHeaders.CONNECTION, "close");
      response.getOutputStream().close();
      throw new CloseNowException("the rest of the body is not wanted");
    }
  }

  private static final class Counting extends ServletInputStream {

    private final ServletInputStream in;
    private final long nanosMax;
    private final Optional<String> requester;
    private final long startNanos = System.nanoTime();
    private long left = BYTES_MAX;
    private boolean isBroken;
    private boolean isTooSlow;
    private boolean isSilent;

    Counting(ServletInputStream in, long nanosMax, Optional<String> requester) {
      this.in = in;
      this.nanosMax = nanosMax;
      this.requester = requester;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (isTooSlow) {
        // A second read must not wait again.
        throw new BodyTooSlowException(nanosMax);
      }
      boolean waits = !in.isFinished() && in.available() <= 0;
      if (waits) {
        BodyWait.begin(new BodyWait.Body(requester, startNanos, BYTES_MAX - left));
      }
      int read;
      try {
        read = in.read(bytes, offset, length);
      } catch (IOException e) {
        // Silent, gone, or no chunks where chunks were announced: the client's doing, never ours.
        isBroken = true;
        if (isTimeout(e)) {
          isTooSlow = true;
          isSilent = true;
          // Or Tomcat would wait once more, for the rest.
          BodyWait.cutInput();
          throw new BodyTooSlowException(System.nanoTime() - startNanos);
        }
        throw new BodyBrokenException(e);
      } finally {
        if (waits) {
          BodyWait.end();
        }
      }
      count(Math.max(0, read));
      return read;
    }

    /** Tomcat reports it as the client's abort, caused by this. */
    private static boolean isTimeout(IOException e) {
      return e instanceof SocketTimeoutException || e.getCause() instanceof SocketTimeoutException;
    }

    private void count(int read) throws IOException {
      if (System.nanoTime() - startNanos > nanosMax) {
        isTooSlow = true;
        throw new BodyTooSlowException(nanosMax);
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
