package org.sluiceca.load.judge;

import java.util.Collection;
import java.util.List;
import org.sluiceca.load.watch.HsmFigures;

/**
 * How long after an occurrence things were in order again.
 *
 * @param what occurred
 * @param goodputSeconds until goodput was within 5 % of what is due; infinite if never
 * @param queueSeconds until the queue of every HSM was within its bound; infinite if never
 */
public record Recovery(String what, double goodputSeconds, double queueSeconds) {

  /** Goal of the product: within 5 %. */
  private static final double ENOUGH = 0.95;

  /** In order means for so long: a single good moment is none. */
  private static final long STAYS_NANOS = 3_000_000_000L;

  private static final long STEP_NANOS = 100_000_000L;

  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * What was seen.
   *
   * @param issued when certificates were recorded, by {@link System#nanoTime}
   * @param hsms the figures of each HSM, in the order of time
   * @param queueBound jobs
   */
  public record Seen(List<Long> issued, Collection<List<HsmFigures>> hsms, double queueBound) {

    /** Copies. */
    public Seen {
      issued = List.copyOf(issued);
      hsms = List.copyOf(hsms);
    }
  }

  /**
   * Judges one occurrence.
   *
   * @param untilNanos the next occurrence, or the end
   */
  static Recovery of(Occurrence occurrence, double expected, Seen seen, long untilNanos) {
    return new Recovery(
        occurrence.told(),
        goodput(occurrence.atNanos(), expected, seen, untilNanos),
        seen.hsms().stream()
            .mapToDouble(hsm -> queue(occurrence.atNanos(), hsm, seen.queueBound(), untilNanos))
            .max()
            .orElse(Double.POSITIVE_INFINITY));
  }

  /** Of what could not be done. */
  static Recovery never(Occurrence occurrence) {
    return new Recovery(occurrence.told(), Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
  }

  private static double goodput(long from, double expected, Seen seen, long until) {
    double wanted = ENOUGH * expected * STAYS_NANOS / NANOS_PER_SECOND;
    for (long at = from; at + STAYS_NANOS <= until; at += STEP_NANOS) {
      if (countIn(seen.issued(), at, at + STAYS_NANOS) >= wanted) {
        return (at - from) / NANOS_PER_SECOND;
      }
    }
    return Double.POSITIVE_INFINITY;
  }

  private static double queue(long from, List<HsmFigures> hsm, double bound, long until) {
    long good = from;
    for (HsmFigures figures : hsm) {
      if (figures.atNanos() < from || figures.atNanos() > until) {
        continue;
      }
      if (figures.queueNow() > bound) {
        good = figures.atNanos() + 1;
      } else if (figures.atNanos() - good >= STAYS_NANOS) {
        return (good - from) / NANOS_PER_SECOND;
      }
    }
    return Double.POSITIVE_INFINITY;
  }

  /**
   * Returns how long an HSM took to sign again, in seconds: until the first look of those that for
   * three seconds on end saw more signatures than the look before; infinite if never.
   *
   * @param from what happened to it last
   * @param hsm its figures, in the order of time
   */
  static double signsAgain(long from, List<HsmFigures> hsm, long until) {
    long since = Long.MAX_VALUE;
    long signed = Long.MAX_VALUE;
    for (HsmFigures figures : hsm) {
      if (figures.atNanos() < from || figures.atNanos() > until) {
        continue;
      }
      if (figures.signed() <= signed) {
        since = Long.MAX_VALUE;
      } else if (since == Long.MAX_VALUE) {
        since = figures.atNanos();
      }
      if (since != Long.MAX_VALUE && figures.atNanos() - since >= STAYS_NANOS) {
        return (since - from) / NANOS_PER_SECOND;
      }
      signed = figures.signed();
    }
    return Double.POSITIVE_INFINITY;
  }

  private static long countIn(List<Long> times, long from, long until) {
    long count = 0;
    for (long time : times) {
      count += time >= from && time < until ? 1 : 0;
    }
    return count;
  }
}
