package org.sluiceca.api.certificate.index.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.certificate.index.store.CertificateIndex.Standing;
import org.sluiceca.api.certificate.store.CertificateSearch;
import org.sluiceca.api.certificate.store.FindDatabase;
import org.sluiceca.api.certificate.store.Sample;
import org.sluiceca.api.certificate.store.SearchFilter;
import org.sluiceca.api.certificate.store.SearchFilter.Span;
import org.sluiceca.api.renewal.store.RateStore;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.renewal.RenewalCounts;
import org.sluiceca.core.x509.ExpiryWeek;
import org.sluiceca.core.x509.SerialNumber;

/** Nothing that was issued is missed, on a real PostgreSQL. */
class CertificateIndexTest {

  private static final FindDatabase DATABASE = new FindDatabase();

  private static final SearchFilter ALL =
      new SearchFilter(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Span.OPEN,
          Span.OPEN);

  private static final String WITH_THEIR_TIME =
      """
      SELECT count(*) FROM certificate_index c
      JOIN outcome o ON o.expiry_week = c.expiry_week AND o.serial = c.serial
      WHERE o.recorded_at = c.issued_at
      """;

  private final CertificateIndex index = new CertificateIndex(DATABASE.database());

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @BeforeEach
  void empty() {
    DATABASE.empty();
  }

  private static List<SerialNumber> found() {
    return FindDatabase.serialNumbers(
        new CertificateSearch(DATABASE.database()).page(ALL, Optional.empty(), 200, Sample.NOW));
  }

  @Test
  void take_laterCommitFirst_bothFound() throws Exception {
    try (Connection early = DATABASE.open()) {
      SerialNumber first = DATABASE.issue(early, Sample.of("early.example.test"));
      SerialNumber second = DATABASE.issue(Sample.of("late.example.test"));
      index.take();
      assertThat(found()).containsExactly(second);

      early.commit();
      index.take();

      assertThat(found()).containsExactlyInAnyOrder(first, second);
      assertThat(index.look().isFed()).isFalse();
    }
  }

  @Test
  void take_rolledBack_notFound() throws Exception {
    try (Connection lost = DATABASE.open()) {
      DATABASE.issue(lost, Sample.of("lost.example.test"));
      lost.rollback();
    }

    index.take();

    assertThat(found()).isEmpty();
  }

  /** A crash between the index and the feed cannot be: they are one transaction. */
  @Test
  void take_failsInTheMiddle_nothingLostNothingTwice() {
    SerialNumber serialNumber = DATABASE.issue(Sample.of("www.example.test"));
    DATABASE.execute("ALTER TABLE certificate_tally RENAME TO away");
    try {
      assertThatExceptionOfType(LedgerUnavailable.class).isThrownBy(index::take);
    } finally {
      DATABASE.execute("ALTER TABLE away RENAME TO certificate_tally");
    }

    index.take();
    index.take();

    assertThat(found()).containsExactly(serialNumber);
    assertThat(DATABASE.number("SELECT sum(certificates) FROM certificate_tally")).isOne();
  }

  @Test
  void take_anotherNodeAtIt_leavesItAlone() throws Exception {
    SerialNumber serialNumber = DATABASE.issue(Sample.of("www.example.test"));
    try (Connection other = DATABASE.open();
        Statement statement = other.createStatement()) {
      statement.execute("SELECT FROM certificate_index_state FOR UPDATE");

      assertThat(index.take()).isEmpty();
      assertThat(index.walk()).isEmpty();
      // Closing alone does not wait for the server to give up the lock.
      other.rollback();
    }

    assertThat(index.take()).isPresent();
    assertThat(found()).containsExactly(serialNumber);
  }

  /** Planned renewals of each are counted by its own life, whatever its profile issues now. */
  @Test
  void take_severalLivesOfAProfile_eachCountedByItsOwn() {
    Instant notAfter = Instant.now().plus(Duration.ofDays(20)).truncatedTo(ChronoUnit.DAYS);
    LocalDate day = LocalDate.ofInstant(notAfter, ZoneOffset.UTC);
    Sample sample = Sample.of("www.example.test").until(notAfter.plusSeconds(3_600));
    for (int days : List.of(90, 80, 90)) {
      DATABASE.indexed(sample.lasting(Duration.ofDays(days)));
    }
    DATABASE.indexed(sample.lasting(Duration.ofDays(6)));
    RateStore rates = new RateStore(DATABASE.database());

    assertThat(rates.days())
        .containsExactlyInAnyOrder(
            new RenewalCounts.Day(Duration.ofDays(80), Duration.ofDays(90), day, 3),
            new RenewalCounts.Day(Duration.ofDays(6), day, 1));

    // What a node of a release before has indexed is in the tally alone.
    DATABASE.execute("DELETE FROM certificate_life WHERE shortest_seconds > 1000000");
    assertThat(rates.days())
        .containsExactlyInAnyOrder(
            new RenewalCounts.Day(Duration.ofDays(6), day, 1),
            new RenewalCounts.Day(Duration.ofDays(6), day, 3));
  }

