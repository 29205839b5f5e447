package org.sluiceca.api.certificate.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.certificate.index.store.CertificateIndex;
import org.sluiceca.api.certificate.index.store.ExpiredWeeks;
import org.sluiceca.api.platform.change.ChangeWatch;
import org.sluiceca.api.platform.change.store.ChangeNumbers;
import org.sluiceca.api.platform.store.Await;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;

/** The loop's steps and what it reports to operators, on a real PostgreSQL. */
class IndexLoopTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();

  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Address address = SERVER.freshDatabase();

  private IndexLoop loop(LedgerDatabase database, @Nullable Duration kept) {
    return new IndexLoop(
        new CertificateIndex(database),
        new Retention(new ExpiredWeeks(database), kept, () -> NOW),
        new IndexMetrics(registry));
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }

  @Test
  void pass_nothingWaits_filledAndIdle() {
    try (LedgerDatabase database = new LedgerDatabase(address)) {
      PostgresForTests.awaitLogin(database);
      IndexLoop loop = loop(database, null);

      loop.pass();
      assertThat(gauge("ca.search.filling")).isOne();
      long start = System.nanoTime();
      Duration pause = loop.pass();

      assertThat(pause).isPositive();
      assertThat(gauge("ca.search.filling")).isZero();
      double lag = gauge("ca.search.lag.seconds");
      assertThat(lag).isBetween(0.0, (System.nanoTime() - start) / 1e9);
    }
  }

  @Test
  void pass_nothingWaits_restsUntilSomethingDoes() {
    try (LedgerDatabase database = new LedgerDatabase(address)) {
      PostgresForTests.awaitLogin(database);
      ChangeWatch changes = new ChangeWatch(new ChangeNumbers(database), System::nanoTime);
      IndexLoop loop = loop(database, null);
      loop.restUntilChanged(changes);
      changes.look();
      loop.pass();
      loop.pass();

      assertThat(loop.pass()).isEqualTo(Duration.ofSeconds(30));
      double before = gauge("ca.search.lag.seconds");
      long look = System.nanoTime();
      changes.look();
      assertThat(gauge("ca.search.lag.seconds"))
          .as("by the change watch, not since the last pass")
          .isLessThan(before + (System.nanoTime() - look) / 1e9);

      SERVER.execute(
          address,
          "INSERT INTO certificate_feed (serials) VALUES (decode('01' || repeat('00', 18), 'hex'))");
      changes.look();
      assertThat(loop.pass()).as("it was taken").isLessThan(Duration.ofSeconds(1));
      assertThat(SERVER.number(address, "SELECT count(*) FROM certificate_feed")).isZero();
      changes.look();
      assertThat(loop.pass()).as("the change watch saw that").isLessThan(Duration.ofSeconds(1));
      assertThat(loop.pass()).as("it rests again").isEqualTo(Duration.ofSeconds(30));
    }
  }

  @Test
  void pass_somethingWaits_lagIsItsAge() {
    try (LedgerDatabase database = new LedgerDatabase(address)) {
      PostgresForTests.awaitLogin(database);
      IndexLoop loop = loop(database, null);
      SERVER.execute(
          address,
          "INSERT INTO certificate_feed (recorded_at, serials)"
              + " VALUES (now() - interval '1 hour', decode('01' || repeat('00', 18), 'hex'))");

      loop.pass();
      assertThat(gauge("ca.search.lag.seconds")).isGreaterThanOrEqualTo(3_600);

      // No such certificate is in the ledger: it is reported, and does not stand in the way. One
      // was
      // not all that a transaction takes: more may come before the next.
      assertThat(loop.pass()).isPositive();
      assertThat(gauge("ca.search.lag.seconds")).isLessThan(3_600);
    }
  }

  @Test
  void pass_retention_dropsWhatExpiredLongAgo() {
    try (LedgerDatabase database = new LedgerDatabase(address)) {
      PostgresForTests.awaitLogin(database);
      // 2026-01-01 is in week 2922, 2026-11-21 in week 2968.
      SERVER.execute(address, "SELECT ensure_expiry_weeks(ARRAY[2922, 2967])");
      IndexLoop loop = loop(database, Duration.ofDays(30));

      loop.pass();

      String there = "SELECT count(*) FROM pg_class WHERE relname = '%s_w%d'";
      assertThat(SERVER.number(address, there.formatted("certificate_index", 2922))).isZero();
      assertThat(SERVER.number(address, there.formatted("certificate_name", 2922))).isZero();
      assertThat(SERVER.number(address, there.formatted("certificate_index", 2967))).isOne();
      assertThat(SERVER.number(address, there.formatted("outcome", 2922))).isOne();
    }
  }

  @Test
  void run_databaseWithoutIndex_countsFailuresAndEnds() {
    try (LedgerDatabase database = new LedgerDatabase(SERVER.emptyDatabase())) {
      IndexLoop loop = loop(database, null);

      loop.start();
      Await.until(
          "it fails again", () -> registry.get("ca.search.failures").counter().count() >= 2);
      loop.close();
    }
  }
}
