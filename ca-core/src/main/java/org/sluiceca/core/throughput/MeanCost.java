package org.sluiceca.core.throughput;

/**
 * What one request of late cost in the mean: it turns requests into work and back. Where all cost
 * the same it is exactly that. Not thread-safe.
 */
public final class MeanCost {

  /** Of one in eight that cost eight times as much, the mean is right within some 10 %. */
  private static final double WEIGHT = 1.0 / 64;

  private double mean;

  /** Has learnt nothing yet. */
  public MeanCost() {}

  /** Notes one that cost so much, above 0. */
  public void add(double cost) {
    mean = mean == 0 ? cost : mean + WEIGHT * (cost - mean);
  }

  /**
   * Returns the mean of those noted.
   *
   * @param work what is to be believed until there was one: the work of so many requests
   * @param requests if there are none either, the mean is 1
   */
  public double or(double work, int requests) {
    if (mean > 0) {
      return mean;
    }
    return requests == 0 ? 1 : work / requests;
  }
}
