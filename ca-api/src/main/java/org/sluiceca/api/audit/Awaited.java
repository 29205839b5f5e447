package org.sluiceca.api.audit;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;

/** A fact for whose writing a thread waits. Thread-safe. */
final class Awaited {

  private final Fact fact;
  private final CountDownLatch ended = new CountDownLatch(1);

  /** Written once, before the latch opens. */
  private volatile @Nullable RuntimeException failure;

  Awaited(Fact fact) {
    this.fact = fact;
  }

  Fact fact() {
    return fact;
  }

  void written() {
    ended.countDown();
  }

  void failed(RuntimeException cause) {
    failure = cause;
    ended.countDown();
  }

  /** The trail has ended without it. */
  void refused() {
    failed(new LedgerUnavailable("the audit trail has ended"));
  }

  /**
   * Waits until the fact is durable.
   *
   * @throws LedgerUnavailable if that is not known in time: the row may come later
   */
  void await(Duration longest) {
    try {
      if (!ended.await(longest.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new LedgerUnavailable("the audit trail does not record in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LedgerUnavailable("interrupted while the audit trail records", e);
    }
    RuntimeException cause = failure;
    if (cause != null) {
      throw new LedgerUnavailable("the audit trail does not record", cause);
    }
  }
}
