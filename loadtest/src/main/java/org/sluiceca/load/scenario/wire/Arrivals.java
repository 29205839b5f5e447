package org.sluiceca.load.scenario.wire;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * When the requests of a population are due: laid down by a seed before anything is sent, so that
 * no answer, however late, moves it. Virtual users, whom Gatling brings to life evenly and {@link
 * Terms#LEAD_SECONDS} ahead, take one each and wait for it; who comes late sends late, and its
 * latency counts from when the request was due.
 *
 * <p>Chance works within blocks of some seconds, each of which has its due number: as many users as
 * requests have then come to life when a block begins. Thread-safe.
 */
public final class Arrivals {

  /** Shorter than the lead, by what Gatling takes to begin. */
  private static final double BLOCK_SECONDS = 5;

  private static final double NANOS_PER_SECOND = 1e9;

  private final Iterator<Wave> waves;
  private final boolean isPoisson;
  private final Random random;
  private Wave wave;
  private int given;
  private long[] block = new long[0];
  private int next;

  /**
   * A request that is due.
   *
   * @param afterNanos the time began
   * @param untilNanos after which its client goes home
   */
  public record Due(int phase, long afterNanos, long untilNanos) {}

  /** Of these waves; the same seed makes the same times. */
  public Arrivals(List<Wave> waves, boolean isPoisson, long seed) {
    this.waves = waves.iterator();
    this.isPoisson = isPoisson;
    this.random = new Random(seed);
    this.wave = new Wave(0, 0, 0, 0, 0);
  }

  /** Takes the next one; empty at the end. */
  public synchronized Optional<Due> poll() {
    while (next == block.length) {
      while (given == wave.count()) {
        if (!waves.hasNext()) {
          return Optional.empty();
        }
        wave = waves.next();
        given = 0;
      }
      fill();
    }
    return Optional.of(
        new Due(wave.phase(), block[next++], (long) (wave.untilSeconds() * NANOS_PER_SECOND)));
  }

  private void fill() {
    double blocks = Math.max(1, Math.rint(wave.seconds() / BLOCK_SECONDS));
    double each = wave.seconds() / blocks;
    // The block in which the next of the wave's requests falls, were they even.
    int index = (int) (given * blocks / wave.count());
    int until = Math.min(wave.count(), (int) Math.ceil((index + 1) * wave.count() / blocks));
    double from = wave.fromSeconds() + index * each;
    block = new long[until - given];
    for (int i = 0; i < block.length; i++) {
      double within = isPoisson ? random.nextDouble() : (i + 0.5) / block.length;
      block[i] = (long) ((from + within * each) * NANOS_PER_SECOND);
    }
    Arrays.sort(block);
    next = 0;
    given = until;
  }
}
