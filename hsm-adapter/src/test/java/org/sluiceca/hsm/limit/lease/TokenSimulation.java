package org.sluiceca.hsm.limit.lease;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.limit.Grant;
import org.sluiceca.hsm.limit.Limiter;
import org.sluiceca.hsm.limit.Limits;
import org.sluiceca.hsm.limit.NodeReport;

/**
 * Several nodes on one token in virtual time. Limiters and leader are the production classes;
 * token, network and demand are simulated. One seed is one course of events, exactly.
 */
final class TokenSimulation {

  /** What service times are like. */
  enum Service {
    CONSTANT,
    EXPONENTIAL,
    /** Half of the jobs take seven times as long as the others, as RSA does next to EC. */
    MIXED
  }

  /** How nodes find their windows. */
  enum Control {
    /** A leader that all reach at once, and no node's part. */
    LEASED,
    /** As in production: members with a store between them, each in its own step. */
    STORED,
    ALONE
  }

  /** One cell of the matrix. */
  record Cell(int nodes, int engines, Service service, Control control) {}

  /** Planted bugs, which the checks must find. */
  enum Mutant {
    NONE,
    /** Each node takes the shortest response that it has seen for the base delay. */
    OWN_MINIMUM,
    /** A call that has taken two seconds gives its permit back, while it still runs. */
    RELEASED_ZOMBIE,
    /** Windows are rounded to whole jobs. */
    WHOLE_JOBS
  }

  /** What an HSM of the field has. */
  static final int QUEUE = 150;

  /** Mean service time, seconds. */
  static final double BASE = 0.005;

  private static final double NANOS = 1e9;
  private static final double SAMPLED_EVERY = 0.01;
  private static final double CALL_TIMEOUT = 2;
  private static final int BACKLOG = 1_000;
  private static final double BEAT = LeaseController.PERIOD.toMillis() / 1e3 - 0.01;
  private static final double JITTER = 0.02;

  /** One node; always something to do unless it is idle. */
  final class Node {
    private final String name;
    private final double rtt;
    private final Limiter limiter;
    final LeaseMember member;
    private double shortest = Double.MAX_VALUE;
    private long completions;
    private long grantAtLast;
    private boolean isWaking;
    boolean isAlive = true;

    /** Whether it has stopped to report, lead and read. */
    boolean isMute;

    boolean isIdle;
    private boolean isBacklogged = true;
    private int waiting;

    private Node(String name, double rtt) {
      this.name = name;
      this.rtt = rtt;
      this.limiter = new Limiter(limits, new Limiter.Expected(base, rtt, random.nextDouble()), now);
      this.member = new LeaseMember("token", limits, new InMemoryLeaseStore(tables), () -> now);
    }

    /** As production's loop does: a store that is away costs nothing but the beat. */
    private void beat() {
      if (isAlive && !isMute) {
        tables.pass(Duration.ofNanos(now - storeNanos));
        storeNanos = now;
        NodeReport report = limiter.report(name, ready(), now);
        try {
          member.beat(report).ifPresent(u -> limiter.lease(u.grant(), u.untilNanos(), now));
        } catch (LeaseStore.Unavailable e) {
          failedBeats++;
        }
        pump(this);
      }
      after(BEAT + JITTER * random.nextDouble(), this::beat);
    }

    /** Grants come at any time of a period: a new one is reported when it was used all through. */
    private NodeReport reportOfThePeriod() {
      NodeReport report = limiter.report(name, ready(), now);
      long before = grantAtLast;
      grantAtLast = report.grantSeen();
      return new NodeReport(
          name, report.demand(), report.width(), report.rttSeconds(), report.sample(), before);
    }

    /** Whether its window is leased, and how wide it is. */
    boolean isLeased() {
      return limiter.isLeased();
    }

    double width() {
      return limiter.width();
    }

    private int ready() {
      return isIdle ? 0 : isBacklogged ? BACKLOG : waiting;
    }

    /** How many of its jobs were done. */
    long completions() {
      return completions;
    }

    /** From now on there is always something to do. */
    void flood() {
      isBacklogged = true;
      pump(this);
    }

    /** From now on jobs come by chance, at this rate. */
    void offer(double perSecond) {
      isBacklogged = false;
      after(
          -Math.log(1 - random.nextDouble()) / perSecond,
          () -> {
            if (!isBacklogged) {
              waiting++;
              pump(this);
              offer(perSecond);
            }
          });
    }
  }

  private static final class Job {
    final Node node;
    final long startedNanos;
    final double service;
    final double base;
    boolean isGivenUp;

    Job(Node node, long startedNanos, double service, double base) {
      this.node = node;
      this.startedNanos = startedNanos;
      this.service = service;
      this.base = base;
    }
  }

