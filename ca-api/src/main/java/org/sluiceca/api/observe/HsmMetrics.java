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
import org.sluiceca.hsm.Lane;
import org.sluiceca.hsm.LaneStats;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.RecoveryReason;
import org.sluiceca.hsm.Signing;

/**
 * The queue and the token, as docs/OPERATIONS.md names them. Timers are fed by session threads;
 * gauges read lock-free snapshots.
 */
public final class HsmMetrics implements HsmObserver {

  private static final String HSM = "hsm-0";

  private record Key(String name, Mechanism mechanism, String label) {}

  private final MeterRegistry registry;
  private final ConcurrentMap<Key, Timer> timers = new ConcurrentHashMap<>();

  /** Feeds {@code registry}. */
  public HsmMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Registers the gauges over the opened signer and the line's admission. */
  public void watch(HsmSigner hsm, Admission admission) {
    Gauge.builder("ca.sign.queue.capacity", hsm, h -> h.stats().queueCapacity())
        .tag("hsm", HSM)
        .register(registry);
    for (Lane lane : Lane.values()) {
      laneGauge("ca.sign.queue.depth", hsm, lane, LaneStats::depth);
      laneGauge("ca.sign.queue.oldest.age.seconds", hsm, lane, l -> l.oldestAgeNanos() / 1e9);
      laneGauge("ca.sign.queue.work.seconds", hsm, lane, l -> l.workNanos() / 1e9);
    }
    Gauge.builder("ca.sign.displaced", hsm, h -> h.stats().displaced())
        .tag("hsm", HSM)
        .register(registry);
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
  public void signed(Signing signing) {
    Mechanism mechanism = signing.signatureClass().mechanism();
    timer("ca.sign.queue.wait", mechanism, "lane", signing.lane().name())
        .record(signing.waitNanos(), TimeUnit.NANOSECONDS);
    timer("ca.hsm.sign.duration", mechanism, "outcome", signing.outcome().name())
        .record(signing.serviceNanos(), TimeUnit.NANOSECONDS);
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

  private Timer timer(String name, Mechanism mechanism, String tag, String label) {
    return timers.computeIfAbsent(
        new Key(name, mechanism, label),
        key ->
            Timer.builder(name)
                .tag("hsm", HSM)
                .tag("alg", mechanism.name().toLowerCase(Locale.ROOT))
                .tag(tag, label.toLowerCase(Locale.ROOT))
                .publishPercentileHistogram(false)
                .register(registry));
  }

  private void laneGauge(String name, HsmSigner hsm, Lane lane, ToDoubleFunction<LaneStats> value) {
    Gauge.builder(name, hsm, h -> value.applyAsDouble(h.stats().lane(lane)))
        .tag("hsm", HSM)
        .tag("lane", lane.name().toLowerCase(Locale.ROOT))
        .register(registry);
  }

  private void hsmGauge(String name, HsmSigner hsm, ToDoubleFunction<HsmStats> value) {
    Gauge.builder(name, hsm, h -> value.applyAsDouble(h.stats()))
        .tag("hsm", HSM)
        .register(registry);
  }
}
