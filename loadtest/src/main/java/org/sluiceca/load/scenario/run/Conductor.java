package org.sluiceca.load.scenario.run;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.drive.OpenLoop;
import org.sluiceca.load.judge.Evidence;
import org.sluiceca.load.judge.PhaseRecord;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.scenario.judge.Watched;
import org.sluiceca.load.scenario.wire.Population;
import org.sluiceca.load.scenario.wire.Terms;
import org.sluiceca.load.watch.HsmDevices;
import org.sluiceca.load.watch.HsmFigures;
import org.sluiceca.load.watch.ProcessTimes;
import org.sluiceca.load.watch.TrialNodes;

/**
 * Keeps the time of a sitting alongside Gatling, and takes figures of HSM and processors at the
 * borders of what is measured. Used by one thread.
 */
final class Conductor {

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** Its JVM, its classes and its terms: seconds; on a machine that is at its end, more. */
  private static final Duration BEGINS_WITHIN = Duration.ofMinutes(2);

  /** A request has its end after 45 s, and who comes again goes home after two minutes. */
  private static final Duration ENDS_WITHIN = Duration.ofMinutes(5);

  private static final Duration LOOK = Duration.ofMillis(200);

  private final SoakSession session;
  private final TrialNodes nodes;
  private final HsmDevices hsms;
  private final GatlingProcess gatling;
  private final PrintStream progress;

  Conductor(
      SoakSession session,
      TrialNodes nodes,
      HsmDevices hsms,
      GatlingProcess gatling,
      PrintStream progress) {
    this.session = session;
    this.nodes = nodes;
    this.hsms = hsms;
    this.gatling = gatling;
    this.progress = progress;
  }

  /**
   * Blocks until Gatling has ended.
   *
   * @throws TrialException if it fails or ends too soon
   */
  void conduct(Timeline timeline, List<Population> populations) throws IOException {
    long beginning = awaitBeginning();
    progress.println(
        Text.format("sluice: %.0f s in %d phases", timeline.seconds(), timeline.slots().size()));
    for (Timeline.Slot slot : timeline.slots()) {
      long from = beginning + nanos(slot.fromSeconds());
      await(from);
      Map<String, HsmFigures> ignored = hsms.figures(true);
      ProcessTimes before = times();
      long gatlingBefore = ProcessTimes.ticks(gatling.pid());
      long until = beginning + nanos(slot.untilSeconds());
      long gatlingAfter = slot.isCrowd() ? awaitEndBefore(until) : awaitTicks(until);
      PhaseRecord seen =
          new PhaseRecord(
              slot.phase(),
              from,
              Math.min(until, System.nanoTime()),
              hsms.figures(false),
              times().since(before),
              ProcessTimes.loadAverage(),
              nodes.living(),
              nodes.count() - nodes.living().size());
      session.write(
          new Watched(
              session.number(),
              slot.index(),
              seen,
              Evidence.clockOffset(),
              Math.max(0, gatlingAfter - gatlingBefore),
              Timeline.planned(populations, slot.index())));
      seen.shown().forEach(line -> progress.println("sluice: " + line));
    }
    gatling.await(ENDS_WITHIN);
  }

  private long awaitBeginning() throws IOException {
    Path file = Terms.beginning(session.folder());
    long deadline = System.nanoTime() + BEGINS_WITHIN.toNanos();
    while (!Files.exists(file)) {
      requireAlive();
      if (System.nanoTime() > deadline) {
        throw new TrialException("Gatling has not begun within " + BEGINS_WITHIN);
      }
      OpenLoop.awaitTime(System.nanoTime() + LOOK.toNanos());
    }
    return Long.parseLong(Files.readString(file).strip());
  }

  private void await(long nanos) {
    while (System.nanoTime() < nanos) {
      requireAlive();
      requireNotInterrupted();
      OpenLoop.awaitTime(Math.min(nanos, System.nanoTime() + NANOS_PER_SECOND));
    }
  }

  private long awaitTicks(long nanos) {
    await(nanos);
    return ProcessTimes.ticks(gatling.pid());
  }

  /**
   * Waits until a crowd is served, which the end of Gatling shows; returns the processor time that
   * Gatling had used by then, since a process that has ended reports none.
   */
  private long awaitEndBefore(long nanos) {
    long ticks = 0;
    while (System.nanoTime() < nanos && gatling.isAlive()) {
      requireNotInterrupted();
      ticks = Math.max(ticks, ProcessTimes.ticks(gatling.pid()));
      OpenLoop.awaitTime(Math.min(nanos, System.nanoTime() + LOOK.toNanos()));
    }
    return ticks;
  }

  private void requireAlive() {
    if (!gatling.isAlive()) {
      gatling.await(ENDS_WITHIN);
      throw new TrialException("Gatling has ended before its time");
    }
  }

  private static void requireNotInterrupted() {
    if (Thread.currentThread().isInterrupted()) {
      throw new TrialException("interrupted");
    }
  }

  private ProcessTimes times() {
    return ProcessTimes.read(nodes.pids(), nodes.file("postgres/data/postmaster.pid"));
  }

  private static long nanos(double seconds) {
    return (long) (seconds * NANOS_PER_SECOND);
  }
}
