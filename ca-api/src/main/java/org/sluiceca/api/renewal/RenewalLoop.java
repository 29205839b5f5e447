package org.sluiceca.api.renewal;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.platform.PeriodicTask;
import org.sluiceca.api.renewal.store.RateStore;
import org.sluiceca.api.renewal.store.ReplacementStore;
import org.sluiceca.core.renewal.RenewalCounts;
import org.sluiceca.core.renewal.RenewalWindows;
import org.sluiceca.core.renewal.Replacement;
import org.sluiceca.core.x509.Validity;

/**
 * Keeps what planned windows depend on: the counts of certificates and the spare rate; and looks
 * whether renewals fit that rate. A thread of its own reads them, so that no request does. Nodes
 * differ for some minutes at most: the spread grows by doubling, so a window differs only while a
 * count passes a power of two, and a client that then meets another window renews in either; mass
 * revocations are not computed from these figures. Thread-safe.
 */
public final class RenewalLoop implements AutoCloseable {

  private static final Duration PERIOD = Duration.ofMinutes(1);

  /** Counts are read this seldom, in periods: a sum over some thousand rows. */
  private static final int COUNTS_EVERY = 10;

  private static final Logger LOG = LoggerFactory.getLogger(RenewalLoop.class);

  /**
   * What was read last.
   *
   * @param plannedPerSecond planned windows that began in a second when the counts were read
   */
  private record Known(RenewalCounts counts, double sparePerSecond, double plannedPerSecond) {}

  private final ReplacementStore replacements;
  private final RateStore rates;
  private final Runnable lateReplacements;
  private final DoubleSupplier drainPerSecond;
  private final String node;
  private final InstantSource clock;
  private final PeriodicTask task =
      new PeriodicTask(
          new PeriodicTask.Terms(
              RenewalLoop.class,
              "renewal-load",
              "the load of renewals cannot be read",
              Duration.ZERO,
              PERIOD,
              Duration.ofSeconds(1)),
          isStopping -> step());

  private volatile Known known = new Known(RenewalCounts.none(), RateStore.ASSUMED_PER_SECOND, 0);
  private volatile long overloads;

  /** Owned by the thread. */
  private int turn;

  /**
   * Registers its metrics in {@code registry}; {@link #start} starts the thread.
   *
   * @param lateReplacements records what could not be recorded in its time; runs once a minute
   * @param drainPerSecond what this node's share of the HSM signs, certificates per second; 0 while
   *     unknown; must not block
   */
  public RenewalLoop(
      ReplacementStore replacements,
      RateStore rates,
      Runnable lateReplacements,
      DoubleSupplier drainPerSecond,
      String node,
      InstantSource clock,
      MeterRegistry registry) {
    this.replacements = replacements;
    this.rates = rates;
    this.lateReplacements = lateReplacements;
    this.drainPerSecond = drainPerSecond;
    this.node = node;
    this.clock = clock;
    Gauge.builder("ca.renewal.overloads", this, loop -> (double) loop.overloads).register(registry);
    Gauge.builder("ca.renewal.spare.rate", this, loop -> loop.known.sparePerSecond())
        .register(registry);
    Gauge.builder("ca.renewal.planned.rate", this, loop -> loop.known.plannedPerSecond())
        .register(registry);
  }

  /** Starts the thread, which reads at once. */
  public void start() {
    task.start();
  }

  private Duration step() {
    lateReplacements.run();
    refresh(turn == 0);
    turn = (turn + 1) % COUNTS_EVERY;
    return PERIOD;
  }

  /** Reads once. Blocks for some queries. */
  void refresh(boolean withCounts) {
    double drained = drainPerSecond.getAsDouble();
    // After a restart nothing is measured yet: what was measured before counts until it is.
    if (drained > 0) {
      rates.report(node, drained);
    }
    Instant now = clock.instant();
    double spare = rates.at(now);
    RenewalCounts counts = known.counts();
    double perSecond = known.plannedPerSecond();
    if (withCounts) {
      List<RenewalCounts.Day> days = rates.days();
      counts = RenewalCounts.of(days);
      perSecond = plannedPerSecond(days, counts, spare, now);
    }
    known = new Known(counts, spare, perSecond);
    report(counts, spare, now);
  }

  private static double plannedPerSecond(
      List<RenewalCounts.Day> days, RenewalCounts counts, double spare, Instant now) {
    return days.stream()
        .mapToDouble(
            day -> new RenewalWindows(counts.load(day.shortest(), spare)).beginPerSecond(day, now))
        .sum();
  }

  private void report(RenewalCounts counts, double spare, Instant now) {
    List<Replacement> recent = replacements.recent();
    long planned =
        counts.all().stream().filter(most -> !fits(counts, most.shortest(), spare)).count();
    long replaced = recent.stream().filter(r -> r.isUnderWay(now) && !r.fits()).count();
    long found = planned + replaced;
    if (found != overloads) {
      LOG.warn(
          "renewals that exceed the spare rate of {}/s: {} lives of planned renewals, {}"
              + " replacements",
          spare,
          planned,
          replaced);
    }
    overloads = found;
  }

  private static boolean fits(RenewalCounts counts, Duration life, double spare) {
    return new RenewalWindows(counts.load(life, spare))
        .fits(new Validity(Instant.EPOCH, Instant.EPOCH.plus(life)));
  }

  /** Returns the planned windows of certificates of a life. Does not block. */
  RenewalWindows windows(Validity validity) {
    Known now = known;
    Duration life = Duration.between(validity.notBefore(), validity.notAfter());
    return new RenewalWindows(now.counts().load(life, now.sparePerSecond()));
  }

  @Override
  public void close() {
    task.close();
  }
}
