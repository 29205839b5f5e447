package org.sluiceca.core.der;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A pass over an encoding's tags and lengths that builds nothing. Behind it the library sees only
 * definite, shortest lengths, a bounded depth and a bounded number of elements; a request of ten
 * thousand elements or of thousands of levels costs its sender's bytes and no objects.
 *
 * <p>Contents of primitive values are looked at only to see whether their form is the canonical one
 * ({@link CanonicalFormCheck}); what an OCTET STRING or a key's BIT STRING holds is scanned when it
 * is read.
 */
final class DerScan {

  /** A request nests 8 levels, PSS parameters and attributes of other makers a few more. */
  static final int DEPTH_MAX = 16;

  /** The largest subject and all attributes that {@link CsrReader} takes have some 600 elements. */
  static final int ELEMENTS_MAX = 2_000;

  /** Registered OIDs have some 20; reading one of 4,096 costs 50 ms and 16 MB. */
  static final int OID_OCTETS_MAX = 64;

  private static final int OBJECT_IDENTIFIER = 0x06;
  private static final int CONSTRUCTED = 0x20;
  private static final int TAG_NUMBER = 0x1F;
  private static final int LONG_LENGTH = 0x80;

  private final byte[] bytes;
  private int elements;
  private boolean isSure = true;

  /** Of the value whose header {@link #contentAt} read last. */
  private int length;

  private DerScan(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Takes an encoding of exactly one value. Returns whether it is sure to be what the library would
   * write in DER, if the library reads it at all; if not, only writing it again can tell.
   */
  static boolean check(String what, byte[] bytes) throws DerException {
    if (bytes.length == 0) {
      throw new DerException(what + " is empty");
    }
    DerScan scan = new DerScan(bytes);
    int end = scan.value(what, 0, bytes.length, 1);
    if (end != bytes.length) {
      throw new DerException(
          what + " is not canonical DER: " + (bytes.length - end) + " trailing bytes");
    }
    return scan.isSure;
  }

  /** One element: a range of an encoding's octets. Immutable while those octets are not changed. */
  static final class Element {

    private final byte[] bytes;
    private final int start;
    private final int content;
    private final int end;

    private Element(byte[] bytes, int start, int content, int end) {
      this.bytes = bytes;
      this.start = start;
      this.content = content;
      this.end = end;
    }

    /** The tag's octet. */
    int tag() {
      return bytes[start] & 0xFF;
    }

    /** What stands behind tag and length. */
    byte[] content() {
      return Arrays.copyOfRange(bytes, content, end);
    }

    /** Tag, length and content. */
    byte[] encoded() {
      return Arrays.copyOfRange(bytes, start, end);
    }

    /** The elements of this one, which must have this tag. */
    List<Element> elements(String what, int tag) throws DerException {
      return demand(what, tag).elements(what);
    }

    /** This element, which must have this tag. */
    Element demand(String what, int tag) throws DerException {
      if (tag() != tag) {
        throw new DerException(
            String.format(
                Locale.ROOT, "%s is malformed: tag %02x, expected %02x", what, tag(), tag));
      }
      return this;
    }

    /** The elements of this one, which must be constructed. */
    List<Element> elements(String what) throws DerException {
      return DerScan.elements(what, bytes, content, end);
    }
  }

  /**
   * Takes an encoding of exactly one value, whose contents need not be canonical, and returns it.
   */
  static Element whole(String what, byte[] bytes) throws DerException {
    check(what, bytes);
    return new Element(bytes, 0, new DerScan(bytes).contentAt(what, 0, bytes.length), bytes.length);
  }

  /**
   * Returns whether a constructed value has more than {@code max} elements. Follows their lengths
   * no further than that, skips their contents, and leaves faults to {@link #check}.
   */
  static boolean hasMoreThan(int max, byte[] bytes) {
    DerScan scan = new DerScan(bytes);
    try {
      int at = bytes.length == 0 ? 0 : scan.contentAt("", 0, bytes.length);
      int count = 0;
      while (at < bytes.length && count <= max) {
        at = scan.contentAt("", at, bytes.length) + scan.length;
        count++;
      }
      return count > max;
    } catch (DerException e) {
      return false;
    }
  }

  /** Returns the elements of a constructed value, which must fill the octets. */
  static List<Element> elements(String what, byte[] bytes) throws DerException {
    if (bytes.length == 0) {
      throw new DerException(what + " is empty");
    }
    DerScan scan = new DerScan(bytes);
    int content = scan.contentAt(what, 0, bytes.length);
    if (content + scan.length != bytes.length) {
      throw new DerException(what + " does not fill its octets");
    }
    return elements(what, bytes, content, bytes.length);
  }

  private static List<Element> elements(String what, byte[] bytes, int from, int end)
      throws DerException {
    DerScan scan = new DerScan(bytes);
    List<Element> elements = new ArrayList<>();
    int at = from;
    while (at < end) {
      int content = scan.contentAt(what, at, end);
      int next = content + scan.length;
      elements.add(new Element(bytes, at, content, next));
      at = next;
    }
    return elements;
  }

  private int value(String what, int at, int end, int depth) throws DerException {
    if (depth > DEPTH_MAX) {
      throw new DerException(what + " is nested too deeply");
    }
    if (++elements > ELEMENTS_MAX) {
      throw new DerException(what + " has more than " + ELEMENTS_MAX + " elements");
    }
    int content = contentAt(what, at, end);
    int contentEnd = content + length;
    if (bytes[at] == OBJECT_IDENTIFIER && length > OID_OCTETS_MAX) {
      throw new DerException(what + " has an object identifier of " + length + " octets");
    }
    if ((bytes[at] & CONSTRUCTED) != 0) {
      int count = 0;
      int next = content;
      while (next < contentEnd) {
        next = value(what, next, contentEnd, depth + 1);
        count++;
      }
      isSure = isSure && CanonicalFormCheck.isConstructed(bytes[at], count);
    } else {
      isSure = isSure && CanonicalFormCheck.isPrimitive(bytes, at, content, contentEnd);
    }
    return contentEnd;
  }

  /** X.690 8.1.3 and 10.1: definite, in the fewest octets. Leaves it in {@link #length}. */
  private int contentAt(String what, int at, int end) throws DerException {
    int next = at + 1;
    // X.690 8.1.2.4: tags above 30 stand in no structure that is read here.
    if ((bytes[at] & TAG_NUMBER) == TAG_NUMBER) {
      throw new DerException(what + " has a tag of more than one octet");
    }
    if (next >= end) {
      throw new DerException(what + " is truncated");
    }
    int first = bytes[next++] & 0xFF;
    length = first;
    if (first >= LONG_LENGTH) {
      int octets = first - LONG_LENGTH;
      if (octets == 0) {
        throw new DerException(what + " is not canonical DER: indefinite length");
      }
      // Three octets reach 16 MB, 256 times the longest request.
      if (octets > 3) {
        throw new DerException(what + " has a length of " + octets + " octets");
      }
      if (next + octets > end) {
        throw new DerException(what + " is truncated");
      }
      length = 0;
      for (int i = 0; i < octets; i++) {
        length = (length << 8) | (bytes[next++] & 0xFF);
      }
      if (length < LONG_LENGTH || length >>> (8 * (octets - 1)) == 0) {
        throw new DerException(what + " is not canonical DER: a length with octets to spare");
      }
    }
    if (length > end - next) {
      throw new DerException(what + " is truncated");
    }
    return next;
  }
}
