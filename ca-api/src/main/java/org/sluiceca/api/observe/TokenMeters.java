package org.sluiceca.api.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.HsmStats;
import org.sluiceca.hsm.Lane;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.RecoveryReason;
import org.sluiceca.hsm.SignObservation;
import org.sluiceca.hsm.route.TokenStatus;

/**
 * The meters of one token, labelled with its name; they go with it. Timers are fed by session
 * threads; gauges read lock-free snapshots, and are 0 while the token is away.
 */
final class TokenMeters implements HsmObserver {

  private static final Logger LOG = LoggerFactory.getLogger(TokenMeters.class);

  private record Key(String name, Mechanism mechanism, String label) {}

  private final MeterRegistry registry;
  private final String token;
  private final Tags hsm;
  private final Set<Meter> meters = ConcurrentHashMap.newKeySet();
  private final ConcurrentMap<Key, Timer> timers = new ConcurrentHashMap<>();
  private final Map<SigningPurpose, Timer> purposes;
  private volatile boolean isGone;

  // Gauges hold what they read only weakly.
  private final Supplier<TokenStatus> standing;

  /** Registers the gauges of the token with this name. */
  TokenMeters(MeterRegistry registry, String token, Supplier<TokenStatus> standing) {
    this.registry = registry;
    this.token = token;
    this.hsm = Tags.of("hsm", token);
    this.standing = standing;
    watchQueue();
    watchToken();
    this.purposes =
        Arrays.stream(SigningPurpose.values())
            .collect(Collectors.toUnmodifiableMap(purpose -> purpose, this::purposeTimer));
    // A rate over a counter that comes with its first event does not see that event.
    keep(counter("ca.hsm.key.mismatch", Tags.empty()));
    keep(counter("ca.hsm.failover", Tags.empty()));
    for (RecoveryReason reason : RecoveryReason.values()) {
      keep(counter("ca.hsm.reinit", reason(reason)));
    }
  }

  private void watchQueue() {
    gauge("ca.sign.queue.capacity", hsm, stats(HsmStats::queueCapacity));
    for (Lane lane : Lane.values()) {
      Tags tags = hsm.and("lane", lower(lane));
      gauge("ca.sign.queue.depth", tags, stats(s -> s.lane(lane).depth()));
      gauge(
          "ca.sign.queue.oldest.age.seconds",
          tags,
          stats(s -> s.lane(lane).oldestAgeNanos() / 1e9));
      gauge("ca.sign.queue.work.seconds", tags, stats(s -> s.lane(lane).workNanos() / 1e9));
    }
    gauge("ca.sign.displaced", hsm, stats(HsmStats::displaced));
  }

  private void watchToken() {
    gauge("ca.hsm.inflight", hsm, stats(HsmStats::inflight));
    gauge("ca.hsm.inflight.limit", hsm, stats(HsmStats::inflightLimit));
    gauge("ca.hsm.zombie.calls", hsm, stats(HsmStats::zombieCalls));
    gauge(
        "ca.hsm.utilization.ratio", hsm, stats(s -> Math.min(1, s.inflight() / s.inflightLimit())));
    gauge(
        "ca.hsm.capacity.estimate.ops",
        hsm,
        stats(s -> s.meanServiceNanos() == 0 ? 0 : s.inflightLimit() * 1e9 / s.meanServiceNanos()));
    gauge("ca.hsm.sessions", hsm.and("state", "open"), stats(HsmStats::sessions));
    gauge("ca.hsm.keys", hsm, TokenStatus::keys);
    gauge("ca.hsm.call.timeout.seconds", hsm, t -> t.callTimeout().toNanos() / 1e9);
    for (HsmState state : HsmState.values()) {
      gauge("ca.hsm.state", hsm.and("state", lower(state)), t -> t.state() == state ? 1 : 0);
    }
    for (String state : new String[] {"closed", "half_open", "open"}) {
      gauge("ca.hsm.breaker", hsm.and("state", state), t -> t.breaker().equals(state) ? 1 : 0);
    }
  }

  private static ToDoubleFunction<TokenStatus> stats(ToDoubleFunction<HsmStats> value) {
    return token -> token.stats().map(s -> value.applyAsDouble(s)).orElse(0.0);
  }

  private void gauge(String name, Tags tags, ToDoubleFunction<TokenStatus> value) {
    meters.add(
        Gauge.builder(name, this, m -> value.applyAsDouble(m.standing.get()))
            .tags(tags)
            .register(registry));
  }

  @Override
  public void signed(SignObservation signing) {
    Mechanism mechanism = signing.signatureClass().mechanism();
    timer("ca.sign.queue.wait", mechanism, "lane", signing.lane().name())
        .record(signing.waitNanos(), TimeUnit.NANOSECONDS);
    timer("ca.hsm.sign.duration", mechanism, "outcome", signing.outcome().name())
        .record(signing.serviceNanos(), TimeUnit.NANOSECONDS);
    if (signing.serviceNanos() > 0) {
      Objects.requireNonNull(purposes.get(SigningPurpose.of(signing)))
          .record(signing.serviceNanos(), TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public void recovered(RecoveryReason reason) {
    count("ca.hsm.reinit", reason(reason));
  }

  @Override
  public void stateChanged(HsmState state) {
    LOG.info("token {} is {}", token, lower(state));
  }

  @Override
  public void noted(String line) {
    LOG.info("token {}: {}", token, line);
  }

  /** One more of something that happens to this token. */
  void count(String name, Tags more) {
    Counter counter = counter(name, more);
    counter.increment();
    keep(counter);
  }

  private Counter counter(String name, Tags more) {
    return Counter.builder(name).tags(hsm).tags(more).register(registry);
  }

  private static Tags reason(RecoveryReason reason) {
    return Tags.of("reason", lower(reason));
  }

  private Timer timer(String name, Mechanism mechanism, String tag, String label) {
    return timers.computeIfAbsent(
        new Key(name, mechanism, label),
        key -> {
          Timer timer =
              Timer.builder(name)
                  .tags(hsm)
                  .tag("alg", lower(mechanism))
                  .tag(tag, label.toLowerCase(Locale.ROOT))
                  .publishPercentileHistogram(false)
                  .register(registry);
          keep(timer);
          return timer;
        });
  }

  private Timer purposeTimer(SigningPurpose purpose) {
    Timer timer =
        Timer.builder("ca.hsm.signing")
            .tags(hsm)
            .tag("purpose", lower(purpose))
            .publishPercentileHistogram(false)
            .register(registry);
    keep(timer);
    return timer;
  }

  private void keep(Meter meter) {
    meters.add(meter);
    if (isGone) {
      // A call that came back after its token had left.
      close();
    }
  }

  /** Takes all meters of this token out of the registry. */
  void close() {
    isGone = true;
    meters.removeIf(
        meter -> {
          Meter _ = registry.remove(meter);
          return true;
        });
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