  /** The same certificate so often, as if one statement had recorded them all. */
  private static void issueTogether(int count) {
    DATABASE.issue(Sample.of("template.example.test"));
    DATABASE.execute(
        "DELETE FROM certificate_feed",
        String.format(
            Locale.ROOT,
            """
        INSERT INTO intent (expiry_week, serial, recorded_at, claim_owner, claim_until, requester,
          profile, issuer, signature_algorithm, payload_hash, tbs)
        SELECT i.expiry_week, substr(i.serial, 1, 15) || int4send(n), i.recorded_at, i.claim_owner,
          i.claim_until, i.requester, i.profile, i.issuer, i.signature_algorithm, i.payload_hash,
          i.tbs
        FROM intent i, generate_series(1, %d) AS n
        """,
            count),
        String.format(
            Locale.ROOT,
            """
        INSERT INTO outcome (expiry_week, serial, kind, signature, owner, epoch)
        SELECT o.expiry_week, substr(o.serial, 1, 15) || int4send(n), o.kind, o.signature, o.owner,
          o.epoch
        FROM outcome o, generate_series(1, %d) AS n
        """,
            count));
  }

  /** The feed has the time of issue that the certificates of a statement share. */
  @Test
  void take_severalTimesOfIssue_eachCertificateHasItsOwn() {
    issueTogether(3);
    assertThat(DATABASE.number("SELECT count(issued_at) FROM certificate_feed")).isOne();
    index.take();
    assertThat(DATABASE.number(WITH_THEIR_TIME)).isEqualTo(3);

    // As by SQL that gives each its own, and as a release before feeds.
    DATABASE.execute(
        "DELETE FROM certificate_name",
        "DELETE FROM certificate_index",
        """
        WITH gone AS (DELETE FROM outcome RETURNING *)
        INSERT INTO outcome (expiry_week, serial, recorded_at, kind, signature, owner, epoch)
        SELECT g.expiry_week, g.serial,
          g.recorded_at + get_byte(g.serial, 18) * interval '1 microsecond',
          g.kind, g.signature, g.owner, g.epoch
        FROM gone g
        """);
    assertThat(DATABASE.number("SELECT count(issued_at) FROM certificate_feed")).isZero();

    index.take();
    assertThat(DATABASE.number(WITH_THEIR_TIME)).isEqualTo(4);
  }

  /** It would stop the index for good if it were not left out. */
  @Test
  void take_nameLeftWithoutItsCertificate_indexed() {
    Sample sample = Sample.of("www.example.test");
    SerialNumber serialNumber = DATABASE.indexed(sample);
    DATABASE.execute(
        "DELETE FROM certificate_index",
        "DELETE FROM certificate_tally",
        "UPDATE certificate_index_state SET filled_week = 65536, filled_serial = '\\x'");
    SerialNumber next = DATABASE.issue(sample);

    index.take();
    index.walk();

    assertThat(found()).containsExactlyInAnyOrder(serialNumber, next);
    assertThat(DATABASE.number("SELECT sum(certificates) FROM certificate_tally")).isEqualTo(2);
  }

  @Test
  void take_fedTwice_indexedOnce() {
    SerialNumber serialNumber = DATABASE.issue(Sample.of("www.example.test"));
    DATABASE.execute(
        "INSERT INTO certificate_feed (serials) SELECT serials || serials FROM certificate_feed");

    assertThat(index.take().orElseThrow().certificates()).isOne();

    assertThat(found()).containsExactly(serialNumber);
    assertThat(DATABASE.number("SELECT sum(certificates) FROM certificate_tally")).isOne();
  }

