package org.sluiceca.api.enrollment.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;

class BatchLinesTest {

  private long nanos;

  @Test
  void next_linesOfAllKinds_numberedAndDivided() throws IOException {
    assertThat(all("a\nbc\r\n\n \t\r\nd")).containsExactly("1:a", "2:bc\r", "5:d");
    assertThat(all("")).isEmpty();
    assertThat(all("\n")).isEmpty();
    assertThat(all("a\n")).containsExactly("1:a");
  }

  /** However the octets come in pieces, the lines are the same. */
  @Test
  void next_anyDivisionIntoReads_sameLines() throws IOException {
    for (int seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      StringBuilder text = new StringBuilder();
      List<String> expected = new ArrayList<>();
      for (int number = 1; number <= 12; number++) {
        String line = "x".repeat(random.nextInt(4) == 0 ? random.nextInt(20_000) : 3);
        text.append(line).append('\n');
        if (!line.isEmpty()) {
          expected.add(number + ":" + line);
        }
      }
      InputStream in = new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8));
      assertThat(all(new Pieces(in, random))).isEqualTo(expected);
    }
  }

  @Test
  void next_lineOverItsLimit_skippedAndTheNextIsWhole() throws IOException {
    int max = BatchLines.LINE_OCTETS_MAX;

    assertThat(all("x".repeat(max) + "\n" + "y".repeat(max + 1) + "\nz\n"))
        .containsExactly("1:" + "x".repeat(max), "2:too long", "3:z");
    assertThat(all("y".repeat(max + 1))).containsExactly("1:too long");
  }

  @Test
  void next_noLineFeedInAMebibyte_ends() {
    assertEnds(ProblemType.BODY_TOO_LARGE, new ByteArrayInputStream(new byte[1_100_000]));
  }

  @Test
  void next_linesWithoutEnd_ends() {
    assertEnds(
        ProblemType.BODY_TOO_LARGE,
        new InputStream() {
          @Override
          public int read() {
            return '\n';
          }
        });
  }

  @Test
  void next_lineThatDripsIn_ends() {
    assertEnds(
        ProblemType.REQUEST_TIMEOUT,
        new InputStream() {
          @Override
          public int read() {
            return 'x';
          }

          @Override
          public int read(byte[] bytes, int offset, int length) {
            nanos += TimeUnit.SECONDS.toNanos(1);
            bytes[offset] = 'x';
            return 1;
          }
        });
  }

  /** Time between lines is the line's own: it was not read on for so long. */
  @Test
  void next_longPausesBetweenLines_noMatter() throws IOException {
    BatchLines lines = lines(new ByteArrayInputStream("a\nb\n".getBytes(StandardCharsets.UTF_8)));
    assertThat(lines.next()).isPresent();
    nanos += TimeUnit.HOURS.toNanos(1);

    assertThat(lines.next().map(BatchLines.Line::number)).contains(2);
    assertThat(lines.count()).isEqualTo(2);
  }

  @Test
  void next_lineThatIsNotUtf8_saidAndTheOthersRead() throws IOException {
    byte[] octets = "a\n?b\nc".getBytes(StandardCharsets.UTF_8);
    octets[2] = (byte) 0xFE;

    assertThat(all(new ByteArrayInputStream(octets))).containsExactly("1:a", "2:not UTF-8", "3:c");
  }

  private void assertEnds(ProblemType type, InputStream in) {
    BatchLines lines = lines(in);
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(
            () -> {
              while (lines.next().isPresent()) {
                // Only the end matters.
              }
            })
        .satisfies(e -> assertThat(e.type()).isEqualTo(type));
  }

  private BatchLines lines(InputStream in) {
    return new BatchLines(in, () -> nanos);
  }

  private List<String> all(String text) throws IOException {
    return all(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  private List<String> all(InputStream in) throws IOException {
    BatchLines lines = lines(in);
    List<String> all = new ArrayList<>();
    for (Optional<BatchLines.Line> line = lines.next(); line.isPresent(); line = lines.next()) {
      all.add(
          switch (line.get()) {
            case BatchLines.Line.TooLong(int number) -> number + ":too long";
            case BatchLines.Line.NotUtf8(int number) -> number + ":not UTF-8";
            case BatchLines.Line.Text(int number, String text, int octets) -> number + ":" + text;
          });
    }
    return all;
  }

  /** Gives at most a few octets at a time. */
  private static final class Pieces extends InputStream {

    private final InputStream in;
    private final SplittableRandom random;

    Pieces(InputStream in, SplittableRandom random) {
      this.in = in;
      this.random = random;
    }

    @Override
    public int read() throws IOException {
      return in.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return in.read(bytes, offset, Math.min(length, random.nextInt(1, 5_000)));
    }
  }
}
