package org.sluiceca.load.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.sluiceca.load.call.Wait;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.drive.ClosedLoop;
import org.sluiceca.load.drive.Crowd;
import org.sluiceca.load.drive.OpenLoop;
import org.sluiceca.load.inside.Meter;
import org.sluiceca.load.inside.TimeoutLadder;
import org.sluiceca.load.judge.Occurrence;
import org.sluiceca.load.judge.PhaseRecord;
import org.sluiceca.load.plan.FaultEvent;
import org.sluiceca.load.plan.HsmPlan;
import org.sluiceca.load.plan.Phase;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.watch.HsmFigures;
import org.sluiceca.load.watch.NodeAddresses;
import org.sluiceca.load.watch.ProcessTimes;

/**
 * One phase: a thread keeps the timetable, another one, the conductor, does what the plan lets
 * happen and takes the figures at the borders of the measured time.
 */
final class PhaseRun {

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** From laying the timetable down to its first request. */
  private static final long LEAD_NANOS = 200_000_000L;

  /** A request is answered within 45 s or given up; a machine at its end is slow to notice. */
  private static final Duration QUIET_WITHIN = Duration.ofMinutes(2);

  /** Joining nodes take their time; no phase is longer than 600 s. */
  private static final Duration CONDUCTED_WITHIN = Duration.ofMinutes(25);

  private final Plan plan;
  private final Phase phase;
  private final Stage stage;
  private final List<Occurrence> occurrences = new ArrayList<>();

  PhaseRun(Plan plan, Phase phase, Stage stage) {
    this.plan = plan;
    this.phase = phase;
    this.stage = stage;
  }

  private record Borders(long first, long from, long until) {}

  private record Closing(
      Map<String, HsmFigures> hsms,
      ProcessTimes used,
      double loadAverage,
      Map<Integer, Long> residentBytes) {}

  PhaseRecord run() {
    stage.settings(plan.settings(phase));
    stage.tokens().give(plan.hsms(phase), stage.nodes(), stage.doors());
    long first = System.nanoTime() + LEAD_NANOS;
    long from = first + nanos(phase.settleSeconds());
    Borders borders = new Borders(first, from, from + nanos(phase.seconds()));
    return phase.crowdSeconds() > 0 ? runCrowd(borders) : runOpenLoop(borders);
  }

  private PhaseRecord runOpenLoop(Borders borders) {
    try (ExecutorService conductor = Executors.newSingleThreadExecutor();
        OpenLoop loop = new OpenLoop(stage.sender())) {
      Future<Closing> conducted = conductor.submit(() -> conduct(borders));
      OpenLoop.Stretch stretch = stretch(borders);
      new ClosedLoop(loop, stage.sender()).begin(stretch, stage.nodes().living());
      loop.run(stretch);
      PhaseRecord seen = record(borders.from(), borders.until(), get(conducted));
      requireQuiet(loop);
      return seen;
    }
  }

  /** The measured time is from the first client to the last. */
  private PhaseRecord runCrowd(Borders borders) {
    Map<String, HsmFigures> ignored = stage.hsms().figures(true);
    ProcessTimes before = stage.processTimes();
    try (OpenLoop loop = new OpenLoop(stage.sender())) {
      int clients = plan.crowd(phase);
      OpenLoop.Stretch stretch = stretch(borders);
      new Crowd(loop, stage.sender()).come(clients, stretch, Plan.CROWD);
      if (!phase.offers().isEmpty()) {
        loop.run(stretch);
      }
      Duration longest = Duration.ofNanos(borders.until() - System.nanoTime()).plus(QUIET_WITHIN);
      boolean isServed = loop.awaitQuiet(longest);
      stage.say(isServed ? "the crowd is gone" : "the crowd still waits");
      return record(borders.first(), System.nanoTime(), closing(before));
    }
  }

  private OpenLoop.Stretch stretch(Borders borders) {
    return new OpenLoop.Stretch(
        phase.name(),
        phase.offers(),
        plan.capacity(),
        plan.client().isPoisson(),
        plan.client().seed() + phase.name().hashCode(),
        borders.first(),
        borders.until());
  }

