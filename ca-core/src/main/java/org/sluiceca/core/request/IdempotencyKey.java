package org.sluiceca.core.request;

/**
 * A client's name for one creation, unique for its requester: repeating it repeats the answer.
 *
 * @param value 1 to 255 printable ASCII characters; 255 is what common clients and servers allow
 */
public record IdempotencyKey(String value) {

  /** The longest key in characters. */
  public static final int LENGTH_MAX = 255;

  public IdempotencyKey {
    if (!isValid(value)) {
      throw new IllegalArgumentException("not an idempotency key");
    }
  }

  /** Returns whether {@code text} could be a key. */
  public static boolean isValid(String text) {
    return !text.isEmpty()
        && text.length() <= LENGTH_MAX
        && text.chars().allMatch(c -> c > 0x20 && c < 0x7F);
  }
}
