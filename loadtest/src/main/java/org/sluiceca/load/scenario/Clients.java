package org.sluiceca.load.scenario;

import java.util.Locale;
import org.sluiceca.load.plan.PlanException;

/**
 * How the clients of a scenario behave.
 *
 * @param keepsConnections whether connections are kept and shared, or each request has a new one
 * @param isMutual whether the requester shows a client certificate instead of a token
 * @param whenRefused what a client does that is told to come again
 */
public record Clients(boolean keepsConnections, boolean isMutual, WhenRefused whenRefused) {

  /** What becomes of a client that was refused with 429 or 503. */
  public enum WhenRefused {
    /** It does not come again: an open load of clients that know nothing of each other. */
    LEAVE,
    /** It comes again after Retry-After, with the same Idempotency-Key. */
    OBEY,
    /** It comes again after a second, whatever it was told. */
    IGNORE;

    /** Returns its name in files. */
    public String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Reads the three switches.
   *
   * @throws PlanException if a word is none of theirs
   */
  public static Clients of(String connections, String credentials, String whenRefused) {
    return new Clients(
        choice("connections", connections, "keep", "new"),
        choice("credentials", credentials, "certificate", "token"),
        switch (whenRefused) {
          case "leave" -> WhenRefused.LEAVE;
          case "obey" -> WhenRefused.OBEY;
          case "ignore" -> WhenRefused.IGNORE;
          default ->
              throw new PlanException("when-refused is leave, obey or ignore: " + whenRefused);
        });
  }

  private static boolean choice(String key, String word, String yes, String no) {
    if (!word.equals(yes) && !word.equals(no)) {
      throw new PlanException(key + " is " + yes + " or " + no + ", not '" + word + "'");
    }
    return word.equals(yes);
  }

  /** Returns what they do, for people. */
  public String told() {
    return "%s, %s, who is refused %s"
        .formatted(
            keepsConnections ? "connections kept" : "a new connection for each request",
            isMutual ? "client certificate" : "tokens",
            switch (whenRefused) {
              case LEAVE -> "does not come again";
              case OBEY -> "obeys Retry-After";
              case IGNORE -> "comes again after a second, whatever Retry-After says";
            });
  }
}
