package org.sluiceca.hsm.isolate.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.sluiceca.hsm.pkcs11.Attribute;

/** A payload under construction. Owned by one thread. */
public final class FrameWriter {
  private static final int CAPACITY_FIRST = 256;

  private ByteBuffer buffer = ByteBuffer.allocate(CAPACITY_FIRST);

  private FrameWriter() {}

  /** A request with this number, by which its answer is known. */
  public static FrameWriter request(Operation operation, long number) {
    FrameWriter writer = new FrameWriter();
    writer.room(1 + Long.BYTES).put((byte) operation.code()).putLong(number);
    return writer;
  }

  /** The answer to the request with this number. */
  public static FrameWriter answer(Answer.Status status, long number) {
    FrameWriter writer = new FrameWriter();
    writer.room(1 + Long.BYTES).put((byte) status.code()).putLong(number);
    return writer;
  }

  /** The greeting: who connects proves by the secret that it was started by the one it greets. */
  public static FrameWriter hello(byte[] secret) {
    FrameWriter writer = new FrameWriter();
    writer.room(Wire.HELLO_BYTES).put((byte) Wire.VERSION).put(secret);
    return writer;
  }

  /** Appends 0 or 1. */
  public FrameWriter put(boolean value) {
    room(1).put((byte) (value ? 1 : 0));
    return this;
  }

  /** Appends eight bytes. */
  public FrameWriter put(long value) {
    room(Long.BYTES).putLong(value);
    return this;
  }

  /** Appends the length and the bytes. */
  public FrameWriter put(byte[] value) {
    room(Integer.BYTES + value.length).putInt(value.length).put(value);
    return this;
  }

  /** Appends UTF-8, cut at 1,024 bytes. */
  public FrameWriter put(String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    return put(utf8.length <= Wire.TEXT_BYTES_MAX ? utf8 : Arrays.copyOf(utf8, textEnd(utf8)));
  }

  /** Appends each as two bytes: a PIN never becomes a String. */
  public FrameWriter put(char[] value) {
    ByteBuffer to = room(Integer.BYTES + 2 * value.length).putInt(2 * value.length);
    for (char each : value) {
      to.putChar(each);
    }
    return this;
  }

  /** Appends how many there are, and each. */
  public FrameWriter put(long[] values) {
    ByteBuffer to = room(Integer.BYTES + Long.BYTES * values.length).putInt(values.length);
    for (long each : values) {
      to.putLong(each);
    }
    return this;
  }

  /**
   * Appends a template.
   *
   * @throws IllegalArgumentException when it has more than 32 attributes
   */
  public FrameWriter put(List<Attribute> template) {
    if (template.size() > Wire.TEMPLATE_MAX) {
      throw new IllegalArgumentException("a template of " + template.size() + " attributes");
    }
    room(Integer.BYTES).putInt(template.size());
    for (Attribute attribute : template) {
      put(attribute.type()).putValue(attribute.value());
    }
    return this;
  }

  /**
   * Appends an attribute's value with its kind.
   *
   * @throws IllegalArgumentException when it is no {@code Boolean}, {@code Long} or {@code byte[]}
   */
  public FrameWriter putValue(Object value) {
    return switch (value) {
      case Boolean claim -> octet(Wire.KIND_BOOLEAN).put(claim.booleanValue());
      case Long number -> octet(Wire.KIND_LONG).put(number.longValue());
      case byte[] bytes -> octet(Wire.KIND_BYTES).put(bytes);
      default ->
          throw new IllegalArgumentException("an attribute of type " + value.getClass().getName());
    };
  }

  /** Overwrites what was written: a frame that held a PIN leaves none behind. */
  public void wipe() {
    Arrays.fill(buffer.array(), (byte) 0);
  }

  /** The payload so far. */
  public byte[] payload() {
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  /** What was written so far, to be read from; shares the memory. */
  ByteBuffer written() {
    return buffer.duplicate().flip();
  }

  private FrameWriter octet(int value) {
    room(1).put((byte) value);
    return this;
  }

  /** Makes room; outgrown arrays are wiped, for they may hold the beginning of a PIN. */
  private ByteBuffer room(int bytes) {
    if (buffer.remaining() < bytes) {
      long needed = (long) buffer.position() + bytes;
      if (needed > Wire.FRAME_BYTES_MAX) {
        throw new IllegalArgumentException(
            "a frame of " + needed + " bytes exceeds " + Wire.FRAME_BYTES_MAX);
      }
      ByteBuffer larger = ByteBuffer.allocate((int) Math.min(Wire.FRAME_BYTES_MAX, 2 * needed));
      larger.put(written());
      wipe();
      buffer = larger;
    }
    return buffer;
  }

  /** Not within a character: UTF-8's later bytes are 10xxxxxx. */
  private static int textEnd(byte[] utf8) {
    int end = Wire.TEXT_BYTES_MAX;
    while (end > 0 && (utf8[end] & 0xC0) == 0x80) {
      end--;
    }
    return end;
  }
}