  private Closing conduct(Borders borders) {
    OpenLoop.awaitTime(borders.from());
    Map<String, HsmFigures> ignored = stage.hsms().figures(true);
    ProcessTimes before = stage.processTimes();
    for (FaultEvent fault : phase.faults()) {
      OpenLoop.awaitTime(borders.from() + nanos(fault.atSeconds()));
      occurrences.add(make(fault));
    }
    OpenLoop.awaitTime(borders.until());
    return closing(before);
  }

  private Closing closing(ProcessTimes before) {
    return new Closing(
        stage.hsms().figures(false),
        stage.processTimes().since(before),
        ProcessTimes.loadAverage(),
        stage.nodes().resident());
  }

  /**
   * What takes time (a node that starts) has occurred when it is done, all else at once. What
   * cannot be done ends no run: nothing recovers from it, so that its goals are missed.
   */
  private Occurrence make(FaultEvent fault) {
    stage.say(phase.name() + ": " + fault.what());
    long begun = System.nanoTime();
    try {
      boolean takesTime = does(fault);
      return occurrence(fault, begun, takesTime ? System.nanoTime() : begun, false);
    } catch (TrialException e) {
      stage.say(fault.what() + ": " + e);
      return occurrence(fault, begun, begun, true);
    }
  }

  private Occurrence occurrence(FaultEvent fault, long begun, long at, boolean hasFailed) {
    OptionalDouble expected = fault.expected();
    return new Occurrence(
        fault.what(),
        plan.hsmOf(fault),
        begun,
        at,
        expected.isEmpty() ? expected : OptionalDouble.of(due(expected.getAsDouble())),
        hasFailed);
  }

  private boolean does(FaultEvent fault) {
    List<String> words = fault.words();
    return switch (words.getFirst()) {
      case "hsm" -> stage.order(plan.hsmOf(fault).orElseThrow(), plan.order(fault));
      case "kill" -> stage.kill(Integer.parseInt(words.get(1)));
      case "kill-leader" -> stage.killLeader();
      case FaultEvent.REVOKE -> stage.revoke();
      case "join" -> stage.up(stage.nodes().count() + 1);
      default -> stage.up(stage.nodes().count());
    };
  }

  /** Returns the expected rate: no service can issue more than clients ask for. */
  private double due(double share) {
    return Math.min(phase.load(), share) * plan.capacity();
  }

  private PhaseRecord record(long from, long until, Closing closing) {
    List<Integer> living = stage.nodes().living();
    Map<Integer, Map<String, Double>> metrics = new HashMap<>();
    for (int node : living) {
      metrics.put(node, stage.doors().metrics(node));
    }
    return new PhaseRecord(
        phase,
        from,
        until,
        closing.hsms(),
        closing.used(),
        closing.loadAverage(),
        living,
        stage.nodes().count() - living.size(),
        occurrences,
        metrics,
        ladder(living),
        stage.doors().capacity().orElse(""),
        closing.residentBytes());
  }

  /** As the first node that lives has it: all are configured alike. */
  private TimeoutLadder ladder(List<Integer> living) {
    String said = living.isEmpty() ? "" : stage.doors().metricsText(living.getFirst()).orElse("");
    return TimeoutLadder.of(
        plan.client().waitSeconds(),
        plan.hsms().size() == 1
            ? List.of(NodeAddresses.ALONE)
            : plan.hsms(phase).stream().map(HsmPlan::name).toList(),
        Meter.parse(said));
  }

  private static void requireQuiet(OpenLoop loop) {
    if (!loop.awaitQuiet(QUIET_WITHIN)) {
      throw new TrialException("requests had no end within " + QUIET_WITHIN);
    }
  }

  private static Closing get(Future<Closing> conducted) {
    try {
      return conducted.get(CONDUCTED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw Wait.interrupted(e);
    } catch (ExecutionException | TimeoutException e) {
      throw new TrialException("the phase was not conducted to its end", e);
    }
  }

  private static long nanos(double seconds) {
    return (long) (seconds * NANOS_PER_SECOND);
  }
}
