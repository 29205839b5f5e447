package org.sluiceca.client.batch.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LineReaderTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void next_linesOfEachLength_asTheyAre() throws IOException {
    LineReader lines = reader("abc\n\n" + "x".repeat(9_000) + "\nend", 9_000, MINUTE);

    assertThat(lines.next()).hasValue(octets("abc"));
    assertThat(lines.next()).hasValue(octets(""));
    assertThat(lines.next()).hasValue(octets("x".repeat(9_000)));
    assertThat(lines.next()).hasValue(octets("end"));
    assertThat(lines.next()).isEmpty();
  }

  @Test
  void next_lineTooLong_saidOnceAndTheNextIsRead() throws IOException {
    LineReader lines = reader("abcd\n" + "x".repeat(20_000) + "\nabc\nabcde", 3, MINUTE);

    for (int i = 0; i < 2; i++) {
      assertThatExceptionOfType(LineReader.TooLongException.class).isThrownBy(lines::next);
    }
    assertThat(lines.next()).hasValue(octets("abc"));
    assertThatExceptionOfType(LineReader.TooLongException.class).isThrownBy(lines::next);
    assertThat(lines.next()).isEmpty();
  }

  @Test
  void next_lineThatTakesTooLong_endsTheReading() {
    assertThatExceptionOfType(SocketTimeoutException.class)
        .isThrownBy(() -> reader("abc", 3, Duration.ofNanos(-1)).next());
  }

  private static LineReader reader(String text, int most, Duration limit) {
    return new LineReader(new ByteArrayInputStream(octets(text)), most, limit);
  }

  private static byte[] octets(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
