package org.sluiceca.core.der;

/**
 * Values that have one encoding only, or whose octets show that theirs is the canonical one (X.690
 * 10 and 11). Everything else is left to Bouncy Castle, which writes it again for a comparison; so
 * what is missing here costs time, and what is wrong here would let BER through.
 */
final class CanonicalFormCheck {

  private static final int BOOLEAN = 0x01;
  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int OCTET_STRING = 0x04;
  private static final int NULL = 0x05;
  private static final int OBJECT_IDENTIFIER = 0x06;
  private static final int UTF8_STRING = 0x0C;
  private static final int PRINTABLE_STRING = 0x13;
  private static final int IA5_STRING = 0x16;
  private static final int UTC_TIME = 0x17;
  private static final int GENERALIZED_TIME = 0x18;
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;

  /** The class of a tag, and constructed: [0] EXPLICIT and its like. */
  private static final int CLASS_AND_FORM = 0xE0;

  private static final int CONTEXT_PRIMITIVE = 0x80;
  private static final int CONTEXT_CONSTRUCTED = 0xA0;

  private CanonicalFormCheck() {}

  /** Of a constructed value whose elements are judged for themselves. */
  static boolean isConstructed(byte tag, int elements) {
    return switch (tag & 0xFF) {
      case SEQUENCE -> true;
      case SET -> elements <= 1; // X.690 11.6: more are in order, or not.
      default -> (tag & CLASS_AND_FORM) == CONTEXT_CONSTRUCTED;
    };
  }

  /** Of the primitive value whose tag is at {@code at}, and its content between the others. */
  static boolean isPrimitive(byte[] bytes, int at, int content, int end) {
    int length = end - content;
    return switch (bytes[at] & 0xFF) {
      // X.690 11.1.
      case BOOLEAN -> length == 1 && (bytes[content] == 0 || bytes[content] == (byte) 0xFF);
      // X.690 8.3.2.
      case INTEGER ->
          length == 1
              || (length > 1 && (bytes[content] != (bytes[content + 1] < 0 ? (byte) 0xFF : 0)));
      // X.690 11.2.1: unused bits are 0, and here there are none.
      case BIT_STRING -> length >= 1 && bytes[content] == 0;
      case OCTET_STRING, UTF8_STRING, PRINTABLE_STRING, IA5_STRING, OBJECT_IDENTIFIER -> true;
      case NULL -> length == 0;
      // X.690 11.7, 11.8: with seconds, without a fraction, in Zulu.
      case UTC_TIME -> length == 13 && isDigitsAndZulu(bytes, content, end);
      case GENERALIZED_TIME -> length == 15 && isDigitsAndZulu(bytes, content, end);
      default -> (bytes[at] & CLASS_AND_FORM) == CONTEXT_PRIMITIVE;
    };
  }

  private static boolean isDigitsAndZulu(byte[] bytes, int from, int end) {
    for (int i = from; i < end - 1; i++) {
      if (bytes[i] < '0' || bytes[i] > '9') {
        return false;
      }
    }
    return bytes[end - 1] == 'Z';
  }
}
