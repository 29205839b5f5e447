package org.sluiceca.load.day;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers to a batch, whole and broken off. */
class BatchClientTest {

  private static final String HEAD = "HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n";

  private final List<String> lines = new ArrayList<>();

  private int read(String answer) throws IOException {
    return BatchClient.read(
        new ByteArrayInputStream(answer.getBytes(StandardCharsets.US_ASCII)), lines::add);
  }

  @Test
  void read_linesOverChunks_handedOverWhole() throws IOException {
    int status = read(HEAD + "5\r\n{\"a\":\r\n6;x=y\r\n1}\n{\"b\r\n5\r\n\":2}\n\r\n0\r\n\r\n");

    assertThat(status).isEqualTo(200);
    assertThat(lines).containsExactly("{\"a\":1}", "{\"b\":2}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "5\r\n{\"a\":", "4\r\n{1}\n\r\n", "4\r\n{1}\n", "4\r\n{1}\n{2}\n\r\n0\r\n"})
  void read_brokenOff_saidSo(String body) {
    assertThatThrownBy(() -> read(HEAD + body)).isInstanceOf(IOException.class);
  }

  @Test
  void read_refused_nothingHandedOver() throws IOException {
    assertThat(read("HTTP/1.1 503 \r\nContent-Length: 4\r\n\r\n{1}\n")).isEqualTo(503);
    assertThat(lines).isEmpty();
  }
}
