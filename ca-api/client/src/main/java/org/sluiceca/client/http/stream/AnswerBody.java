package org.sluiceca.client.http.stream;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.util.regex.Pattern;

/**
 * The body of an answer in chunks (RFC 9112 7.1): ends with the last chunk, and an end before that
 * is a failure. Extensions are skipped; trailers are not read. Not thread-safe.
 */
final class AnswerBody extends InputStream {
  private static final Pattern SIZE = Pattern.compile("[0-9a-fA-F]{1,7}");
  private static final int LINE_MAX = 1024;
  private static final int HEXADECIMAL = 16;

  private final InputStream in;
  private int left;
  private boolean isFirst = true;
  private boolean isOver;

  AnswerBody(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (left == 0 && !isOver) {
      nextChunk();
    }
    if (isOver) {
      return -1;
    }
    int read = in.read(buffer, offset, Math.min(length, left));
    if (read < 0) {
      throw new EOFException("the answer broke off");
    }
    left -= read;
    return read;
  }

  private void nextChunk() throws IOException {
    if (!isFirst && !line(in, LINE_MAX).isEmpty()) {
      throw new ProtocolException("a chunk of the answer is longer than it says");
    }
    isFirst = false;
    String size = line(in, LINE_MAX).split("[; \t]", 2)[0];
    if (!SIZE.matcher(size).matches()) {
      throw new ProtocolException("a chunk of the answer has no size");
    }
    left = Integer.parseInt(size, HEXADECIMAL);
    isOver = left == 0;
  }

  /** A line of HTTP without its end, CRLF or LF, of at most {@code most} octets. */
  static String line(InputStream in, int most) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int octet = in.read(); octet != '\n'; octet = in.read()) {
      if (octet < 0) {
        throw new EOFException("the answer broke off");
      }
      if (line.length() == most) {
        throw new ProtocolException("a line of the answer's head is too long");
      }
      line.append((char) octet);
    }
    int end = line.length() - 1;
    return end >= 0 && line.charAt(end) == '\r' ? line.substring(0, end) : line.toString();
  }
}
