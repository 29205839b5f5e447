package org.sluiceca.core.admit;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.admit.AdmissionDecision.Shed;
import org.sluiceca.core.admit.Occupancy.LaneOccupancy;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.time.Deadline;

/**
 * Clients before nodes behind a load balancer that share one token, in virtual time: admission as
 * in production, everything else a model. A refused client comes back after its Retry-After, to any
 * node.
 */
final class Crowd {

  static final long SECOND = 1_000_000_000L;

  /** The network between a client and any node, there and back. */
  private static final long ROUND_TRIP_MAX = 60_000_000L;

  private static final Duration PROMISE_MAX = Duration.ofSeconds(10);

  /**
   * What there is.
   *
   * @param perSecond signatures of the token
   * @param engines how many it makes at once
   * @param variability 0 for constant, 1 for exponential times
   * @param isRateTold whether the signer reports to admission what it can do, as the HSM's does
   */
  record Scene(
      int nodes,
      double perSecond,
      int engines,
      int places,
      double variability,
      boolean isRateTold,
      long seed) {}

  /** What a refused client hears: in production, what admission says. */
  @FunctionalInterface
  interface Advice {
    Advice HONEST = (shed, lane, random) -> shed.retryAfter();

    Duration advised(Shed shed, LaneOccupancy lane, SplittableRandom random);
  }

  /** Clients of one kind and what became of them. */
  static final class Group {
    final Lane lane;
    private final int requesters;
    private final String name;

    /**
     * Whether they come back after their Retry-After; otherwise others of their kind come at once.
     */
    private final boolean obeys;

    long came;
    long served;
    long refusedOnce;
    long refusedTwice;
    long lastServedAt;
    long longestTold;
    final Map<AdmissionDecision.Cause, Long> causes = new EnumMap<>(AdmissionDecision.Cause.class);

    Group(String name, int requesters, Lane lane, boolean obeys) {
      this.name = name;
      this.requesters = requesters;
      this.lane = lane;
      this.obeys = obeys;
    }

    /** Returns which part of those that were refused was refused when they came back. */
    double twicePart() {
      return refusedOnce == 0 ? 0 : (double) refusedTwice / refusedOnce;
    }

    @Override
    public String toString() {
      return "%s: %d came, %d served, refused %d and again %d (%.1f %%), wait %d s, last at %d s %s"
          .formatted(
              name,
              came,
              served,
              refusedOnce,
              refusedTwice,
              100 * twicePart(),
              longestTold,
              lastServedAt / SECOND,
              causes);
    }
  }

  private static final class Client {
    private final Group group;
    private final RequesterId requester;
    private int refusals;

    Client(Group group, RequesterId requester) {
      this.group = group;
      this.requester = requester;
    }
  }

  private record Event(long at, long order, Runnable what) {}

  private record Job(LinePermit place, Client client, long since) {}

  private final class Node {
    private final Admission admission =
        new Admission(
            new Admission.Terms(scene.places, Optional.empty()),
            Admission.Signer.ofOne(
                () -> true, () -> scene.isRateTold ? speed * scene.perSecond / scene.nodes : 0),
            () -> now,
            random.split());
    private final Map<Lane, Queue<Job>> queues = new EnumMap<>(Lane.class);
    private final Map<Lane, Double> served = new EnumMap<>(Lane.class);

    Node() {
      for (Lane lane : Lane.values()) {
        queues.put(lane, new ArrayDeque<>());
        served.put(lane, 0.0);
      }
    }

    /** The lane that had least for its weight, as the signer's own lanes take turns. */
    private @Nullable Job next() {
      Queue<Job> best = null;
      Lane from = Lane.BULK;
      for (Lane lane : Lane.values()) {
        Queue<Job> queue = queues.getOrDefault(lane, new ArrayDeque<>());
        if (!queue.isEmpty() && (best == null || had(lane) < had(from))) {
          best = queue;
          from = lane;
        }
      }
      if (best == null) {
        return null;
      }
      double _ = served.merge(from, 1.0, Double::sum);
      return best.remove();
    }

    private double had(Lane lane) {
      return lane == Lane.STATUS ? -1 : served.getOrDefault(lane, 0.0) / lane.weight();
    }
  }

