package org.sluiceca.api.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.audit.ChainHead;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;

/** A node's chain stays one chain, whatever its database does. */
class AuditTrailTest {

  private static final Instant AT = Instant.parse("2026-05-04T10:00:00Z");

  private final List<AuditRow> written = new CopyOnWriteArrayList<>();
  private final AtomicInteger failing = new AtomicInteger();

  /** Fails as often as the test sets, sometimes only after it has written. */
  private void store(List<AuditRow> rows) {
    boolean fails = failing.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
    if (!fails || rows.size() > 1) {
      rows.stream().filter(row -> !written.contains(row)).forEach(written::add);
    }
    if (fails) {
      throw new LedgerUnavailable("away");
    }
  }

  private static Fact fact(String serial) {
    return new Fact(AuditKind.CERTIFICATE_REVOKED, "officer", Map.of("serial", serial));
  }

  private AuditTrail trail() {
    return new AuditTrail("node-0.1", this::store, () -> AT);
  }

  private void assertOneChain() {
    ChainHead head = ChainHead.start("node-0.1");
    for (AuditRow row : written) {
      assertThat(row.sequence()).isEqualTo(head.sequence() + 1);
      assertThat(row.previous()).isEqualTo(head.hash());
      assertThat(row.hash()).isEqualTo(row.ownHash());
      head = row.head();
    }
  }

  @Test
  void record_untilClose_everythingWritten() {
    AuditTrail trail = trail();
    trail.start();
    for (int i = 0; i < 100; i++) {
      trail.record(fact("a" + i));
    }
    trail.close();

    assertThat(written).hasSize(100);
    assertThat(trail.rows()).isEqualTo(100);
    assertThat(trail.lost()).isZero();
    assertOneChain();
  }

  @Test
  void recordDurably_returns_written() {
    try (AuditTrail trail = trail()) {
      trail.start();

      trail.recordDurably(fact("a"));

      assertThat(written).hasSize(1);
    }
  }

  /** Who must not go on unrecorded does not; what was gathered comes when the database is back. */
  @Test
  void recordDurably_databaseAway_refusedAndRowsComeLater() {
    AuditTrail trail = trail();
    failing.set(Integer.MAX_VALUE);
    trail.start();
    trail.record(fact("before"));

    assertThatExceptionOfType(LedgerUnavailable.class)
        .isThrownBy(() -> trail.recordDurably(fact("a")));
    failing.set(0);
    trail.recordDurably(fact("b"));
    trail.close();

    assertThat(trail.failures()).isPositive();
    assertThat(written).hasSize(3);
    assertOneChain();
  }

  /** The answer to a commit was lost: the same rows again, and no fork. */
  @Test
  void record_failedAfterWriting_sameRowsAgain() {
    AuditTrail trail = trail();
    failing.set(1);
    trail.record(fact("a"));
    trail.record(fact("b"));
    trail.start();
    trail.close();

    assertThat(written).hasSize(2);
    assertThat(trail.failures()).isOne();
    assertOneChain();
  }

  /** A database that hangs holds only the writer. */
  @Test
  void record_writerHangs_neverWaitsAndCountsWhatIsLost() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    AuditTrail trail = hanging(entered, release);
    trail.start();
    trail.record(fact("first"));
    assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();

    for (int i = 0; i < Gathered.FACTS_MAX + 5; i++) {
      trail.record(fact("a" + i));
    }
    assertThat(trail.lost()).isEqualTo(5);
    release.countDown();
    trail.close();

    assertThat(written).hasSize(1 + Gathered.FACTS_MAX + 1);
    assertThat(written.stream().filter(row -> row.kind().equals(AuditKind.GAP.text())))
        .extracting(AuditRow::content)
        .containsExactly("{\"certificates\":0,\"facts\":5}");
    assertOneChain();
  }

  /** A renewal has its place before it acts, or is refused; what it reserved is never lost. */
  @Test
  void reserve_writerHangsAndQueueFull_reservedFactWritten() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    AuditTrail trail = hanging(entered, release);
    trail.start();
    trail.record(fact("first"));
    assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();
    AuditTrail.Place place = trail.reserve();
    AuditTrail.Place unused = trail.reserve();

    for (int i = 0; i < Gathered.FACTS_MAX + 5; i++) {
      trail.record(fact("a" + i));
    }
    unused.close();
    place.record(fact("renewed"));
    place.close();
    release.countDown();
    trail.close();

    assertThat(trail.lost()).isEqualTo(7);
    assertThat(written).anyMatch(row -> row.content().contains("renewed"));
    assertOneChain();
  }

  @Test
  void reserve_closed_refused() {
    AuditTrail trail = trail();
    trail.start();
    trail.close();

    assertThatExceptionOfType(LedgerUnavailable.class)
        .isThrownBy(trail::reserve)
        .withMessageContaining("has ended");
  }

  /** 100 connections that are denied for a while leave some rows, and none of others is lost. */
  @Test
  void record_floodOfDenials_fewRowsWithTheWholeNumber() {
    AuditTrail trail = trail();
    trail.start();
    for (int i = 0; i < 50_000; i++) {
      trail.record(new Fact(AuditKind.ACCESS_DENIED, "flood", Map.of("method", "M" + i)));
      if (i % 1_000 == 0) {
        trail.record(fact("s" + i));
      }
    }
    trail.close();

    assertThat(trail.lost()).isZero();
    assertThat(written).hasSize(DenialShares.ROWS_PER_ACTOR + 1 + 50);
    assertThat(trail.unrecorded(DenialShares.Reason.SHARE))
        .isEqualTo(50_000 - DenialShares.ROWS_PER_ACTOR);
    assertOneChain();
  }

  private AuditTrail hanging(CountDownLatch entered, CountDownLatch release) {
    return new AuditTrail(
        "node-0.1",
        rows -> {
          entered.countDown();
          try {
            assertThat(release.await(60, TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          store(rows);
        },
        () -> AT);
  }

  /** A caller that relies on the trail must hear that it is no longer written. */
  @Test
  void recordDurably_writerEndedByAnError_refusedAndTheRestCountsAsLost() {
    AuditTrail trail =
        new AuditTrail(
            "node-0.1",
            rows -> {
              throw new AssertionError("planted");
            },
            () -> AT);
    trail.start();

    assertThat(trail.isWriting()).isTrue();
    assertThatExceptionOfType(LedgerUnavailable.class)
        .isThrownBy(() -> trail.recordDurably(fact("a")))
        .havingRootCause()
        .withMessageContaining("has ended");
    trail.close();
    assertThat(trail.isWriting()).isFalse();
    assertThat(trail.lost()).isOne();
    trail.record(fact("b"));
    assertThat(trail.lost()).isEqualTo(2);
  }

  @Test
  void recordDurably_closed_refused() {
    AuditTrail trail = trail();
    trail.start();
    trail.close();

    assertThatExceptionOfType(LedgerUnavailable.class)
        .isThrownBy(() -> trail.recordDurably(fact("a")));
  }
}
