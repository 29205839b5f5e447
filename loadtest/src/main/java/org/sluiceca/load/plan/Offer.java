package org.sluiceca.load.plan;

import java.util.Arrays;
import java.util.List;

/**
 * What one requester sends: so many times the HSM's capacity, over all nodes in turn.
 *
 * @param load 0.001 to 100 times the capacity
 * @param profile which it asks for certificates
 */
public record Offer(String requester, double load, String profile) {

  /** The profile of all that say none: that of the first issuer. */
  public static final String PROFILE = "tls-server";

  /** At 200/s this is more than any machine sends. */
  private static final double LOAD_MAX = 100;

  /** Validates. */
  public Offer {
    if (!requester.matches("[a-z][a-z0-9-]{0,29}")) {
      throw new PlanException("not a requester: '" + requester + "'");
    }
    if (!(load >= 0.001 && load <= LOAD_MAX)) {
      throw new PlanException("a load is 0.001 to 100 times the capacity, not " + load);
    }
  }

  /** Of the first issuer. */
  public Offer(String requester, double load) {
    this(requester, load, PROFILE);
  }

  /** Reads {@code a 0.2, b 4 @rsa}. */
  static List<Offer> parseAll(String text) {
    return Arrays.stream(text.split(",", -1)).map(String::strip).map(Offer::parse).toList();
  }

  private static Offer parse(String text) {
    String[] words = text.split("\\s+", -1);
    boolean hasProfile = words.length == 3 && words[2].startsWith("@");
    if (words.length != 2 && !hasProfile) {
      throw new PlanException(
          "an offer is a requester, a load, and perhaps @profile, not '" + text + "'");
    }
    double load = PlanFile.number("offer", words[1]);
    return hasProfile
        ? new Offer(words[0], load, words[2].substring(1))
        : new Offer(words[0], load);
  }
}
