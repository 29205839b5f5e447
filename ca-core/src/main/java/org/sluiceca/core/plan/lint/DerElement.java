package org.sluiceca.core.plan.lint;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * One DER value in an array (X.690 8.1, 10.1): the lints' own reader. It knows tags of one octet
 * and definite lengths in the fewest octets, which is all that a certificate of ours has.
 */
final class DerElement {

  static final int BOOLEAN = 0x01;
  static final int INTEGER = 0x02;
  static final int BIT_STRING = 0x03;
  static final int OCTET_STRING = 0x04;
  static final int NULL = 0x05;
  static final int OID = 0x06;
  static final int UTF8_STRING = 0x0C;
  static final int PRINTABLE_STRING = 0x13;
  static final int IA5_STRING = 0x16;
  static final int UTC_TIME = 0x17;
  static final int GENERALIZED_TIME = 0x18;
  static final int SEQUENCE = 0x30;
  static final int SET = 0x31;

  private static final int LONG_TAG = 0x1F;

  /** No part of a certificate needs more than three octets of length. */
  private static final int LENGTH_OCTETS_MAX = 3;

  private final byte[] array;
  private final int tag;
  private final int start;
  private final int end;

  private DerElement(byte[] array, int tag, int start, int end) {
    this.array = array;
    this.tag = tag;
    this.start = start;
    this.end = end;
  }

  /** Reads one value that fills {@code octets}. */
  static DerElement of(byte[] octets) throws MalformedException {
    DerElement element = at(octets, 0, octets.length);
    if (element.end != octets.length) {
      throw new MalformedException("octets behind the value");
    }
    return element;
  }

  private static DerElement at(byte[] array, int from, int limit) throws MalformedException {
    if (limit - from < 2) {
      throw new MalformedException("a value is cut short");
    }
    int tag = array[from] & 0xFF;
    if ((tag & LONG_TAG) == LONG_TAG) {
      throw new MalformedException("a tag of more than one octet");
    }
    int first = array[from + 1] & 0xFF;
    int start = from + 2;
    int length = first;
    if (first >= 0x80) {
      int octets = first & 0x7F;
      if (octets < 1 || octets > LENGTH_OCTETS_MAX || limit - start < octets) {
        throw new MalformedException("a length that is indefinite, too long or cut short");
      }
      length = 0;
      for (int i = 0; i < octets; i++) {
        length = (length << 8) | (array[start + i] & 0xFF);
      }
      if (length < 0x80 || (length >>> (8 * (octets - 1))) == 0) {
        throw new MalformedException("a length in more octets than needed");
      }
      start += octets;
    }
    if (length > limit - start) {
      throw new MalformedException("a value is cut short");
    }
    return new DerElement(array, tag, start, start + length);
  }

  int tag() {
    return tag;
  }

  boolean is(int expected) {
    return tag == expected;
  }

  /** Returns this element if it has the tag. */
  DerElement demand(int expected, String what) throws MalformedException {
    if (tag != expected) {
      throw new MalformedException(String.format(Locale.ROOT, "%s has tag %02x", what, tag));
    }
    return this;
  }

  /** Returns the values inside; empty if there are none. */
  List<DerElement> children() throws MalformedException {
    List<DerElement> children = new ArrayList<>();
    for (int at = start; at < end; at = children.getLast().end) {
      children.add(at(array, at, end));
    }
    return children;
  }

  /** Returns the values of this SEQUENCE of at least one (RFC 5280: SIZE (1..MAX)). */
  List<DerElement> oneOrMore(String what) throws MalformedException {
    List<DerElement> values = demand(SEQUENCE, what).children();
    if (values.isEmpty()) {
      throw new MalformedException(what + " without a value");
    }
    return values;
  }

  /** Returns the value that these contents consist of. */
  DerElement only(int expected, String what) throws MalformedException {
    List<DerElement> children = children();
    if (children.size() != 1) {
      throw new MalformedException(what + " is not one value");
    }
    return children.getFirst().demand(expected, what);
  }

  /** Returns the value whose encoding these contents are. */
  DerElement inner() throws MalformedException {
    DerElement element = at(array, start, end);
    if (element.end != end) {
      throw new MalformedException("octets behind the value");
    }
    return element;
  }

  byte[] contents() {
    return Arrays.copyOfRange(array, start, end);
  }

  int length() {
    return end - start;
  }

  /** Returns the contents as text of ASCII characters. */
  String ascii(String what) throws MalformedException {
    for (int i = start; i < end; i++) {
      if (array[i] < 0) {
        throw new MalformedException(what + " with an octet that is not ASCII");
      }
    }
    return new String(array, start, end - start, StandardCharsets.US_ASCII);
  }

  /** Returns the contents as text of UTF-8. */
  String utf8(String what) throws MalformedException {
    Charset utf8 = StandardCharsets.UTF_8;
    try {
      return utf8.newDecoder().decode(ByteBuffer.wrap(array, start, end - start)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedException(what + " is not UTF-8");
    }
  }

  /** Returns the dotted form of an OBJECT IDENTIFIER (X.690 8.19). */
  String oid() throws MalformedException {
    demand(OID, "an object identifier");
    StringBuilder dotted = new StringBuilder();
    long arc = 0;
    boolean isFirst = true;
    for (int i = start; i < end; i++) {
      if (arc > Long.MAX_VALUE >>> 8) {
        throw new MalformedException("an object identifier with a huge arc");
      }
      // X.690 8.19.2. An arc has no bits yet only in front of its first octet.
      if (arc == 0 && (array[i] & 0xFF) == 0x80) {
        throw new MalformedException("an object identifier's arc in more octets than needed");
      }
      arc = (arc << 7) | (array[i] & 0x7F);
      if (array[i] >= 0) {
        if (isFirst) {
          long root = Math.min(arc / 40, 2);
          dotted.append(root).append('.').append(arc - 40 * root);
          isFirst = false;
        } else {
          dotted.append('.').append(arc);
        }
        arc = 0;
      }
    }
    if (isFirst || array[end - 1] < 0) {
      throw new MalformedException("an object identifier that is empty or cut short");
    }
    return dotted.toString();
  }
}
