package org.sluiceca.hsm.limit;

/**
 * What was seen of a token in an interval, by one node or by several. Sums, so that samples add up.
 *
 * @param completions jobs that ended with a signature
 * @param delay sum of their delays inside the token: response less base delay less round trip,
 *     seconds. Below 0 by noise, which cutting off would turn into a bias
 * @param squares sum of the squares of those delays
 * @param service sum of their base delays, seconds
 * @param travel sum of their round trips, seconds
 * @param busy answers that said busy
 * @param inflightMax the most jobs that were in flight at once
 * @param elapsed the interval, seconds
 */
public record Sample(
    long completions,
    double delay,
    double squares,
    double service,
    double travel,
    int busy,
    int inflightMax,
    double elapsed) {

  /** Nothing seen in no time. */
  public static final Sample NONE = new Sample(0, 0, 0, 0, 0, 0, 0, 0);

  /** Standard errors that make a difference more than noise, 19 times in 20. */
  private static final double CERTAIN = 2;

  /** Fewer have no spread to speak of. */
  public static final int FEW = 5;

  /** Returns what two nodes saw side by side: their rates add up, however long each looked. */
  public Sample plus(Sample other) {
    double rates = rate() + other.rate();
    return sum(
        other,
        rates > 0 ? (completions + other.completions) / rates : Math.max(elapsed, other.elapsed));
  }

  /** Returns what was seen one after the other. */
  public Sample then(Sample later) {
    return sum(later, elapsed + later.elapsed);
  }

  private Sample sum(Sample other, double seconds) {
    return new Sample(
        completions + other.completions,
        delay + other.delay,
        squares + other.squares,
        service + other.service,
        travel + other.travel,
        busy + other.busy,
        Math.max(inflightMax, other.inflightMax),
        seconds);
  }

  /** Returns the same without its busy answers, which are to be heard once only. */
  public Sample withoutBusy() {
    return new Sample(completions, delay, squares, service, travel, 0, inflightMax, elapsed);
  }

  /** Returns the same, had every base delay been {@code pace} times as long. */
  public Sample at(double pace) {
    if (completions == 0) {
      return this;
    }
    double more = (pace - 1) * service;
    double each = more / completions;
    return new Sample(
        completions,
        delay - more,
        squares - 2 * each * delay + each * more,
        service + more,
        travel,
        busy,
        inflightMax,
        elapsed);
  }

  /** Returns the mean delay inside the token, seconds; NaN without completions. */
  public double meanDelay() {
    return delay / completions;
  }

  /** Returns the mean base delay, seconds; NaN without completions. */
  public double meanService() {
    return service / completions;
  }

  /** Returns the mean response of an empty token over the network, seconds. */
  public double meanBase() {
    return (service + travel) / completions;
  }

  /** Returns how much the network stretches the base delay, at least 1. */
  public double stretch() {
    return (service + travel) / service;
  }

  /** Returns completions a second; 0 if there were none. */
  public double rate() {
    return completions == 0 ? 0 : completions / elapsed;
  }

  /** Returns whether the mean delay is at least {@code seconds}, and not by noise. */
  public boolean isDelayedBy(double seconds) {
    return meanDelay() - CERTAIN * standardError() >= seconds;
  }

  /** Returns whether the mean delay is at most {@code seconds}, and not by noise. */
  public boolean isBelow(double seconds) {
    return meanDelay() + CERTAIN * standardError() <= seconds;
  }

  private double standardError() {
    if (completions < FEW) {
      return Double.POSITIVE_INFINITY;
    }
    double mean = meanDelay();
    return Math.sqrt(Math.max(0, squares / completions - mean * mean) / (completions - 1));
  }
}
