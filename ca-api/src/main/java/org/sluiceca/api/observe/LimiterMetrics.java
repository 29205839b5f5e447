package org.sluiceca.api.observe;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.sluiceca.api.hsm.lease.LeaseStatus;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.Window;
import org.sluiceca.hsm.limit.Limits;
import org.sluiceca.hsm.limit.lease.LeaderView;

/**
 * The widths of the windows on tokens and their reasons, as docs/OPERATIONS.md names them. Gauges
 * read lock-free snapshots; a value that a node does not know is NaN.
 */
public final class LimiterMetrics {

  private enum Mode {
    LEASED,
    ALONE,
    FIXED
  }

  private final MeterRegistry registry;

  /** The meters registered for each token, to be removed with it. */
  private final ConcurrentMap<String, Registered> watched = new ConcurrentHashMap<>();

  /** Itself alone: meters are equal by name, and so would be those of a token and its successor. */
  private static final class Registered {
    private final List<Meter> meters;

    Registered(List<Meter> meters) {
      this.meters = List.copyOf(meters);
    }
  }

  /** Feeds {@code registry}. */
  public LimiterMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * Registers a token, in place of one of that name before.
   *
   * @param hsm its label in the metrics
   * @param status how it is shared; empty while it is not
   * @return what removes it again, unless another of that name has come
   */
  public Runnable watch(String hsm, Window window, Supplier<Optional<LeaseStatus>> status) {
    Registered before = watched.remove(hsm);
    if (before != null) {
      before.meters.forEach(registry::remove);
    }
    List<Meter> meters = new ArrayList<>();
    switch (window) {
      case Window.Fixed(int jobs) -> {
        modes(meters, hsm, () -> Mode.FIXED);
        cap(meters, hsm, jobs);
      }
      case Window.Steered steered -> {
        cap(meters, hsm, Limits.of(steered).nodeMax());
        baseDelays(meters, hsm, steered);
        steered(meters, hsm, status);
      }
    }
    Registered registered = new Registered(meters);
    watched.put(hsm, registered);
    return () -> {
      if (watched.remove(hsm, registered)) {
        registered.meters.forEach(registry::remove);
      }
    };
  }

  private void steered(List<Meter> meters, String hsm, Supplier<Optional<LeaseStatus>> status) {
    modes(
        meters,
        hsm,
        () -> status.get().filter(LeaseStatus::isLeased).isPresent() ? Mode.LEASED : Mode.ALONE);
    value(meters, "ca.limiter.lease.age.seconds", hsm, status, LeaseStatus::leaseAgeSeconds);
    value(meters, "ca.limiter.leader", hsm, status, s -> s.leads() ? 1 : 0);
    value(meters, "ca.hsm.queue.delay.seconds", hsm, status, LeaseStatus::delaySeconds);
    view(meters, "ca.limiter.window.jobs", hsm, status, LeaderView::width);
    view(meters, "ca.limiter.nodes", hsm, status, LeaderView::nodes);
    view(meters, "ca.limiter.pace.ratio", hsm, status, LeaderView::pace);
    view(meters, "ca.limiter.queue.delay.seconds", hsm, status, LeaderView::delaySeconds);
    view(meters, "ca.hsm.queue.delay.target.seconds", hsm, status, LeaderView::targetSeconds);
    view(meters, "ca.limiter.capacity.estimate.ops", hsm, status, LeaderView::capacity);
    view(meters, "ca.fairness.jain.ratio", hsm, status, LeaderView::jain);
  }

  private void modes(List<Meter> meters, String hsm, Supplier<Mode> mode) {
    for (Mode each : Mode.values()) {
      meters.add(
          Gauge.builder("ca.limiter.mode", mode, m -> m.get() == each ? 1 : 0)
              .strongReference(true)
              .tag("hsm", hsm)
              .tag("mode", each.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
  }

  private void cap(List<Meter> meters, String hsm, double jobs) {
    meters.add(Gauge.builder("ca.hsm.inflight.cap", () -> jobs).tag("hsm", hsm).register(registry));
  }

  private void baseDelays(List<Meter> meters, String hsm, Window.Steered window) {
    window
        .engines()
        .baseSeconds()
        .forEach(
            (SignatureClass signatureClass, Double seconds) ->
                meters.add(
                    Gauge.builder("ca.hsm.base.delay.seconds", () -> seconds)
                        .tag("hsm", hsm)
                        .tag("alg", signatureClass.toString())
                        .register(registry)));
  }

  private void view(
      List<Meter> meters,
      String name,
      String hsm,
      Supplier<Optional<LeaseStatus>> status,
      ToDoubleFunction<LeaderView> value) {
    value(meters, name, hsm, status, s -> s.view().map(value::applyAsDouble).orElse(Double.NaN));
  }

  private void value(
      List<Meter> meters,
      String name,
      String hsm,
      Supplier<Optional<LeaseStatus>> status,
      ToDoubleFunction<LeaseStatus> value) {
    Supplier<Number> read = () -> status.get().map(value::applyAsDouble).orElse(Double.NaN);
    meters.add(Gauge.builder(name, read).tag("hsm", hsm).register(registry));
  }
}
