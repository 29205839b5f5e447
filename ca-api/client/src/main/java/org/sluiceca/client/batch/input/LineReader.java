package org.sluiceca.client.batch.input;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;

/** Reads lines of bounded length from a stream. Not thread-safe; blocks as the stream does. */
public final class LineReader implements AutoCloseable {
  private static final int BUFFER = 8_192;

  private final InputStream in;
  private final int most;
  private final Duration limit;
  private final byte[] buffer = new byte[BUFFER];
  private int from;
  private int to;
  private boolean skips;

  /** A line is longer than it may be. The reader goes on with the next one. */
  public static final class TooLongException extends IOException {
    @Serial private static final long serialVersionUID = 1;

    TooLongException(int most) {
      super("a line is longer than " + most + " octets");
    }
  }

  /**
   * Reads from {@code in}.
   *
   * @param most the octets of a line, without its end
   * @param limit how long one line may take
   */
  public LineReader(InputStream in, int most, Duration limit) {
    this.in = in;
    this.most = most;
    this.limit = limit;
  }

  /**
   * The next line without its line feed; empty at the end of the stream.
   *
   * @throws TooLongException if the line is too long; it is skipped
   * @throws SocketTimeoutException if the line takes too long
   */
  public Optional<byte[]> next() throws IOException {
    long begun = System.nanoTime();
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (true) {
      if (from == to) {
        if (System.nanoTime() - begun > limit.toNanos()) {
          throw new SocketTimeoutException("a line takes too long");
        }
        if (!fill()) {
          return line.size() == 0 ? Optional.empty() : Optional.of(line.toByteArray());
        }
      }
      int end = from;
      while (end < to && buffer[end] != '\n') {
        end++;
      }
      boolean isWhole = end < to;
      if (!skips) {
        if (line.size() + end - from > most) {
          skips = true;
          throw new TooLongException(most);
        }
        line.write(buffer, from, end - from);
      }
      from = isWhole ? end + 1 : end;
      if (isWhole && !skips) {
        return Optional.of(line.toByteArray());
      }
      skips &= !isWhole;
    }
  }

  private boolean fill() throws IOException {
    int read = in.read(buffer, 0, buffer.length);
    from = 0;
    to = Math.max(0, read);
    return to > 0;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
