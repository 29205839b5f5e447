package org.sluiceca.client.http.stream;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Status and headers of an answer (RFC 9112 4 and 5), and how long its body is.
 *
 * @param status 200 to 599: an interim answer is none
 * @param headers with names in lower case
 */
record AnswerHead(int status, HttpHeaders headers) {
  private static final int OK = 200;
  private static final int LINE_MAX = 8_192;
  private static final int HEADERS_MAX = 100;
  private static final int INTERIM_MAX = 8;
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([1-5][0-9]{2})( .*)?");
  private static final Pattern HEADER = Pattern.compile("([!-9;-~]{1,128}):[ \t]*(.*?)[ \t]*");

  /**
   * Reads up to the first octet of the body, over at most 8 interim answers (RFC 9110 15.2).
   *
   * @throws IOException if the connection breaks, or this is no HTTP
   */
  static AnswerHead read(InputStream in) throws IOException {
    for (int i = 0; i < INTERIM_MAX; i++) {
      Matcher status = STATUS.matcher(AnswerBody.line(in, LINE_MAX));
      if (!status.matches()) {
        throw new ProtocolException("the answer is not HTTP/1.1");
      }
      AnswerHead head = new AnswerHead(Integer.parseInt(status.group(1)), readHeaders(in));
      if (head.status >= OK) {
        return head;
      }
    }
    throw new ProtocolException("the answer never begins");
  }

  private static HttpHeaders readHeaders(InputStream in) throws IOException {
    Map<String, List<String>> headers = new HashMap<>();
    for (int i = 0; i < HEADERS_MAX; i++) {
      String line = AnswerBody.line(in, LINE_MAX);
      if (line.isEmpty()) {
        return HttpHeaders.of(headers, (name, value) -> true);
      }
      Matcher header = HEADER.matcher(line);
      if (!header.matches()) {
        throw new ProtocolException("a header of the answer cannot be read");
      }
      headers
          .computeIfAbsent(header.group(1).toLowerCase(Locale.ROOT), name -> new ArrayList<>())
          .add(header.group(2));
    }
    throw new ProtocolException("the answer has more than " + HEADERS_MAX + " headers");
  }

  /**
   * The body that follows in {@code in} (RFC 9112 6.3: chunks before a length, a length before the
   * end of the connection). One with a length is read here, whole.
   *
   * @throws IOException if the connection breaks, or the body is longer than 99,999 octets
   */
  InputStream body(InputStream in) throws IOException {
    String coding = headers.firstValue("Transfer-Encoding").orElse("");
    if (coding.equalsIgnoreCase("chunked")) {
      return new AnswerBody(in);
    }
    if (!coding.isEmpty()) {
      throw new ProtocolException("the answer has an unknown transfer coding");
    }
    String length = headers.firstValue("Content-Length").orElse("");
    return length.isEmpty() ? in : counted(in, length);
  }

  /** A problem is short; no answer that is streamed has a length. */
  private static InputStream counted(InputStream in, String length) throws IOException {
    if (!length.matches("[0-9]{1,5}")) {
      throw new ProtocolException("the answer is too long");
    }
    int octets = Integer.parseInt(length);
    byte[] body = in.readNBytes(octets);
    if (body.length < octets) {
      throw new EOFException("the answer broke off");
    }
    return new ByteArrayInputStream(body);
  }
}
