package org.sluiceca.api.certificate.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.certificate.store.ExpiryTally.Line;
import org.sluiceca.api.certificate.store.ExpiryTally.Report;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.x509.ExpiryWeek;
import org.sluiceca.core.x509.SerialNumber;

/** Counts of what expires, on a real PostgreSQL. */
class ExpiryTallyTest {

  private static final FindDatabase DATABASE = new FindDatabase();

  private final ExpiryTally tally = new ExpiryTally(DATABASE.database());

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @BeforeEach
  void empty() {
    DATABASE.empty();
  }

  private static SerialNumber until(String notAfter) {
    return DATABASE.indexed(Sample.of("www.example.test").until(Instant.parse(notAfter)));
  }

  @Test
  void count_daysAndOwners_byWeek() {
    until("2026-12-01T00:00:00Z");
    until("2026-12-01T23:59:59Z");
    until("2026-12-10T12:00:00Z");
    until("2026-11-30T23:59:59Z");
    until("2026-12-11T00:00:00Z");
    DATABASE.indexed(Sample.of("x").by(Intents.BOB).until(Instant.parse("2026-12-01T10:00:00Z")));

    Report report = tally.count(LocalDate.of(2026, 12, 1), LocalDate.of(2026, 12, 11));

    ExpiryWeek first = ExpiryWeek.of(Instant.parse("2026-12-01T00:00:00Z"));
    ExpiryWeek second = ExpiryWeek.of(Instant.parse("2026-12-10T00:00:00Z"));
    assertThat(report.isComplete()).isTrue();
    assertThat(report.lines())
        .containsExactly(
            new Line(first, "tls-server", "alice", 2, 0),
            new Line(first, "tls-server", "bob", 1, 0),
            new Line(second, "tls-server", "alice", 1, 0));
  }

  @Test
  void count_revokedAndReleased_asTheyStand() {
    SerialNumber revoked = until("2026-12-01T10:00:00Z");
    SerialNumber held = until("2026-12-01T11:00:00Z");
    SerialNumber outside = until("2026-12-02T11:00:00Z");
    DATABASE.decide(revoked, 1, "6");
    DATABASE.decide(revoked, 2, "NULL");
    DATABASE.decide(revoked, 3, "1");
    DATABASE.decide(held, 1, "6");
    DATABASE.decide(held, 2, "NULL");
    DATABASE.decide(outside, 1, "1");

    Report report = tally.count(LocalDate.of(2026, 12, 1), LocalDate.of(2026, 12, 2));

    assertThat(report.lines())
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.certificates()).isEqualTo(2);
              assertThat(line.revoked()).isOne();
            });
  }

  @Test
  void count_moreLinesThanAReportHas_saysSo() {
    DATABASE.execute(
        """
        INSERT INTO certificate_tally (expires_on, expiry_week, profile, requester, certificates)
        SELECT '2026-12-01', 2970, 'p', 'r' || n, 1 FROM generate_series(1, 5001) AS n
        """);

    Report report = tally.count(LocalDate.of(2026, 12, 1), LocalDate.of(2026, 12, 2));

    assertThat(report.lines()).hasSize(ExpiryTally.LINES_MAX);
    assertThat(report.isComplete()).isFalse();
  }
}
