package org.sluiceca.core.throughput;

/**
 * The mean cost of a recent request, which converts requests into work and back. Where all cost the
 * same, it is exactly that cost. Not thread-safe.
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
   * @param work the work of {@code requests} requests, from which the mean is taken until one is
   *     noted
   * @param requests if this is 0 too, the mean is 1
   */
  public double or(double work, int requests) {
    if (mean > 0) {
      return mean;
    }
    return requests == 0 ? 1 : work / requests;
  }
}
