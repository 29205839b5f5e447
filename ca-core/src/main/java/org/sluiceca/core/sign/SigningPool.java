package org.sluiceca.core.sign;

/**
 * Where requests wait for each other to be signed: engines of one token, or of several that hold
 * the same keys. Work of two signing pools meets in no queue, so that of one must not fill the line
 * of the other.
 *
 * @param name 1 to 600 characters; says to an operator which tokens these are
 */
public record SigningPool(String name) {

  private static final int NAME_MAX = 600;

  /** Where everything is signed in one place. */
  public static final SigningPool ONLY = new SigningPool("signer");

  public SigningPool {
    if (name.isEmpty() || name.length() > NAME_MAX) {
      throw new IllegalArgumentException(
          "a signing pool's name of " + name.length() + " characters");
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
