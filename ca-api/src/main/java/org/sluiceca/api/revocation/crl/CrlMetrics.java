package org.sluiceca.api.revocation.crl;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import org.sluiceca.core.crl.ScopeState;
import org.sluiceca.core.x509.IssuerName;

/** What is measured of CRLs: each issuer's worst shard. Thread-safe. */
public final class CrlMetrics {

  /** Of all shards of an issuer. */
  private record Worst(
      Instant nextUpdate, int entries, Duration pending, Optional<Instant> deltaNextUpdate) {}

  private final MeterRegistry registry;
  private final Timer issue;
  private final Timer publish;
  private final Map<IssuerName, Worst> worst = new ConcurrentHashMap<>();

  /** Registers in {@code registry}. */
  public CrlMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.issue = Timer.builder("ca.crl.issue.duration").register(registry);
    this.publish = Timer.builder("ca.crl.publish.delay").register(registry);
  }

  /**
   * A CRL was issued and published here.
   *
   * @param took planning to publishing
   * @param pending how long its oldest new event had waited before that
   */
  void issued(Duration took, Optional<Duration> pending) {
    issue.record(took);
    pending.ifPresent(p -> publish.record(p.plus(took)));
  }

  void failed(IssuerName issuer) {
    failures(issuer).increment();
  }

  private Counter failures(IssuerName issuer) {
    return Counter.builder("ca.crl.failures").tag("issuer", issuer.value()).register(registry);
  }

  void seen(List<ScopeState> states) {
    for (ScopeState state : states) {
      IssuerName issuer = state.scope().issuer();
      List<ScopeState> same =
          states.stream().filter(s -> s.scope().issuer().equals(issuer)).toList();
      Worst now = worstOf(same);
      Worst before = worst.put(issuer, now);
      if (before == null) {
        register(issuer);
      }
      if (now.deltaNextUpdate().isPresent()
          && (before == null || before.deltaNextUpdate().isEmpty())) {
        gauge(
            "ca.crl.delta.next.update.timestamp.seconds",
            issuer,
            w -> w.deltaNextUpdate().orElse(Instant.EPOCH).getEpochSecond());
      }
    }
  }

  private static Worst worstOf(List<ScopeState> states) {
    Instant next =
        states.stream()
            .map(s -> s.newest().map(ScopeState.Newest::nextUpdate).orElse(Instant.EPOCH))
            .min(Comparator.naturalOrder())
            .orElse(Instant.EPOCH);
    int entries =
        states.stream()
            .mapToInt(s -> s.newest().map(ScopeState.Newest::entries).orElse(0))
            .max()
            .orElse(0);
    Duration pending =
        states.stream()
            .flatMap(s -> s.pending().stream().map(p -> Duration.between(p.since(), s.now())))
            .max(Comparator.naturalOrder())
            .orElse(Duration.ZERO);
    Optional<Instant> deltaNext =
        states.stream()
            .flatMap(s -> s.delta().stream().map(d -> d.newest().nextUpdate()))
            .min(Comparator.naturalOrder());
    return new Worst(next, entries, pending, deltaNext);
  }

  private void register(IssuerName issuer) {
    // A rate over a counter that comes with its first event does not see that event.
    failures(issuer);
    gauge("ca.crl.next.update.timestamp.seconds", issuer, w -> w.nextUpdate().getEpochSecond());
    gauge("ca.crl.entries", issuer, w -> (double) w.entries());
    gauge("ca.crl.pending.age.seconds", issuer, w -> w.pending().toNanos() / 1e9);
  }

  private void gauge(String name, IssuerName issuer, ToDoubleFunction<Worst> value) {
    Gauge.builder(
            name,
            worst,
            all -> {
              Worst found = all.get(issuer);
              return found == null ? 0 : value.applyAsDouble(found);
            })
        .tag("issuer", issuer.value())
        .register(registry);
  }
}
