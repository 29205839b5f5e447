package org.sluiceca.core.admit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.SplittableRandom;
import org.sluiceca.core.admit.AdmissionDecision.Shed;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SigningCost;
import org.sluiceca.core.time.Deadline;

/**
 * One node and a token of eight engines whose keys cost differently, in virtual time: admission as
 * in production; in front of the token requesters share its time by start-time fair queueing, as
 * hsm.queue has it.
 */
final class MixedLine {

  static final long SECOND = 1_000_000_000L;
  static final int ENGINES = 8;

  /** Of a request that costs 1: P-256 in the plan engines-shared. */
  static final double SERVICE_SECONDS = 0.133;

  /** The signer's work a second. */
  static final double WORK_PER_SECOND = ENGINES / SERVICE_SECONDS;

  private static final long PROMISE_NANOS = 10 * SECOND;

  /** As the token's own moving average of its latest jobs. */
  private static final double MEAN_WEIGHT = 1.0 / 16;

  /** What a request counts as; in production what it costs. */
  @FunctionalInterface
  interface Rule {
    Rule WORK = cost -> cost;

    double counted(double cost);
  }

  /** One requester and what became of it. */
  static final class Asker {
    private final RequesterId id;
    private final double cost;
    private final boolean obeys;
    private final Queue<Job> queue = new ArrayDeque<>();
    private double startTag;

    long came;
    long refusedOnce;
    long refusedTwice;
    double workDone;
    long longestTold;

    Asker(String name, double cost, boolean obeys) {
      this.id = new RequesterId(name);
      this.cost = cost;
      this.obeys = obeys;
    }

    double refusedPart() {
      return (double) refusedOnce / came;
    }

    @Override
    public String toString() {
      return "%s: %d came, refused %d (%.2f %%) and again %d, Retry-After up to %d s, work %.0f"
          .formatted(
              id, came, refusedOnce, 100 * refusedPart(), refusedTwice, longestTold, workDone);
    }
  }

  private record Job(LinePermit place, Asker asker) {}

  private record Event(long at, long order, Runnable what) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
  private final List<Asker> askers = new ArrayList<>();
  private final SplittableRandom random;
  private final Rule rule;
  private final Admission admission;
  private long now;
  private long order;
  private int inToken;
  private double virtualTime;
  private double meanServiceSeconds;
  private long countFrom;

  /** A line with {@code places} places. */
  MixedLine(int places, Rule rule, long seed) {
    this.random = new SplittableRandom(seed);
    this.rule = rule;
    this.admission =
        new Admission(
            new Admission.Terms(places, Optional.empty()),
            Admission.Signer.ofOne(
                () -> true, () -> meanServiceSeconds == 0 ? 0 : ENGINES / meanServiceSeconds),
            () -> now,
            random.split());
  }

  Admission admission() {
    return admission;
  }

  /** Has a requester ask at random for that multiple of what the signer does. */
  Asker stream(String name, double cost, boolean obeys, double timesTheSigner) {
    Asker asker = new Asker(name, cost, obeys);
    askers.add(asker);
    next(asker, timesTheSigner * WORK_PER_SECOND / cost);
    return asker;
  }

  /** Runs until then; what was done after {@code warmUp} seconds counts. */
  void run(long warmUp, long seconds) {
    countFrom = warmUp * SECOND;
    long until = seconds * SECOND;
    while (!events.isEmpty() && events.element().at <= until) {
      Event event = events.remove();
      now = event.at;
      event.what.run();
    }
    now = until;
  }

  /** Returns the part of the engines' time that was used since the warm-up. */
  double busyPart() {
    double done = askers.stream().mapToDouble(asker -> asker.workDone).sum();
    return done / (WORK_PER_SECOND * (now - countFrom) / SECOND);
  }

  /** Returns the part of the work done that was this requester's. */
  double share(Asker asker) {
    return asker.workDone / askers.stream().mapToDouble(a -> a.workDone).sum();
  }

  private void next(Asker asker, double perSecond) {
    later(
        -Math.log(1 - random.nextDouble()) / perSecond,
        () -> {
          asker.came++;
          ask(asker, 0);
          next(asker, perSecond);
        });
  }

  private void ask(Asker asker, int refusals) {
    Deadline deadline = new Deadline(now + PROMISE_NANOS);
    switch (admission.admit(
        Lane.INTERACTIVE, asker.id, SigningCost.of(rule.counted(asker.cost)), deadline)) {
      case LinePermit place -> {
        if (asker.queue.isEmpty()) {
          asker.startTag = Math.max(asker.startTag, virtualTime);
        }
        boolean _ = asker.queue.add(new Job(place, asker));
        work();
      }
      case Shed shed -> {
        asker.refusedOnce += refusals == 0 ? 1 : 0;
        asker.refusedTwice += refusals == 1 ? 1 : 0;
        asker.longestTold = Math.max(asker.longestTold, shed.retryAfter().toSeconds());
        if (asker.obeys) {
          later(
              shed.retryAfter().toSeconds() + 0.06 * random.nextDouble(),
              () -> ask(asker, refusals + 1));
        }
      }
    }
  }

  private void work() {
    while (inToken < ENGINES) {
      Optional<Asker> first =
          askers.stream()
              .filter(asker -> !asker.queue.isEmpty())
              .min(Comparator.comparingDouble(asker -> asker.startTag));
      if (first.isEmpty()) {
        return;
      }
      Asker asker = first.get();
      Job job = asker.queue.remove();
      virtualTime = asker.startTag;
      asker.startTag += asker.cost;
      inToken++;
      double seconds = SERVICE_SECONDS * asker.cost;
      later(seconds, () -> done(job, seconds));
    }
  }

  private void done(Job job, double seconds) {
    inToken--;
    meanServiceSeconds =
        meanServiceSeconds == 0
            ? seconds
            : meanServiceSeconds + MEAN_WEIGHT * (seconds - meanServiceSeconds);
    job.place.completed();
    if (now >= countFrom) {
      job.asker.workDone += job.asker.cost;
    }
    work();
  }

  private void later(double seconds, Runnable what) {
    boolean _ = events.add(new Event(now + (long) (seconds * SECOND), order++, what));
  }
}
