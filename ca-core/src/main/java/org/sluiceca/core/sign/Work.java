package org.sluiceca.core.sign;

/**
 * What a request will ask of the signer.
 *
 * @param station where it will be signed
 * @param cost how much of that signer's time it takes, of the cheapest kind of request 1: at least
 *     1
 */
public record Work(Station station, double cost) {

  /** The cheapest, where everything is signed in one place. */
  public static final Work ORDINARY = new Work(Station.ONLY, 1);

  /** Returns such work where everything is signed in one place. */
  public static Work of(double cost) {
    return new Work(Station.ONLY, cost);
  }

  public Work {
    if (!(cost >= 1 && cost < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("a cost of " + cost + ", not 1 or more");
    }
  }
}
