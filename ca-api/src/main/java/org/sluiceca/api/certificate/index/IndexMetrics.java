package org.sluiceca.api.certificate.index;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.sluiceca.api.certificate.index.store.CertificateIndex.Indexed;
import org.sluiceca.api.certificate.index.store.CertificateIndex.Standing;

/** What is measured of the index. Thread-safe. */
public final class IndexMetrics {

  private static final double NANOS = 1e9;

  private final Counter indexed;
  private final Counter unreadable;
  private final Counter failures;

  /**
   * Until when everything was in the index, by this node's clock. Written by the threads of the
   * loop and of the change watch: should one undo what the other has just written, the next look of
   * the change watch, a moment later, writes it again.
   */
  private volatile long completeAtNanos = System.nanoTime();

  private volatile boolean isFilled;

  /** Registers in {@code registry}. */
  public IndexMetrics(MeterRegistry registry) {
    this.indexed = Counter.builder("ca.search.indexed").register(registry);
    this.unreadable = Counter.builder("ca.search.unreadable").register(registry);
    this.failures = Counter.builder("ca.search.failures").register(registry);
    Gauge _ =
        Gauge.builder("ca.search.lag.seconds", this, IndexMetrics::lagSeconds)
            .strongReference(true)
            .register(registry);
    Gauge _ =
        Gauge.builder("ca.search.filling", this, m -> m.isFilled ? 0 : 1)
            .strongReference(true)
            .register(registry);
  }

  /** Returns how old what is not in the index may be: it also rises while no node can look. */
  double lagSeconds() {
    return (System.nanoTime() - completeAtNanos) / NANOS;
  }

  void seen(Standing standing, long lookedAtNanos) {
    completeAtNanos = lookedAtNanos - standing.lag().toNanos();
    isFilled = standing.isFilled();
  }

  /** The change watch saw that nothing waited, in a look that began then. */
  void nothingWaits(long lookedAtNanos) {
    if (isFilled && lookedAtNanos - completeAtNanos > 0) {
      completeAtNanos = lookedAtNanos;
    }
  }

  void indexed(Indexed done) {
    indexed.increment(done.certificates());
    unreadable.increment(done.unreadable());
  }

  void failed() {
    failures.increment();
  }
}
