package org.sluiceca.core.profile;

import java.util.Locale;
import org.sluiceca.core.x509.OctetString;

/**
 * Which version of a profile this is.
 *
 * @param number 1 and up; grows with every change of the content
 * @param isStated whether the file says so itself: then other content under the number is an error
 * @param digest SHA-256 over the content that decides certificates; empty for a profile that was
 *     made by a program
 */
public record ProfileVersion(int number, boolean isStated, OctetString digest) {

  /** Of a profile that no file states a version of. */
  public static final ProfileVersion UNSTATED =
      new ProfileVersion(1, false, OctetString.copyOf(new byte[0]));

  /** More versions than anybody writes: a number beyond is a mistake. */
  private static final int NUMBER_MAX = 1_000_000;

  public ProfileVersion {
    if (number < 1 || number > NUMBER_MAX) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "version %d not in 1..%d", number, NUMBER_MAX));
    }
  }
}
