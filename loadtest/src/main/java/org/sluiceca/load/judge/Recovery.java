package org.sluiceca.load.judge;

import java.util.Collection;
import java.util.List;
import org.sluiceca.load.watch.HsmFigures;

/**
 * How long after an occurrence things were in order again, and stayed so until the next one or the
 * end.
 *
 * @param what occurred
 * @param goodputSeconds until goodput was within 5 % of what is due; infinite if never
 * @param queueSeconds until the queue of every HSM was within its bound; infinite if never
 */
public record Recovery(String what, double goodputSeconds, double queueSeconds) {

  /** Goal of the product: within 5 %. */
  private static final double ENOUGH = 0.95;

  /**
   * What was in order is out of it again below this. Below {@link #ENOUGH} chance alone is: of a
   * hundred arrivals a second, in every sixth three seconds.
   */
  private static final double TOO_LITTLE = 0.8;

  /**
   * Chance removes more than a fifth of few arrivals, but hardly ever more than this number of
   * standard deviations.
   */
  private static final double DEVIATIONS = 4;

  /** In order means for so long: a single good moment is none. Out of order again means so too. */
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
   * @param untilNanos when the next occurrence was begun, or the end
   */
  static Recovery of(Occurrence occurrence, double expected, Seen seen, long untilNanos) {
    return new Recovery(
        occurrence.description(),
        goodput(occurrence.atNanos(), expected, seen, untilNanos),
        seen.hsms().stream()
            .mapToDouble(hsm -> queue(occurrence.atNanos(), hsm, seen.queueBound(), untilNanos))
            .max()
            .orElse(Double.POSITIVE_INFINITY));
  }

  /** Of what could not be done. */
  static Recovery never(Occurrence occurrence) {
    return new Recovery(
        occurrence.description(), Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
  }

  private static double goodput(long from, double expected, Seen seen, long until) {
    double due = expected * STAYS_NANOS / NANOS_PER_SECOND;
    // A standstill is one, however little is due.
    double tooLittle = Math.max(1, Math.min(TOO_LITTLE * due, due - DEVIATIONS * Math.sqrt(due)));
    Since good = new Since();
    for (long at = from; at + STAYS_NANOS <= until; at += STEP_NANOS) {
      long count = countIn(seen.issued(), at, at + STAYS_NANOS);
      if (count < tooLittle) {
        good.ends();
      } else if (count >= ENOUGH * due) {
        good.begins(at);
      }
    }
    return good.secondsAfter(from);
  }

  private static double queue(long from, List<HsmFigures> hsm, double bound, long until) {
    Since shortNow = new Since();
    Since longNow = new Since();
    Since good = new Since();
    shortNow.begins(from);
    for (HsmFigures figures : between(from, until, hsm)) {
      if (figures.queueNow() > bound) {
        longNow.begins(figures.atNanos());
        shortNow.ends();
        shortNow.begins(figures.atNanos() + 1);
      } else {
        shortNow.begins(figures.atNanos());
        longNow.ends();
      }
      if (shortNow.isStayingAt(figures.atNanos())) {
        good.begins(shortNow.nanos);
      } else if (longNow.isStayingAt(figures.atNanos())) {
        good.ends();
      }
    }
    return good.secondsAfter(from);
  }

  /**
   * Returns how long an HSM took to sign again, in seconds: until the first look of those that for
   * three seconds on end saw more signatures than the look before, if it never stood for as long
   * afterwards; infinite if never.
   *
   * @param from what happened to it last
   * @param hsm its figures, in the order of time
   */
  static double signsAgain(long from, List<HsmFigures> hsm, long until) {
    Since signing = new Since();
    Since standing = new Since();
    Since good = new Since();
    long signed = Long.MAX_VALUE;
    for (HsmFigures figures : between(from, until, hsm)) {
      if (figures.signed() > signed) {
        signing.begins(figures.atNanos());
        standing.ends();
      } else {
        standing.begins(figures.atNanos());
        signing.ends();
      }
      if (signing.isStayingAt(figures.atNanos())) {
        good.begins(signing.nanos);
      } else if (standing.isStayingAt(figures.atNanos())) {
        good.ends();
      }
      signed = figures.signed();
    }
    return good.secondsAfter(from);
  }

  private static List<HsmFigures> between(long from, long until, List<HsmFigures> hsm) {
    return hsm.stream()
        .filter(figures -> figures.atNanos() >= from && figures.atNanos() <= until)
        .toList();
  }

  /** When something began that has not ended since. */
  private static final class Since {
    private static final long NEVER = Long.MAX_VALUE;

    private long nanos = NEVER;

    /** Does nothing if it has begun already. */
    private void begins(long at) {
      nanos = Math.min(nanos, at);
    }

    private void ends() {
      nanos = NEVER;
    }

    private boolean isStayingAt(long now) {
      return nanos != NEVER && now - nanos >= STAYS_NANOS;
    }

    private double secondsAfter(long from) {
      return nanos == NEVER ? Double.POSITIVE_INFINITY : (nanos - from) / NANOS_PER_SECOND;
    }
  }

  private static long countIn(List<Long> times, long from, long until) {
    long count = 0;
    for (long time : times) {
      count += time >= from && time < until ? 1 : 0;
    }
    return count;
  }
}
