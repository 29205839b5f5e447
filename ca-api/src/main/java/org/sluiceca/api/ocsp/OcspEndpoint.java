package org.sluiceca.api.ocsp;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.sluiceca.api.http.edge.BodyBrokenException;
import org.sluiceca.api.http.edge.BodyTooLargeException;
import org.sluiceca.api.http.edge.BodyTooSlowException;
import org.sluiceca.api.http.edge.Refusal;
import org.sluiceca.api.http.publish.EntityTags;
import org.sluiceca.api.http.publish.Preconditions;
import org.sluiceca.api.http.publish.Preconditions.Verdict;
import org.sluiceca.core.der.OcspRequestReader;
import org.sluiceca.core.der.OcspResponseStatus;
import org.sluiceca.core.der.OcspResponseWriter;
import org.sluiceca.core.ocsp.Reply;
import org.sluiceca.core.x509.OctetString;

/**
 * OCSP's two ways over HTTP: POST (RFC 6960 A.1) and GET with base64 in the path, which caches
 * understand (RFC 5019 5).
 *
 * <p>A filter and not a route: base64 has {@code /}, {@code //} and {@code %2F}, which the firewall
 * of all other paths refuses for good reasons and routing would take apart. No client is
 * authenticated here, and nothing behind it is reached by these paths.
 */
public final class OcspEndpoint implements Filter {

  private static final String PATH = "/ocsp";
  private static final String REQUEST = "application/ocsp-request";
  private static final String RESPONSE = "application/ocsp-response";

  private final OcspAnswers answers;
  private final InstantSource clock;
  private final Supplier<Duration> retryAfter;
  private final Refusal refusal;

  /**
   * Answers by {@code answers}.
   *
   * @param retryAfter the Retry-After of a client that finds too many requests before it
   */
  public OcspEndpoint(
      OcspAnswers answers, InstantSource clock, Supplier<Duration> retryAfter, Refusal refusal) {
    this.answers = answers;
    this.clock = clock;
    this.retryAfter = retryAfter;
    this.refusal = refusal;
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest http
        && response instanceof HttpServletResponse answer
        && (http.getRequestURI().equals(PATH) || http.getRequestURI().startsWith(PATH + "/"))) {
      serve(http, answer);
    } else {
      chain.doFilter(request, response);
    }
  }

  private void serve(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String path = request.getRequestURI().substring(PATH.length());
    List<String> methods = methods(path);
    if (!methods.contains(request.getMethod())) {
      response.setHeader("Allow", String.join(", ", methods));
      refusal.write(request, response, HttpServletResponse.SC_METHOD_NOT_ALLOWED);
    } else if (request.getMethod().equals("POST")) {
      post(request, response);
    } else {
      write(request, response, answers.answer(PathRequest.decode(path)), true);
    }
  }

  /**
   * Returns the methods that this very path takes (RFC 9110 15.5.6). Some relying parties end the
   * responder's URI with a slash of their own, so that path is both.
   */
  private static List<String> methods(String path) {
    return switch (path) {
      case "" -> List.of("POST");
      case "/" -> List.of("GET", "HEAD", "POST");
      default -> List.of("GET", "HEAD");
    };
  }

  private void post(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String type = request.getContentType();
    if (type == null || !type.toLowerCase(Locale.ROOT).startsWith(REQUEST)) {
      refusal.write(request, response, HttpServletResponse.SC_UNSUPPORTED_MEDIA_TYPE);
      return;
    }
    byte[] body;
    try {
      body = request.getInputStream().readNBytes(OcspRequestReader.BYTES_MAX + 1);
    } catch (BodyTooLargeException e) {
      refusal.write(request, response, HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE);
      return;
    } catch (BodyTooSlowException e) {
      refusal.write(request, response, HttpServletResponse.SC_REQUEST_TIMEOUT);
      return;
    } catch (BodyBrokenException e) {
      refusal.write(request, response, HttpServletResponse.SC_BAD_REQUEST);
      return;
    }
    write(request, response, answers.answer(body), false);
  }

  private void write(
      HttpServletRequest request, HttpServletResponse response, Reply reply, boolean isGet)
      throws IOException {
    OctetString body;
    switch (reply) {
      case Reply.Signed signed -> {
        body = signed.response();
        if (!signed.isReusable()) {
          response.setHeader("Cache-Control", "no-store");
        } else {
          String tag = EntityTags.of(body);
          writeValidators(response, signed, tag);
          Verdict verdict =
              // Not by date: two answers of one second, or of nodes whose clocks differ, are
              // ordered
              // by it wrongly, and the status may have changed between them.
              isGet ? Preconditions.judge(request, tag, Optional.empty()) : Verdict.PROCEED;
          if (verdict == Verdict.NOT_MODIFIED) {
            response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
            return;
          }
          if (verdict == Verdict.FAILED) {
            refusal.write(request, response, HttpServletResponse.SC_PRECONDITION_FAILED);
            return;
          }
        }
      }
      case Reply.Refused(OcspResponseStatus status) -> {
        body = OcspResponseWriter.unsuccessful(status);
        response.setHeader("Cache-Control", "no-store");
        if (status == OcspResponseStatus.TRY_LATER) {
          response.setHeader("Retry-After", Long.toString(retryAfter.get().toSeconds()));
        }
      }
    }
    response.setContentType(RESPONSE);
    response.setContentLength(body.length());
    if (!request.getMethod().equals("HEAD")) {
      response.getOutputStream().write(body.octets());
    }
  }

  /** Writes the headers that caches need (RFC 5019 6.2). */
  private void writeValidators(HttpServletResponse response, Reply.Signed answer, String tag) {
    Instant now = clock.instant();
    response.setDateHeader("Last-Modified", answer.thisUpdate().toEpochMilli());
    response.setDateHeader("Expires", answer.nextUpdate().toEpochMilli());
    response.setHeader("ETag", tag);
    response.setHeader(
        "Cache-Control",
        "max-age=" + answer.maxAge(now).toSeconds() + ",public,no-transform,must-revalidate");
  }
}