  private final Scene scene;
  private final Advice advice;
  private final SplittableRandom random;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          (a, b) -> a.at != b.at ? Long.compare(a.at, b.at) : Long.compare(a.order, b.order));
  private final List<Node> nodes = new ArrayList<>();
  private long now;
  private long order;
  private double speed = 1;
  private int inToken;
  private int schedule;
  long longestWait;

  Crowd(Scene scene, Advice advice) {
    this.scene = scene;
    this.advice = advice;
    this.random = new SplittableRandom(scene.seed);
    for (int i = 0; i < scene.nodes; i++) {
      nodes.add(new Node());
    }
  }

  /** Brings {@code count} clients of {@code group} between {@code at} and {@code spread} later. */
  void herd(Group group, long at, long count, double spreadSeconds) {
    for (long i = 0; i < count; i++) {
      later(at + (long) (spreadSeconds * SECOND * random.nextDouble()), () -> come(group));
    }
  }

  /** Brings clients of {@code group} at random, {@code perSecond} in the mean. */
  void stream(Group group, double perSecond, long from, long until) {
    long next = from + (long) (-Math.log(1 - random.nextDouble()) / perSecond * SECOND);
    if (next < until) {
      later(
          next,
          () -> {
            come(group);
            stream(group, perSecond, next, until);
          });
    }
  }

  /** Lets the token work {@code factor} times as fast from then on. */
  void speed(long at, double factor) {
    later(at, () -> speed = factor);
  }

  void run(long until) {
    while (!events.isEmpty() && events.element().at <= until) {
      Event event = events.remove();
      now = event.at;
      event.what.run();
    }
    now = until;
  }

  Admission admission(int node) {
    return nodes.get(node).admission;
  }

  private void come(Group group) {
    group.came++;
    ask(new Client(group, new RequesterId(group.name + random.nextInt(group.requesters))));
  }

  private void ask(Client client) {
    Node node = nodes.get(random.nextInt(scene.nodes));
    Group group = client.group;
    Deadline deadline = new Deadline(now + PROMISE_MAX.toNanos());
    switch (node.admission.admit(group.lane, client.requester, deadline)) {
      case LinePermit place -> {
        boolean _ =
            node.queues
                .getOrDefault(group.lane, new ArrayDeque<>())
                .add(new Job(place, client, now));
        work();
      }
      case Shed shed -> refuse(client, shed, node);
    }
  }

  private void refuse(Client client, Shed shed, Node node) {
    Group group = client.group;
    client.refusals++;
    if (client.refusals == 1) {
      group.refusedOnce++;
    } else if (client.refusals == 2) {
      group.refusedTwice++;
    }
    long _ = group.causes.merge(shed.cause(), 1L, Long::sum);
    LaneOccupancy lane =
        node.admission.occupancy().lanes().stream()
            .filter(l -> l.lane() == group.lane)
            .findFirst()
            .orElseThrow();
    Duration advised = advice.advised(shed, lane, random);
    group.longestTold = Math.max(group.longestTold, advised.toSeconds());
    if (group.obeys) {
      later(now + advised.toNanos() + random.nextLong(ROUND_TRIP_MAX), () -> ask(client));
    }
  }

  private void work() {
    while (inToken < scene.engines) {
      Job job = null;
      for (int i = 0; (i < scene.nodes) && (job == null); i++) {
        schedule = (schedule + 1) % scene.nodes;
        job = nodes.get(schedule).next();
      }
      if (job == null) {
        return;
      }
      inToken++;
      Job taken = job;
      longestWait = Math.max(longestWait, now - taken.since);
      double mean = scene.engines * SECOND / (scene.perSecond * speed);
      double spread = -Math.log(1 - random.nextDouble());
      later(
          now + (long) (mean * (1 - scene.variability + scene.variability * spread)),
          () -> {
            inToken--;
            taken.place.completed();
            taken.client.group.served++;
            taken.client.group.lastServedAt = now;
            work();
          });
    }
  }

  private void later(long at, Runnable what) {
    events.add(new Event(at, order++, what));
  }
}
