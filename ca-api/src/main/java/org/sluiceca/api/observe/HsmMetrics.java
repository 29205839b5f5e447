package org.sluiceca.api.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.HsmSigner;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.HsmStats;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.RecoveryReason;
import org.sluiceca.hsm.SignOutcome;

/**
 * The queue and the token, as docs/OPERATIONS.md names them. Timers are fed by session threads;
 * gauges read lock-free snapshots.
 */
public final class HsmMetrics implements HsmObserver {

  private static final String HSM = "hsm-0";

  private record Key(String name, Mechanism mechanism, String outcome) {}

  private final MeterRegistry registry;
  private final ConcurrentMap<Key, Timer> timers = new ConcurrentHashMap<>();

  /** Feeds {@code registry}. */
  public HsmMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Registers the gauges over the opened signer and the line's admission. */
  public void watch(HsmSigner hsm, Admission admission) {
    queueGauge("ca.sign.queue.depth", hsm, s -> s.queueDepth());
    queueGauge("ca.sign.queue.capacity", hsm, s -> s.queueCapacity());
    queueGauge("ca.sign.queue.oldest.age.seconds", hsm, s -> s.oldestAgeNanos() / 1e9);
    queueGauge(
        "ca.sign.queue.work.seconds",
        hsm,
        s -> s.queueDepth() * (s.meanServiceNanos() / 1e9) / s.inflightLimit());
    hsmGauge("ca.hsm.inflight", hsm, s -> s.inflight());
    hsmGauge("ca.hsm.inflight.limit", hsm, HsmStats::inflightLimit);
    hsmGauge("ca.hsm.zombie.calls", hsm, s -> s.zombieCalls());
    hsmGauge("ca.hsm.utilization.ratio", hsm, s -> s.inflight() / s.inflightLimit());
    hsmGauge(
        "ca.hsm.capacity.estimate.ops",
        hsm,
        s -> s.meanServiceNanos() == 0 ? 0 : s.inflightLimit() * 1e9 / s.meanServiceNanos());
    Gauge.builder("ca.hsm.sessions", hsm, h -> h.stats().sessions())
        .tag("hsm", HSM)
        .tag("state", "open")
        .register(registry);
    for (HsmState state : HsmState.values()) {
      Gauge.builder("ca.hsm.state", hsm, h -> h.stats().state() == state ? 1 : 0)
          .tag("hsm", HSM)
          .tag("state", state.name().toLowerCase(Locale.ROOT))
          .register(registry);
    }
    Gauge.builder("ca.line.places.taken", admission, a -> a.occupancy().inFlight())
        .register(registry);
    Gauge.builder("ca.line.places", admission, a -> a.occupancy().placesMax()).register(registry);
  }

  @Override
  public void signed(Mechanism mechanism, long waitNanos, long serviceNanos, SignOutcome outcome) {
    timer("ca.sign.queue.wait", mechanism, "").record(waitNanos, TimeUnit.NANOSECONDS);
    timer("ca.hsm.sign.duration", mechanism, outcome.name())
        .record(serviceNanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void recovered(RecoveryReason reason) {
    Counter.builder("ca.hsm.reinit")
        .tag("hsm", HSM)
        .tag("reason", reason.name().toLowerCase(Locale.ROOT))
        .register(registry)
        .increment();
  }

  @Override
  public void stateChanged(HsmState state) {
    // Shown by the gauge ca.hsm.state.
  }

  private Timer timer(String name, Mechanism mechanism, String outcome) {
    return timers.computeIfAbsent(
        new Key(name, mechanism, outcome),
        key -> {
          Timer.Builder builder =
              Timer.builder(name)
                  .tag("hsm", HSM)
                  .tag("alg", mechanism.name().toLowerCase(Locale.ROOT))
                  .publishPercentileHistogram(false);
          if (!outcome.isEmpty()) {
            builder.tag("outcome", outcome.toLowerCase(Locale.ROOT));
          } else {
            builder.tag("lane", MetricsSink.LANE);
          }
          return builder.register(registry);
        });
  }

  private void queueGauge(String name, HsmSigner hsm, ToDoubleFunction<HsmStats> value) {
    Gauge.builder(name, hsm, h -> value.applyAsDouble(h.stats()))
        .tag("hsm", HSM)
        .tag("lane", MetricsSink.LANE)
        .register(registry);
  }

  private void hsmGauge(String name, HsmSigner hsm, ToDoubleFunction<HsmStats> value) {
    Gauge.builder(name, hsm, h -> value.applyAsDouble(h.stats()))
        .tag("hsm", HSM)
        .register(registry);
  }
}
