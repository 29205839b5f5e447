package org.sluiceca.load.acme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class AnswerTest {

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(
        text.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1));
  }

  @Test
  void read_lengthAndThenAnother_leavesTheOther() throws IOException {
    InputStream in =
        stream("HTTP/1.1 201 Created\nContent-Length: 2\nReplay-Nonce: abc\n\n{}HTTP/1.1 204 \n\n");

    Answer first = Answer.read(in, false);
    Answer second = Answer.read(in, false);

    assertThat(first.status()).isEqualTo(201);
    assertThat(first.header("replay-nonce")).contains("abc");
    assertThat(first.json().isObject()).isTrue();
    assertThat(first.isLast()).isFalse();
    assertThat(second.status()).isEqualTo(204);
    assertThat(in.read()).isEqualTo(-1);
  }

  @Test
  void read_chunks_joinsThem() throws IOException {
    String head = "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nConnection: close\n\n";

    Answer answer = Answer.read(stream(head + "3\nabc\nA\n0123456789\n0\n\n"), false);

    assertThat(answer.body()).isEqualTo("abc0123456789");
    assertThat(answer.isLast()).isTrue();
  }

  @Test
  void read_head_hasNoBodyWhateverItsLength() throws IOException {
    Answer answer = Answer.read(stream("HTTP/1.1 200 OK\nContent-Length: 7\n\n"), true);

    assertThat(answer.body()).isEmpty();
  }

  @Test
  void read_cutOff_fails() {
    for (String text :
        new String[] {
          "",
          "HTTP/1.1 200 OK\nContent-Le",
          "HTTP/1.1 200 OK\nContent-Length: 7\n\nabc",
          "HTTP/1.1 200 OK\nContent-Length: 9999999\n\nabc",
          "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n3\nabcd",
          "SSH-2.0 200\n\n"
        }) {
      assertThatThrownBy(() -> Answer.read(stream(text), false)).isInstanceOf(IOException.class);
    }
  }
}
