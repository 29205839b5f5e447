package org.sluiceca.hsm.isolate.wire;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Frames over a connected stream socket: a length of four bytes, then the payload.
 *
 * <p>One thread at a time reads and one at a time writes, which the callers see to; closing is
 * thread-safe and ends both. An interrupt of a thread inside closes the channel too (java.nio). Its
 * buffers are its own and are overwritten behind each frame, since frames may hold a PIN.
 */
public final class FrameChannel implements Closeable {
  /** Some sixty frames of a signature; larger ones come in pieces. */
  private static final int BUFFER_BYTES = 16 * 1024;

  private final SocketChannel channel;

  // Owned by the reading thread: what was read and not yet given out, between position and limit.
  private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);

  // Owned by the writing thread; empty between two frames.
  private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER_BYTES);

  /** Over a connected channel in blocking mode, which it owns from now on. */
  public FrameChannel(SocketChannel channel) {
    this.channel = channel;
  }

  /**
   * The next payload; blocks until one is there.
   *
   * @throws EOFException when the other end is gone
   * @throws MalformedFrameException when the length is out of range
   * @throws IOException when the connection fails or is closed
   */
  public byte[] read() throws IOException {
    fill(Integer.BYTES);
    byte[] payload = new byte[checkLength(take(Integer.BYTES).getInt())];
    int done = 0;
    while (done < payload.length) {
      fill(1);
      int piece = Math.min(in.remaining(), payload.length - done);
      take(piece).get(payload, done, piece);
      done += piece;
      wipeBehind(piece);
    }
    return payload;
  }

  /**
   * Sends a payload; blocks while the other end does not read.
   *
   * @throws IOException when not all of it was sent: then the other end cannot have read it
   */
  public void write(FrameWriter frame) throws IOException {
    ByteBuffer payload = frame.written();
    out.putInt(payload.remaining());
    while (payload.hasRemaining() || out.position() > 0) {
      int piece = Math.min(out.remaining(), payload.remaining());
      out.put(payload.slice(payload.position(), piece));
      payload.position(payload.position() + piece);
      flush();
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  /**
   * Whether a frame may have this length.
   *
   * @throws MalformedFrameException when it may not
   */
  public static int checkLength(int length) throws MalformedFrameException {
    if (length < 1 || length > Wire.FRAME_BYTES_MAX) {
      throw new MalformedFrameException("a frame of " + length + " bytes");
    }
    return length;
  }

  private void flush() throws IOException {
    out.flip();
    int used = out.limit();
    try {
      while (out.hasRemaining()) {
        int _ = channel.write(out);
      }
    } finally {
      out.clear();
      wipe(out, 0, used);
    }
  }

  /** Makes sure that this many bytes can be taken; at most as many as a length has. */
  private void fill(int bytes) throws IOException {
    while (in.remaining() < bytes) {
      in.compact();
      int read;
      try {
        read = channel.read(in);
      } finally {
        in.flip();
      }
      if (read < 0) {
        throw new EOFException("the other end is gone");
      }
    }
  }

  private ByteBuffer take(int bytes) {
    ByteBuffer taken = in.slice(in.position(), bytes);
    in.position(in.position() + bytes);
    return taken;
  }

  private void wipeBehind(int bytes) {
    wipe(in, in.position() - bytes, in.position());
  }

  private static void wipe(ByteBuffer buffer, int from, int to) {
    for (int i = from; i < to; i++) {
      buffer.put(i, (byte) 0);
    }
  }
}
