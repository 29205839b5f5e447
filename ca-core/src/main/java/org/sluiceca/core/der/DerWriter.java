package org.sluiceca.core.der;

import java.util.Arrays;
import org.sluiceca.core.x509.EncodedDer;
import org.sluiceca.core.x509.OctetString;

/**
 * One encoding (X.690) that is written from its end to its start, so a length is known when its
 * header is written and nothing is built only to be measured. One thread's.
 */
final class DerWriter {

  static final int INTEGER = 0x02;
  static final int BIT_STRING = 0x03;
  static final int OCTET_STRING = 0x04;
  static final int OBJECT_IDENTIFIER = 0x06;
  static final int SEQUENCE = 0x30;

  /** X.690 8.2.2 and 11.1: BOOLEAN TRUE. */
  private static final byte[] TRUE = {0x01, 0x01, (byte) 0xFF};

  private static final int ASCII_MAX = 0x7F;

  private byte[] octets;

  /** Where the written part starts. */
  private int start;

  /**
   * Starts with nothing written.
   *
   * @param octetsExpected spares growing if they suffice
   */
  DerWriter(int octetsExpected) {
    octets = new byte[octetsExpected];
    start = octetsExpected;
  }

  /**
   * Returns how many octets are written. Read before an element's content is written, it is the
   * {@code before} of {@link #header}.
   */
  int written() {
    return octets.length - start;
  }

  /** Puts one octet in front. */
  void octet(int octet) {
    makeRoom(1);
    octets[--start] = (byte) octet;
  }

  /** Puts octets in front. */
  void octets(byte[] added) {
    makeRoom(added.length);
    start -= added.length;
    System.arraycopy(added, 0, octets, start, added.length);
  }

  /** Puts an encoding in front, as it is. */
  void octets(EncodedDer encoding) {
    makeRoom(encoding.length());
    start -= encoding.length();
    encoding.copyInto(octets, start);
  }

  /** Puts octets in front. */
  void octets(OctetString added) {
    makeRoom(added.length());
    start -= added.length();
    added.copyInto(octets, start);
  }

  /** Puts the content of an IA5String or PrintableString in front: octets below 128 (X.680 41). */
  void ascii(String text) {
    int length = text.length();
    makeRoom(length);
    start -= length;
    for (int i = 0; i < length; i++) {
      if (text.charAt(i) > ASCII_MAX) {
        throw new IllegalArgumentException("text with a character outside ASCII");
      }
      octets[start + i] = (byte) text.charAt(i);
    }
  }

  /** Takes back as many of the foremost octets. */
  void drop(int count) {
    start += count;
  }

  /** Puts TRUE in front. */
  void booleanTrue() {
    octets(TRUE);
  }

  /**
   * Puts tag and length in front of what was written since; X.690 8.1.3 and 10.1: in short form
   * below 128, else in the fewest octets.
   *
   * @param before what {@link #written} was when the content's end was about to be written
   */
  void header(int tag, int before) {
    int length = written() - before;
    if (length < 0x80) {
      octet(length);
    } else {
      int count = 0;
      for (int rest = length; rest > 0; rest >>>= 8) {
        octet(rest);
        count++;
      }
      octet(0x80 | count);
    }
    octet(tag);
  }

  /** Returns what was written. */
  byte[] toByteArray() {
    return start == 0 ? octets.clone() : Arrays.copyOfRange(octets, start, octets.length);
  }

  private void makeRoom(int count) {
    if (count <= start) {
      return;
    }
    int length = written();
    byte[] larger = new byte[Math.max(2 * octets.length, length + count)];
    System.arraycopy(octets, start, larger, larger.length - length, length);
    start = larger.length - length;
    octets = larger;
  }
}
