package org.sluiceca.load.drive;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * When requests are due: a stream for each requester, laid down before anything is sent, so that no
 * answer, however late, moves it. The same seed makes the same times. Used by one thread.
 */
final class Timetable {

  private static final double NANOS_PER_SECOND = 1e9;

  private final double[] rates;
  private final boolean isPoisson;
  private final long endNanos;
  private final Random random;
  private final double[] exact;
  private final PriorityQueue<Arrival> next =
      new PriorityQueue<>(Comparator.comparingLong(Arrival::afterNanos));

  /**
   * Lays down streams.
   *
   * @param rates requests a second of each requester, above 0
   * @param endNanos none is due at or after it
   */
  Timetable(List<Double> rates, boolean isPoisson, long endNanos, long seed) {
    this.rates = rates.stream().mapToDouble(Double::doubleValue).toArray();
    this.isPoisson = isPoisson;
    this.endNanos = endNanos;
    this.random = new Random(seed);
    this.exact = new double[this.rates.length];
    for (int i = 0; i < this.rates.length; i++) {
      // Evenly spaced streams begin at different times; otherwise all would always send at once.
      exact[i] = isPoisson ? 0 : random.nextDouble() * NANOS_PER_SECOND / this.rates[i];
      add(i);
    }
  }

  /** Takes the next request that is due; empty at the end. */
  Optional<Arrival> poll() {
    Optional<Arrival> arrival = Optional.ofNullable(next.poll());
    arrival.ifPresent(due -> add(due.requester()));
    return arrival;
  }

  private void add(int requester) {
    double mean = NANOS_PER_SECOND / rates[requester];
    exact[requester] += isPoisson ? -Math.log(1 - random.nextDouble()) * mean : mean;
    if (exact[requester] < endNanos) {
      next.add(new Arrival((long) exact[requester], requester));
    }
  }
}
