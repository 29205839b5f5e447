package org.sluiceca.client.http.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerHeadTest {
  private static final String OK = "HTTP/1.1 200 OK\r\n";

  @Test
  void read_interimAnswersFirst_theOneAfterThem() throws IOException {
    InputStream in = octets("HTTP/1.1 100 Continue\r\n\r\n" + OK + "Retry-After:  7 \r\n\r\nrest");

    AnswerHead head = AnswerHead.read(in);

    assertThat(head.status()).isEqualTo(200);
    assertThat(head.headers().firstValue("retry-after")).contains("7");
    assertThat(head.body(in).readAllBytes()).asString(StandardCharsets.US_ASCII).isEqualTo("rest");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "SSH-2.0-x\r\n\r\n", "HTTP/1.1 999 X\r\n\r\n", "HTTP/1.1 200 OK\r\n"})
  void read_noHttp_fails(String text) {
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> AnswerHead.read(octets(text)));
  }

  @Test
  void read_moreThanAHeadMayHave_fails() {
    fails("HTTP/1.1 100 Continue\r\n\r\n".repeat(8) + OK + "\r\n", "never begins");
    fails(OK + "A: b\r\n".repeat(100) + "\r\n", "more than 100 headers");
    fails(OK + "A: " + "b".repeat(8_192) + "\r\n\r\n", "too long");
    fails(OK + "no header\r\n\r\n", "cannot be read");
  }

  @Test
  void body_length_thatNumberOfOctets() throws IOException {
    assertThat(body("Content-Length: 3\r\n\r\nabcd")).isEqualTo("abc");
    assertThat(body("Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n")).isEqualTo("a");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 5\r\n\r\nabcd",
        "Content-Length: 100000\r\n\r\n",
        "Content-Length: -1\r\n\r\n",
        "Transfer-Encoding: gzip\r\n\r\n"
      })
  void body_brokenOffOrOfUnknownLength_fails(String text) {
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> body(text));
  }

  private static void fails(String text, String message) {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> AnswerHead.read(octets(text)))
        .withMessageContaining(message);
  }

  private static String body(String headersAndBody) throws IOException {
    InputStream in = octets(OK + headersAndBody);
    return new String(AnswerHead.read(in).body(in).readAllBytes(), StandardCharsets.US_ASCII);
  }

  private static InputStream octets(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
  }
}
