package org.sluiceca.api.enrollment.batch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.time.Ticker;

/**
 * Divides a request's body into lines, bounded in length, number and time. Blank lines are skipped,
 * but count. Not thread-safe; blocks as the stream does.
 */
final class BatchLines {

  /** As much as the body of a single request may have. */
  static final int LINE_OCTETS_MAX = CsrVerifier.CSR_BYTES_MAX;

  /** Of a line that is too long so much is read to find its end; what is longer is no NDJSON. */
  private static final int SKIPPED_OCTETS_MAX = 1 << 20;

  /** A day's work of a small CA, an hour's of a fast HSM's share; resumed in another request. */
  static final int LINES_MAX = 100_000;

  /** 64 KiB at 53 kbit/s, the speed of a telephone modem: as any body. */
  private static final Duration LINE_TIME_MAX = Duration.ofSeconds(10);

  private static final int BUFFER_OCTETS = 8_192;

  /** One line. */
  sealed interface Line {

    /** Returns which line it is, from 1. */
    int number();

    /**
     * A line with something in it.
     *
     * @param octets how many it had
     */
    record Text(int number, String text, int octets) implements Line {}

    /** A line that was skipped. */
    record TooLong(int number) implements Line {}

    /** A line whose octets are no UTF-8: what they mean is not known. */
    record NotUtf8(int number) implements Line {}
  }

  private final InputStream in;
  private final Ticker ticker;
  private final byte[] buffer = new byte[BUFFER_OCTETS];
  private int from;
  private int to;
  private byte[] line = new byte[BUFFER_OCTETS];
  private int number;

  BatchLines(InputStream in, Ticker ticker) {
    this.in = in;
    this.ticker = ticker;
  }

  /**
   * Returns the next line that is not blank; empty at the end of the body.
   *
   * @throws ProblemException if a bound is passed: nothing more can be read
   * @throws IOException if the body broke off
   */
  Optional<Line> next() throws IOException {
    while (true) {
      int length = readLine();
      if (length < 0) {
        return Optional.empty();
      }
      if (length > LINE_OCTETS_MAX) {
        return Optional.of(new Line.TooLong(number));
      }
      if (!isBlank(length)) {
        return Optional.of(decoded(length));
      }
    }
  }

  private Line decoded(int length) {
    try {
      CharBuffer text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line, 0, length));
      return new Line.Text(number, text.toString(), length);
    } catch (CharacterCodingException e) {
      return new Line.NotUtf8(number);
    }
  }

  /** Returns how many lines have been begun. */
  int count() {
    return number;
  }

  /** Returns the length of the line, of which at most the first 64 KiB are kept; -1 at the end. */
  private int readLine() throws IOException {
    int length = 0;
    long sinceNanos = 0;
    while (true) {
      if (from == to && !fill()) {
        if (length > 0) {
          begun();
        }
        return length > 0 ? length : -1;
      }
      if (length == 0) {
        sinceNanos = ticker.nanoTime();
      } else if (ticker.nanoTime() - sinceNanos > LINE_TIME_MAX.toNanos()) {
        throw new ProblemException(ProblemType.REQUEST_TIMEOUT, "a line was not complete in time");
      }
      int end = from;
      while (end < to && buffer[end] != '\n') {
        end++;
      }
      keep(length, end - from);
      length += end - from;
      boolean isEnd = end < to;
      from = isEnd ? end + 1 : end;
      if (isEnd) {
        begun();
        return length;
      }
      if (length > SKIPPED_OCTETS_MAX) {
        throw new ProblemException(ProblemType.BODY_TOO_LARGE, "a line is longer than 1 MiB");
      }
    }
  }

  private boolean fill() throws IOException {
    int read = in.read(buffer, 0, buffer.length);
    from = 0;
    to = Math.max(0, read);
    return to > 0;
  }

  private void begun() {
    if (number == LINES_MAX) {
      throw new ProblemException(
          ProblemType.BODY_TOO_LARGE, "a batch has at most " + LINES_MAX + " lines");
    }
    number++;
  }

  private void keep(int length, int more) {
    int kept = Math.min(more, LINE_OCTETS_MAX + 1 - Math.min(length, LINE_OCTETS_MAX + 1));
    if (kept <= 0) {
      return;
    }
    if (length + kept > line.length) {
      line = Arrays.copyOf(line, Math.min(LINE_OCTETS_MAX + 1, 2 * (length + kept)));
    }
    System.arraycopy(buffer, from, line, length, kept);
  }

  private boolean isBlank(int length) {
    for (int i = 0; i < length; i++) {
      if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r') {
        return false;
      }
    }
    return true;
  }
}
