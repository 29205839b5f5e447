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

  private static final String HEAD = "HTTP/1.1 200 \r\nConnection: close\r\n\r\n";

  private final List<String> lines = new ArrayList<>();

  private int read(String answer) throws IOException {
    return BatchClient.read(
        new ByteArrayInputStream(answer.getBytes(StandardCharsets.US_ASCII)), lines::add);
  }

  @Test
  void read_lines_handedOverWhole() throws IOException {
    int status = read(HEAD + "{\"a\":1}\n{\"b\":2}\n");

    assertThat(status).isEqualTo(200);
    assertThat(lines).containsExactly("{\"a\":1}", "{\"b\":2}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "HTTP/1.1",
        "HTTP/1.1 200 \r\nConnection: close\r\n",
        HEAD + "{\"a\":",
        HEAD + "{1}\n{2"
      })
  void read_brokenOff_saidSo(String answer) {
    assertThatThrownBy(() -> read(answer)).isInstanceOf(IOException.class);
    assertThat(lines).doesNotContain("{2");
  }

  @Test
  void read_refused_nothingHandedOver() throws IOException {
    assertThat(read("HTTP/1.1 503 \r\nContent-Length: 4\r\n\r\n{1}\n")).isEqualTo(503);
    assertThat(lines).isEmpty();
  }
}
