package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Bytes sent as they are, where an HTTP client would refuse to send them. */
final class RawHttp {

  /** For the beginning of an answer: milliseconds, and whatever a busy machine adds. */
  private static final int ANSWER_MILLIS = 30_000;

  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 ([0-9]{3}) ");

  private RawHttp() {}

  /**
   * What came back until the connection ended or the patience was over.
   *
   * @param isClosed whether the node has closed the connection
   */
  record Reply(String text, boolean isClosed) {

    int status() {
      Matcher matcher = STATUS.matcher(text);
      assertThat(matcher.lookingAt()).as(toString()).isTrue();
      return Integer.parseInt(matcher.group(1));
    }

    /** The value of a header of the first answer; empty if there is none. */
    String header(String name) {
      String head = text.substring(0, Math.max(0, text.indexOf("\r\n\r\n")));
      return head.lines()
          .filter(
              line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":"))
          .map(line -> line.substring(name.length() + 1).strip())
          .findFirst()
          .orElse("");
    }

    /** Fails unless this is one answer, a problem of this status and type. */
    Reply isProblem(int expected, String type) {
      assertThat(status()).as(toString()).isEqualTo(expected);
      assertThat(header("Content-Type")).as(toString()).isEqualTo("application/problem+json");
      JsonNode problem =
          MAPPER.readTree(text.substring(text.indexOf('{'), text.lastIndexOf('}') + 1));
      assertThat(problem.path("type").asString()).as(toString()).endsWith(type);
      assertThat(problem.path("status").asInt()).isEqualTo(expected);
      assertThat(problem.path("requestId").asString())
          .as(toString())
          .isNotBlank()
          .isEqualTo(header("X-Request-Id"));
      assertThat(text).doesNotContain("Tomcat", "<html", "Exception", "springframework");
      return this;
    }
  }

  /**
   * Sends to an HTTPS or a plain port, by the scheme of {@code node}.
   *
   * @param patience how long to wait, once an answer has begun, to see that nothing more comes
   */
  static Reply send(URI node, @Nullable Path root, String request, Duration patience) {
    try (Socket socket = open(node, root)) {
      socket.setSoTimeout(ANSWER_MILLIS);
      try {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
      } catch (IOException e) {
        // Answered and closed before all of it was sent: the answer says more.
      }
      return read(socket, (int) patience.toMillis());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Socket open(URI node, @Nullable Path root) throws IOException {
    return root == null
        ? new Socket(node.getHost(), node.getPort())
        : Api.context(root).getSocketFactory().createSocket(node.getHost(), node.getPort());
  }

  /** Reads until the connection ends or its time is over. */
  static Reply read(Socket socket) {
    try {
      return read(socket, socket.getSoTimeout());
    } catch (SocketException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Reply read(Socket socket, int thenMillis) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    boolean isClosed = true;
    try {
      byte[] bytes = new byte[8_192];
      int read = socket.getInputStream().read(bytes);
      while (read >= 0) {
        all.write(bytes, 0, read);
        socket.setSoTimeout(thenMillis);
        read = socket.getInputStream().read(bytes);
      }
    } catch (SocketTimeoutException e) {
      isClosed = false;
    } catch (IOException e) {
      // Reset: closed as well.
    }
    return new Reply(all.toString(StandardCharsets.ISO_8859_1), isClosed);
  }
}
