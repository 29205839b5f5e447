package org.sluiceca.hsm.isolate.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sluiceca.hsm.pkcs11.Attribute;

/**
 * Reads a payload field by field, and refuses whatever is not exactly what a {@link FrameWriter}
 * writes: too short, too long, of an unknown kind, or followed by something. Owned by one thread.
 */
public final class FrameReader {
  private final byte[] payload;
  private final ByteBuffer rest;

  private FrameReader(byte[] payload) {
    this.payload = payload;
    this.rest = ByteBuffer.wrap(payload);
  }

  /** Reads this payload, which it owns from now on. */
  public static FrameReader of(byte[] payload) {
    return new FrameReader(payload);
  }

  /** The operation that a request begins with. */
  public Operation operation() throws MalformedFrameException {
    return Operation.of(octet());
  }

  /** The status that an answer begins with. */
  Answer.Status status() throws MalformedFrameException {
    return Answer.Status.of(octet());
  }

  /** One byte, 0 or 1. */
  public boolean bool() throws MalformedFrameException {
    int value = octet();
    if (value > 1) {
      throw new MalformedFrameException("a boolean of " + value);
    }
    return value == 1;
  }

  /** Eight bytes. */
  public long number() throws MalformedFrameException {
    need(Long.BYTES);
    return rest.getLong();
  }

  /** A length and as many bytes. */
  public byte[] bytes() throws MalformedFrameException {
    byte[] value = new byte[length(1)];
    rest.get(value);
    return value;
  }

  /** UTF-8 of at most 1,024 bytes. */
  public String text() throws MalformedFrameException {
    byte[] utf8 = bytes();
    if (utf8.length > Wire.TEXT_BYTES_MAX) {
      throw new MalformedFrameException("a text of " + utf8.length + " bytes");
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedFrameException("a text that is not UTF-8");
    }
  }

  /** Characters of two bytes; the caller wipes them. */
  public char[] characters() throws MalformedFrameException {
    int length = length(1);
    if (length % 2 != 0) {
      throw new MalformedFrameException("half a character");
    }
    char[] value = new char[length / 2];
    for (int i = 0; i < value.length; i++) {
      value[i] = rest.getChar();
    }
    return value;
  }

  /** A count and as many numbers. */
  public long[] numbers() throws MalformedFrameException {
    long[] values = new long[length(Long.BYTES)];
    for (int i = 0; i < values.length; i++) {
      values[i] = rest.getLong();
    }
    return values;
  }

  /** At most 32 attributes. */
  public List<Attribute> template() throws MalformedFrameException {
    int count = length(1);
    if (count > Wire.TEMPLATE_MAX) {
      throw new MalformedFrameException("a template of " + count + " attributes");
    }
    List<Attribute> template = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long type = number();
      template.add(
          switch (value()) {
            case Boolean claim -> Attribute.of(type, claim.booleanValue());
            case Long number -> Attribute.of(type, number.longValue());
            case byte[] bytes -> Attribute.of(type, bytes);
            default -> throw new MalformedFrameException("an attribute of no known type");
          });
    }
    return template;
  }

  /** An attribute's value: {@code Boolean}, {@code Long} or {@code byte[]}. */
  public Object value() throws MalformedFrameException {
    int kind = octet();
    return switch (kind) {
      case Wire.KIND_BOOLEAN -> bool();
      case Wire.KIND_LONG -> number();
      case Wire.KIND_BYTES -> bytes();
      default -> throw new MalformedFrameException("no such kind: " + kind);
    };
  }

  /** Makes sure that nothing follows. */
  public void end() throws MalformedFrameException {
    if (rest.hasRemaining()) {
      throw new MalformedFrameException(rest.remaining() + " bytes too many");
    }
  }

  /** Overwrites the payload. */
  public void wipe() {
    Arrays.fill(payload, (byte) 0);
  }

  private int octet() throws MalformedFrameException {
    need(1);
    return rest.get() & 0xFF;
  }

  /** A count of elements of this size, all of which must be there before memory is taken. */
  private int length(int elementBytes) throws MalformedFrameException {
    need(Integer.BYTES);
    int count = rest.getInt();
    if (count < 0 || count > rest.remaining() / elementBytes) {
      throw new MalformedFrameException("a length of " + count);
    }
    return count;
  }

  private void need(int bytes) throws MalformedFrameException {
    if (rest.remaining() < bytes) {
      throw new MalformedFrameException("too short");
    }
  }
}