  /** As nodes of two releases feed it. It is none of those that the ledger lacks. */
  @Test
  void take_fedWithAndWithoutItsTime_indexedOnceAndNotReported() {
    SerialNumber both = DATABASE.issue(Sample.of("both.example.test"));
    SerialNumber dated = DATABASE.issue(Sample.of("dated.example.test"));
    DATABASE.execute(
        String.format(
            Locale.ROOT,
            "INSERT INTO certificate_feed (serials) VALUES (decode('%s', 'hex'))",
            both.hex()));
    assertThat(DATABASE.number("SELECT count(issued_at) FROM certificate_feed")).isEqualTo(2);
    assertThat(DATABASE.number("SELECT count(*) FROM certificate_feed")).isEqualTo(3);
    Logger log = (Logger) LoggerFactory.getLogger(CertificateIndex.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    log.addAppender(lines);
    try {
      assertThat(index.take()).contains(new CertificateIndex.Indexed(2, 0, false));
    } finally {
      log.detachAppender(lines);
    }

    assertThat(lines.list).isEmpty();
    assertThat(found()).containsExactlyInAnyOrder(both, dated);
    assertThat(DATABASE.number(WITH_THEIR_TIME)).isEqualTo(2);
  }

  @Test
  void take_moreThanOneRowOfTheFeedHolds_all() {
    issueTogether(700);
    assertThat(DATABASE.number("SELECT count(*) FROM certificate_feed")).isEqualTo(3);

    assertThat(index.take().orElseThrow().certificates()).isEqualTo(700);

    assertThat(DATABASE.number("SELECT count(*) FROM certificate_index")).isEqualTo(700);
    assertThat(DATABASE.number("SELECT sum(certificates) FROM certificate_tally")).isEqualTo(700);
  }

  @Test
  void take_moreThanOneTransactionHolds_saysThatItWasFull() {
    issueTogether(1_300);

    assertThat(index.take()).contains(new CertificateIndex.Indexed(1_024, 0, true));
    assertThat(index.take()).contains(new CertificateIndex.Indexed(276, 0, false));

    assertThat(DATABASE.number("SELECT count(*) FROM certificate_index")).isEqualTo(1_300);
  }

  /** A group commit of one certificate writes a row of one. */
  @Test
  void take_manyRowsOfOne_oneTransactionForAll() {
    for (int i = 0; i < 20; i++) {
      DATABASE.issue(Sample.of("www" + i + ".example.test"));
    }

    assertThat(index.take()).contains(new CertificateIndex.Indexed(20, 0, false));

    assertThat(found()).hasSize(20);
  }

  @Test
  void outcome_abandoned_neverFed() throws Exception {
    SerialNumber serialNumber = DATABASE.issue(Sample.of("www.example.test"));
    DATABASE.execute(
        "DELETE FROM outcome",
        "DELETE FROM certificate_feed",
        String.format(
            Locale.ROOT,
            """
        INSERT INTO outcome (expiry_week, serial, kind, reason, maybe_signed, owner, epoch)
        VALUES (%d, decode('%s', 'hex'), 'abandoned', 'TOO_OLD', false, 'node', 0)
        """,
            serialNumber.expiryWeek().number(),
            serialNumber.hex()));

    assertThat(index.look().isFed()).isFalse();
    index.walk();
    assertThat(found()).isEmpty();
  }

  /** What was issued by software that knew no index, and while it is walked. */
  @Test
  void walk_issuedBeforeTheIndex_allFoundOnce() {
    List<SerialNumber> old = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      old.add(
          DATABASE.issue(
              Sample.of("old" + i + ".example.test")
                  .until(Sample.NOW.plus(Duration.ofDays(30L * i)))));
    }
    DATABASE.execute("DELETE FROM certificate_feed");
    assertThat(index.look().isFilled()).isFalse();

    SerialNumber added = DATABASE.issue(Sample.of("new.example.test"));
    while (!index.look().isFilled()) {
      index.walk();
      index.take();
    }

    old.add(added);
    assertThat(found()).containsExactlyInAnyOrderElementsOf(old);
    assertThat(DATABASE.number("SELECT sum(certificates) FROM certificate_tally")).isEqualTo(13);
    assertThat(index.walk().orElseThrow().certificates()).isZero();
  }

  @Test
  void walk_severalSteps_continuesWhereItWas() {
    issueTogether(1_100);
    DATABASE.execute("DELETE FROM certificate_feed");

    int steps = 0;
    while (!index.look().isFilled()) {
      index.walk();
      steps++;
    }

    assertThat(steps).isEqualTo(3);
    assertThat(DATABASE.number("SELECT count(*) FROM certificate_index")).isEqualTo(1101);
  }

  @Test
  void take_unreadableCertificate_foundByAllButItsNames() throws Exception {
    Sample sample = Sample.of("www.example.test");
    SerialNumber serialNumber = DATABASE.nextSerialNumber(sample);
    try (Connection connection = DATABASE.open()) {
      DATABASE.record(connection, sample, serialNumber, new byte[] {0x30, 0x01, 0x00});
      connection.commit();
    }
    SerialNumber after = DATABASE.issue(sample);

    assertThat(index.take().orElseThrow().unreadable()).isOne();

    assertThat(found()).containsExactlyInAnyOrder(serialNumber, after);
  }

  @Test
  void look_waiting_lagRises() {
    Standing idle = index.look();
    DATABASE.issue(Sample.of("www.example.test"));
    DATABASE.execute("UPDATE certificate_feed SET recorded_at = now() - interval '7 seconds'");

    Standing waiting = index.look();

    assertThat(idle.lag()).isZero();
    assertThat(waiting.lag()).isBetween(Duration.ofSeconds(7), Duration.ofSeconds(30));
  }

  @Test
  void dropBefore_oldWeek_goneFromTheIndexNotFromTheLedgerAndStaysAway() {
    Instant longAgo = Sample.NOW.minus(Duration.ofDays(300));
    DATABASE.indexed(Sample.of("old.example.test").until(longAgo));
    SerialNumber present = DATABASE.indexed(Sample.of("new.example.test"));

    ExpiredWeeks expired = new ExpiredWeeks(DATABASE.database());
    ExpiryWeek week = ExpiryWeek.of(longAgo.plus(Duration.ofDays(7)));
    assertThat(expired.dropBefore(week)).isEqualTo(2);
    assertThat(expired.dropBefore(week)).isZero();

    assertThat(found()).containsExactly(present);
    assertThat(DATABASE.number("SELECT count(*) FROM outcome")).isEqualTo(2);
    assertThat(DATABASE.number("SELECT sum(certificates) FROM certificate_tally")).isOne();
    index.walk();
    assertThat(found()).containsExactly(present);
  }
}
