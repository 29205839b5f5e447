package org.sluiceca.core.testkit;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;

/** Writes any tag, length and value, right or wrong, without a library. */
public final class RawDer {

  private static final int SEQUENCE = 0x30;
  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;

  private RawDer() {}

  /** One value with the shortest definite length. */
  public static byte[] tlv(int tag, byte[]... parts) {
    byte[] value = join(parts);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    if (value.length < 0x80) {
      out.write(value.length);
    } else {
      byte[] length = BigInteger.valueOf(value.length).toByteArray();
      int skip = length[0] == 0 ? 1 : 0;
      out.write(0x80 | (length.length - skip));
      out.write(length, skip, length.length - skip);
    }
    out.writeBytes(value);
    return out.toByteArray();
  }

  /** A SEQUENCE of encodings. */
  public static byte[] sequence(byte[]... parts) {
    return tlv(SEQUENCE, parts);
  }

  /** An INTEGER, negative ones too. */
  public static byte[] integer(BigInteger value) {
    return tlv(INTEGER, value.toByteArray());
  }

  /** A BIT STRING of whole octets. */
  public static byte[] bitString(byte[] octets) {
    return tlv(BIT_STRING, new byte[1], octets);
  }

  /** The bytes of hexadecimal digits, blanks between them allowed. */
  public static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits.replace(" ", ""));
  }

  /** What stands behind tag and length. */
  public static byte[] content(byte[] der) {
    int header = der[1] >= 0 ? 2 : 2 + (der[1] & 0x7F);
    return Arrays.copyOfRange(der, header, der.length);
  }

  /** One after the other. */
  public static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
