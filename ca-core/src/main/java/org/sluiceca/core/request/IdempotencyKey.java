package org.sluiceca.core.request;

/**
 * A name for one creation, unique for its requester: repeating it repeats the answer.
 *
 * @param value 1 to 255 printable ASCII characters, which is what common clients and servers allow;
 *     one of this CA's own begins with the control character 01, which no client can send
 */
public record IdempotencyKey(String value) {

  /** The longest key in characters. */
  public static final int LENGTH_MAX = 255;

  private static final String INTERNAL = "\u0001";

  public IdempotencyKey {
    if (!isValid(value.startsWith(INTERNAL) ? value.substring(1) : value)) {
      throw new IllegalArgumentException("not an idempotency key");
    }
  }

  /** Returns a key of this CA's own, which differs from every key of a client. */
  public static IdempotencyKey internal(String text) {
    return new IdempotencyKey(INTERNAL + text);
  }

  /** Returns whether {@code text} could be a client's key. */
  public static boolean isValid(String text) {
    return !text.isEmpty()
        && text.length() <= LENGTH_MAX
        && text.chars().allMatch(c -> c > 0x20 && c < 0x7F);
  }
}
