package org.sluiceca.core.failure;

/** Checks of what must be true whatever the input: a failure is a bug of this program. */
public final class Invariant {

  private Invariant() {}

  /** Throws {@link Broken} unless {@code claim} holds; {@code message} names the invariant. */
  public static void check(boolean claim, String message) {
    if (!claim) {
      throw new Broken(message);
    }
  }

  /** A broken invariant. Not caught by the line: the request dies and an alert fires. */
  public static final class Broken extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private Broken(String message) {
      super("broken invariant: " + message);
    }
  }
}