  private record Event(long at, long order, Runnable what) {}

  final Cell cell;

  /** Jobs that may wait in the token. */
  final int queueMax;

  final List<Node> nodes = new ArrayList<>();

  /** Of the service times, as they are now. */
  double slow = 1;

  /** At work now. */
  int engines;

  /** Of the calibration. */
  double baseError = 1;

  private final double base;
  private final Mutant mutant;
  private final Random random;
  final Limits limits;

  /** What the store holds. */
  final InMemoryLeaseStore.Tables tables = new InMemoryLeaseStore.Tables();

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          (a, b) -> a.at != b.at ? Long.compare(a.at, b.at) : Long.compare(a.order, b.order));
  private final ArrayDeque<Job> queue = new ArrayDeque<>();
  private final List<Integer> queueLengths = new ArrayList<>();
  private @Nullable LeaseController leader;
  private int epoch;
  private long storeNanos;
  int failedBeats;

  /** The most that was leased at once. */
  double leasedMax;

  private int inToken;
  private int inTokenMax;
  private long now;
  private long order;
  private int serving;
  private double servedNanos;
  private long servedSince;
  private long busyAnswers;
  private long stalledUntil;
  private long busyUntil;
  private long hidingUntil;

  TokenSimulation(Cell cell, int queueMax, Mutant mutant, long seed) {
    this(cell, queueMax, mutant, seed, BASE);
  }

  /** A token whose jobs take {@code base} seconds on the mean. */
  TokenSimulation(Cell cell, int queueMax, Mutant mutant, long seed, double base) {
    this.cell = cell;
    this.base = base;
    this.queueMax = queueMax;
    this.mutant = mutant;
    this.random = new Random(seed);
    this.engines = cell.engines();
    this.limits = Limits.of(cell.engines(), queueMax, cell.nodes());
    if (cell.control() == Control.LEASED) {
      elect();
      after(0.5, this::lead);
    }
    after(SAMPLED_EVERY, this::sample);
  }

  /** Adds a node with this round trip in seconds. */
  void join(double rtt) {
    Node node = new Node("node-" + nodes.size(), rtt);
    nodes.add(node);
    pump(node);
    if (cell.control() == Control.STORED) {
      after(random.nextDouble(), node::beat);
    }
  }

  /** The leader is gone with all it knew. */
  void loseLeader() {
    leader = null;
    nodes.stream().filter(n -> n.member.leads()).forEach(n -> n.isMute = true);
  }

  /** Another one takes over and knows nothing. */
  void elect() {
    nodes.forEach(n -> n.isMute = false);
    leader = new LeaseController(limits, epoch++, now);
  }

  /** Nothing is served for a while. */
  void stall(double seconds) {
    stalledUntil = now + nanos(seconds);
    after(seconds, this::serveNext);
  }

  /** Every job is refused as busy for a while. */
  void refuse(double seconds) {
    busyUntil = now + nanos(seconds);
  }

  /** For a while the vendor's library tries one call in twenty again behind our back. */
  void retryHidden(double seconds) {
    hidingUntil = now + nanos(seconds);
  }

  /** Lets time pass. */
  void run(double seconds) {
    long end = now + nanos(seconds);
    while (!events.isEmpty() && events.peek().at() <= end) {
      Event event = events.poll();
      now = event.at();
      event.what().run();
    }
    now = end;
  }

  /**
   * What was seen in a stretch of time.
   *
   * @param utilization of the engines there are, 0 to 1
   * @param jain fairness of completions over the nodes that always had work
   * @param queue50 the median of the jobs that wait in the token
   * @param queue99 99th percentile of the jobs that wait in the token
   * @param busy answers that said busy
   * @param inTokenMax the most jobs that waited or were at work
   */
  record Seen(
      double utilization, double jain, int queue50, int queue99, long busy, int inTokenMax) {}

  /** Lets time pass and watches. */
  Seen observe(double seconds) {
    account();
    double servedBefore = servedNanos;
    long busyBefore = busyAnswers;
    long[] before = nodes.stream().mapToLong(n -> n.completions).toArray();
    queueLengths.clear();
    inTokenMax = inToken;
    run(seconds);
    account();
    double sum = 0;
    double squares = 0;
    int count = 0;
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i).isAlive && !nodes.get(i).isIdle) {
        double completions = nodes.get(i).completions - before[i];
        sum += completions;
        squares += completions * completions;
        count++;
      }
    }
    int[] lengths = queueLengths.stream().mapToInt(i -> i).sorted().toArray();
    return new Seen(
        (servedNanos - servedBefore) / (engines * seconds * NANOS),
        sum * sum / (count * squares),
        lengths[(lengths.length - 1) / 2],
        lengths[(int) (0.99 * (lengths.length - 1))],
        busyAnswers - busyBefore,
        inTokenMax);
  }

  private void after(double seconds, Runnable what) {
    events.add(new Event(now + nanos(seconds), order++, what));
  }

  private static long nanos(double seconds) {
    return (long) (seconds * NANOS);
  }

  private void pump(Node node) {
    while (node.isAlive && node.ready() > 0 && node.limiter.admits(now)) {
      start(node);
    }
    if (node.isAlive && node.ready() > 0 && node.limiter.inflight() == 0 && !node.isWaking) {
      node.isWaking = true;
      double wait = Math.max(1e-6, (node.limiter.nextStartNanos(now) - now) / NANOS);
      after(
          wait,
          () -> {
            node.isWaking = false;
            pump(node);
          });
    }
  }

  private void start(Node node) {
    node.limiter.started();
    node.waiting = Math.max(0, node.waiting - 1);
    double mean =
        cell.service() == Service.MIXED ? base * (random.nextBoolean() ? 0.25 : 1.75) : base;
    double service =
        cell.service() == Service.EXPONENTIAL ? -mean * Math.log(1 - random.nextDouble()) : mean;
    Job job = new Job(node, now, service * slow, mean * baseError);
    after(node.rtt / 2, () -> arrive(job));
    if (mutant == Mutant.RELEASED_ZOMBIE) {
      after(CALL_TIMEOUT, () -> giveUp(job));
    }
  }

  private void giveUp(Job job) {
    if (!job.isGivenUp) {
      job.isGivenUp = true;
      job.node.limiter.ended(now);
      pump(job.node);
    }
  }

  private void arrive(Job job) {
    if (now < busyUntil || queue.size() >= queueMax) {
      busyAnswers++;
      after(job.node.rtt / 2, () -> refused(job));
    } else {
      queue.add(job);
      inToken++;
      inTokenMax = Math.max(inTokenMax, inToken);
      serveNext();
    }
  }

  private void refused(Job job) {
    if (!job.isGivenUp) {
      job.isGivenUp = true;
      job.node.limiter.busy(now);
      pump(job.node);
    }
  }

  private void serveNext() {
    while (now >= stalledUntil && serving < engines && !queue.isEmpty()) {
      account();
      serving++;
      Job job = queue.poll();
      after(job.service, () -> served(job));
    }
  }

  private void served(Job job) {
    account();
    serving--;
    inToken--;
    boolean isHidden = now < hidingUntil && random.nextInt(20) == 0;
    after(job.node.rtt / 2 + (isHidden ? 10 * base : 0), () -> completed(job));
    serveNext();
  }

  private void completed(Job job) {
    Node node = job.node;
    if (!node.isAlive || job.isGivenUp) {
      return;
    }
    job.isGivenUp = true;
    node.completions++;
    double response = (now - job.startedNanos) / NANOS;
    node.shortest = Math.min(node.shortest, response - node.rtt);
    double base = mutant == Mutant.OWN_MINIMUM ? node.shortest : job.base;
    node.limiter.completed(response, base, now);
    pump(node);
  }

  private void account() {
    servedNanos += (double) serving * (now - servedSince);
    servedSince = now;
  }

  private void sample() {
    queueLengths.add(queue.size());
    leasedMax =
        Math.max(
            leasedMax,
            nodes.stream().filter(n -> n.isAlive && n.isLeased()).mapToDouble(Node::width).sum());
    after(SAMPLED_EVERY, this::sample);
  }

  /** The leader's period: reports in, grants out, each read within the next second. */
  private void lead() {
    List<NodeReport> reports =
        nodes.stream().filter(n -> n.isAlive).map(Node::reportOfThePeriod).toList();
    if (leader != null) {
      for (Grant grant : leader.update(reports, now)) {
        long readAt = now;
        after(0.05 + 0.9 * random.nextDouble(), () -> read(grant, readAt));
      }
    }
    after(LeaseController.PERIOD.toMillis() / 1e3, this::lead);
  }

  private void read(Grant grant, long readAt) {
    Node node = nodes.stream().filter(n -> n.name.equals(grant.node())).findFirst().orElseThrow();
    if (node.isAlive) {
      Grant used =
          mutant == Mutant.WHOLE_JOBS
              ? new Grant(grant.node(), grant.number(), Math.max(1, Math.round(grant.width())))
              : grant;
      node.limiter.lease(used, readAt + LeaseController.LEASE.toNanos(), now);
      pump(node);
    }
  }

  @Override
  public String toString() {
    return "%s, windows %s"
        .formatted(
            cell, Arrays.toString(nodes.stream().mapToDouble(n -> n.limiter.width()).toArray()));
  }
}
