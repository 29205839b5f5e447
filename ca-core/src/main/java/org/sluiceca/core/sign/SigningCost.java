package org.sluiceca.core.sign;

/**
 * What a request will ask of the signer.
 *
 * @param pool where it will be signed
 * @param cost how much of that signer's time it takes, of the cheapest kind of request 1: at least
 *     1
 */
public record SigningCost(SigningPool pool, double cost) {

  /** The cheapest, where everything is signed in one place. */
  public static final SigningCost ORDINARY = new SigningCost(SigningPool.ONLY, 1);

  /** Returns such work where everything is signed in one place. */
  public static SigningCost of(double cost) {
    return new SigningCost(SigningPool.ONLY, cost);
  }

  public SigningCost {
    if (!(cost >= 1 && cost < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("a cost of " + cost + ", not 1 or more");
    }
  }
}
