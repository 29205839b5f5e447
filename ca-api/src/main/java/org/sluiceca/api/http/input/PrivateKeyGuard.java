package org.sluiceca.api.http.input;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/**
 * Refuses every body that holds a private key, before it is read as anything: nothing of it is
 * kept, logged or certified. Thread-safe.
 */
@ControllerAdvice
public final class PrivateKeyGuard extends RequestBodyAdviceAdapter {

  private static final String DETAIL =
      "the request holds a private key: it has left its holder and counts as exposed. Nothing was"
          + " issued, and nothing of it was kept. Make a new key, send its certification request"
          + " alone, and revoke what was issued for this key, with the reason keyCompromise";

  /**
   * Looks for a private key.
   *
   * @throws ProblemException if there is one
   */
  public static void check(byte[] octets) {
    if (PrivateKeys.isIn(octets)) {
      throw new ProblemException(ProblemType.PRIVATE_KEY_SENT, DETAIL);
    }
  }

  @Override
  public boolean supports(
      MethodParameter parameter,
      Type type,
      Class<? extends HttpMessageConverter<?>> converterType) {
    return true;
  }

  /** Reads the whole body, whose length is limited before. */
  @Override
  public HttpInputMessage beforeBodyRead(
      HttpInputMessage message,
      MethodParameter parameter,
      Type type,
      Class<? extends HttpMessageConverter<?>> converterType)
      throws IOException {
    byte[] body = read(message);
    check(body);
    return new Read(message.getHeaders(), body);
  }

  /**
   * Reads as many octets as the head announces: without the number Java makes room for 16 KB, more
   * than an enrollment's certificate and its request have together.
   */
  private static byte[] read(HttpInputMessage message) throws IOException {
    long announced = message.getHeaders().getContentLength();
    return announced < 0 || announced > Integer.MAX_VALUE
        ? message.getBody().readAllBytes()
        : message.getBody().readNBytes((int) announced);
  }

  /** A body that was read. */
  private static final class Read implements HttpInputMessage {

    private final HttpHeaders headers;
    private final byte[] octets;

    Read(HttpHeaders headers, byte[] octets) {
      this.headers = headers;
      this.octets = octets;
    }

    @Override
    public InputStream getBody() {
      return new ByteArrayInputStream(octets);
    }

    @Override
    public HttpHeaders getHeaders() {
      return headers;
    }
  }
}
