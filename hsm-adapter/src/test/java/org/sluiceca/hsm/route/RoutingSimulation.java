package org.sluiceca.hsm.route;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.HsmStats;
import org.sluiceca.hsm.KeyFindings;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.StartedSignature;
import org.sluiceca.hsm.TokenSigner;

/**
 * A node's requests over several tokens in virtual time: router, breakers and rules of failure are
 * the real ones; lanes, devices and requesters are modelled. One thread, one seed, no clock.
 */
final class RoutingSimulation {
  static final KeyRef KEY = FakeToken.key(1);
  private static final Duration DEADLINE = Duration.ofSeconds(13);
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(5);

  private final Random random;
  private final FailureRules rules;
  private final Router router;
  private final Map<String, SimToken> tokens = new LinkedHashMap<>();
  private final List<TokenEndpoint> endpoints = new ArrayList<>();
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long sequence;

  /** Not 0, which is a time like any other for the code under test. */
  private long now = Duration.ofHours(1).toNanos();

  private final long start = now;

  /** Every request that has ended or not. */
  final List<Request> requests = new ArrayList<>();

  RoutingSimulation(long seed, String region, FailureRules rules) {
    this.random = new Random(seed);
    this.router = new Router(region);
    this.rules = rules;
  }

  private record Event(long at, long sequence, Runnable what) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
    }
  }

  /** One request and what became of it. */
  static final class Request {
    final long arrived;
    final Set<TokenEndpoint> tried = new HashSet<>();
    long ended;
    int executions;
    int hops;
    @Nullable HsmException failure;
    String by = "";

    Request(long arrived) {
      this.arrived = arrived;
    }

    double millis() {
      return (ended - arrived) / 1e6;
    }

    boolean isSigned() {
      return ended != 0 && failure == null;
    }
  }

  /**
   * A device.
   *
   * @param window what the lane lets in
   * @param room how many the device takes before it says busy
   * @param engines how many it works on at once
   */
  record Device(int window, int room, int engines, double serviceMillis, double rttMillis) {
    static Device ample(int engines, double serviceMillis, double rttMillis) {
      return new Device(4 * engines, Integer.MAX_VALUE, engines, serviceMillis, rttMillis);
    }
  }

  SimToken add(String name, String region, Device device) {
    TokenPolicy policy = new TokenPolicy(TokenPolicy.Preference.PREFERRED, region);
    TokenSettings settings =
        new TokenSettings(
            name, FakeToken.settings(name).hsm().withCallTimeout(CALL_TIMEOUT), policy);
    TokenEndpoint endpoint = new TokenEndpoint(settings, GroupObserver.NONE, rules, clock());
    SimToken token = new SimToken(endpoint, device);
    endpoint.open(token);
    endpoints.add(endpoint);
    tokens.put(name, token);
    return token;
  }

  void at(double seconds, Runnable what) {
    schedule(start + (long) (seconds * 1e9), what);
  }

  /** Requests as rain, for so long; each has a deadline. */
  void rain(double perSecond, double fromSecond, double untilSecond) {
    double t = fromSecond;
    while (t < untilSecond) {
      at(t, this::arrive);
      t += -Math.log(1 - random.nextDouble()) / perSecond;
    }
  }

  void run() {
    for (Event next = events.poll(); next != null; next = events.poll()) {
      now = next.at();
      next.what().run();
    }
  }

  double second(long nanos) {
    return (nanos - start) / 1e9;
  }

  /** Of the signed requests that arrived in this time, in milliseconds. */
  double percentile(double share, double fromSecond, double untilSecond) {
    double[] sorted =
        requests.stream()
            .filter(r -> second(r.arrived) >= fromSecond && second(r.arrived) < untilSecond)
            .filter(Request::isSigned)
            .mapToDouble(Request::millis)
            .sorted()
            .toArray();
    return sorted[(int) (share * (sorted.length - 1))];
  }

  long signedBetween(double fromSecond, double untilSecond) {
    return requests.stream()
        .filter(Request::isSigned)
        .filter(r -> second(r.ended) >= fromSecond && second(r.ended) < untilSecond)
        .count();
  }

  /** The token that has most to do. */
  SimToken busiest() {
    return tokens.values().stream()
        .max(Comparator.comparingInt(t -> t.lane.size() + t.inflight()))
        .orElseThrow();
  }

  long busyAnswers() {
    return tokens.values().stream().mapToLong(t -> t.busy).sum();
  }

  long opened() {
    return tokens.values().stream().mapToLong(t -> t.opened).sum();
  }

  private void arrive() {
    Request request = new Request(now);
    requests.add(request);
    dispatch(request);
  }

  private void dispatch(Request request) {
    long left = request.arrived + DEADLINE.toNanos() - now;
    Optional<Router.Choice> choice =
        left <= 0
            ? Optional.empty()
            : router.choose(
                endpoints, request.tried, new Router.Ask(KEY, Mechanism.ECDSA_SHA256, left, now));
    if (choice.isEmpty()) {
      end(request, new HsmException.NoUsableToken("none"));
      return;
    }
    TokenEndpoint endpoint = choice.get().endpoint();
    request.hops++;
    SimToken token = tokens.get(endpoint.name());
    if (token == null) {
      throw new IllegalStateException("no token " + endpoint.name());
    }
    token.offer(new Job(request, choice.get().isProbe()));
  }

  private void end(Request request, @Nullable HsmException failure) {
    request.ended = now;
    request.failure = failure;
  }

  private void schedule(long at, Runnable what) {
    events.add(new Event(at, sequence++, what));
  }

  private Clock clock() {
    return new Clock() {
      @Override
      public Instant instant() {
        return Instant.EPOCH.plusNanos(now);
      }

      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        return this;
      }
    };
  }

  /** A request in a token. */
  private static final class Job {
    final Request request;
    final boolean isProbe;
    long startedNanos;
    boolean isServed;
    boolean isGone;

    Job(Request request, boolean isProbe) {
      this.request = request;
      this.isProbe = isProbe;
    }
  }

  /** A lane and the device behind it. */
  final class SimToken implements TokenSigner {
    private final TokenEndpoint endpoint;
    private final Device device;
    private final Deque<Job> lane = new ArrayDeque<>();
    private final Deque<Job> inside = new ArrayDeque<>();
    private final Set<Job> served = new HashSet<>();
    private final Set<Job> answers = new HashSet<>();
    private int zombies;
    private double meanNanos;
    private HsmState state = HsmState.READY;
    private boolean hangs;
    private int opened;
    private int busy;

    SimToken(TokenEndpoint endpoint, Device device) {
      this.endpoint = endpoint;
      this.device = device;
    }

    String name() {
      return endpoint.name();
    }

    private void offer(Job job) {
      if (state != HsmState.READY) {
        failed(job, new HsmException.TokenLost("lost", false));
        return;
      }
      lane.add(job);
      feed();
    }

    private int inflight() {
      return inside.size() + served.size() + answers.size() + zombies;
    }

    private void feed() {
      while (!lane.isEmpty() && inflight() < device.window()) {
        Job job = lane.remove();
        job.startedNanos = now;
        if (inflight() >= device.room()) {
          // The answer is due after the network's round trip; the permit is held until then.
          answers.add(job);
          schedule(now + millis(device.rttMillis() + 0.2), () -> answeredBusy(job));
        } else {
          inside.add(job);
          schedule(now + CALL_TIMEOUT.toNanos(), () -> timeout(job));
          schedule(now + millis(device.rttMillis() / 2), this::serve);
        }
      }
    }

    private void answeredBusy(Job job) {
      if (answers.remove(job)) {
        busy++;
        failed(job, new HsmException.Busy("busy"));
        feed();
      }
    }

    private void serve() {
      while (!hangs && !inside.isEmpty() && served.size() < device.engines()) {
        Job job = inside.remove();
        job.isServed = true;
        job.request.executions++;
        served.add(job);
        double service = device.serviceMillis() * (0.5 + random.nextDouble());
        schedule(now + millis(service), () -> served(job));
      }
    }

    /** The engine is free; the answer is on its way. */
    private void served(Job job) {
      if (!hangs && served.remove(job)) {
        answers.add(job);
        schedule(now + millis(device.rttMillis() / 2), () -> answered(job));
        serve();
      }
    }

    private void answered(Job job) {
      if (!answers.remove(job)) {
        return;
      }
      double took = now - job.startedNanos;
      meanNanos = meanNanos == 0 ? took : meanNanos + (took - meanNanos) / 16;
      if (!job.isGone) {
        endpoint.breaker(KEY, Mechanism.ECDSA_SHA256).succeeded();
        job.request.by = endpoint.name();
        end(job.request, null);
      }
      feed();
    }

    private void timeout(Job job) {
      if (!job.isGone && (inside.contains(job) || served.contains(job))) {
        job.isGone = true;
        if (inside.remove(job)) {
          zombies++;
        }
        // What was served keeps its place, as a zombie does.
        failed(job, new HsmException.SignTimedOut(CALL_TIMEOUT));
      }
    }

    private void failed(Job job, HsmException failure) {
      boolean wasClosed = endpoint.breaker(KEY, Mechanism.ECDSA_SHA256).isClosed();
      endpoint.failed(KEY, Mechanism.ECDSA_SHA256, failure, job.isProbe);
      if (wasClosed && !endpoint.breaker(KEY, Mechanism.ECDSA_SHA256).isClosed()) {
        opened++;
      }
      if (rules.goesElsewhere().test(failure)) {
        job.request.tried.add(endpoint);
        dispatch(job.request);
      } else {
        end(job.request, failure);
      }
    }

    /** Those in service may have been signed; those that wait have not. */
    void die() {
      state = HsmState.TOKEN_LOST;
      List<Job> begun = new ArrayList<>(served);
      begun.addAll(answers);
      List<Job> waiting = new ArrayList<>(inside);
      waiting.addAll(lane);
      served.clear();
      answers.clear();
      inside.clear();
      lane.clear();
      begun.forEach(j -> failed(j, new HsmException.TokenLost("lost", j.isServed)));
      waiting.forEach(j -> failed(j, new HsmException.TokenLost("lost", false)));
    }

    void comeBack() {
      state = HsmState.READY;
      endpoint.tokenObserver(HsmObserver.NONE).stateChanged(HsmState.READY);
    }

    void hang() {
      hangs = true;
    }

    /** What hung is answered, and no caller waits for it. */
    void unhang() {
      hangs = false;
      zombies = 0;
      served.clear();
      serve();
      feed();
    }

    @Override
    public StartedSignature start(SignRequest request, Thread waiter) {
      throw new UnsupportedOperationException("the simulation dispatches by itself");
    }

    @Override
    public HsmStats statsFor(KeyRef key, Mechanism mechanism) {
      return stats();
    }

    @Override
    public long costNanos(KeyRef key, Mechanism mechanism) {
      return (long) meanNanos;
    }

    @Override
    public int enginesFor(KeyRef key, Mechanism mechanism) {
      return 0;
    }

    @Override
    public HsmStats stats() {
      int gone = zombies + (int) served.stream().filter(j -> j.isGone).count();
      return Stats.of(
          state,
          lane.size(),
          new Stats.Window(inflight(), device.window(), gone),
          (long) meanNanos);
    }

    @Override
    public KeyFindings keys() {
      return new KeyFindings(Set.of(KEY), Map.of());
    }

    @Override
    public void close() {
      state = HsmState.CLOSED;
    }
  }

  private static long millis(double millis) {
    return (long) (millis * 1e6);
  }
}
