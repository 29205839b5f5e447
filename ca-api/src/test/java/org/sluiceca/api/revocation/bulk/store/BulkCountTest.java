package org.sluiceca.api.revocation.bulk.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.revocation.store.RevocationDatabase;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.revoke.bulk.BulkSelection;
import org.sluiceca.core.revoke.bulk.BulkTally;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.Revocable;
import org.sluiceca.core.x509.IssuerName;

/** What a selection comes to on a real PostgreSQL: all of it, and nothing else. */
class BulkCountTest {

  private static final RevocationDatabase DATABASE = new RevocationDatabase();
  private static final Instant NOW = Fixtures.NOW;
  private static final Instant BEFORE = NOW.minusSeconds(3_600);

  /** So small that a test has many pages, whole ones and others. */
  private static final int PAGE = 3;

  private static final Duration PLENTY = Duration.ofSeconds(30);

  private final Revocable certificates = new Revocable(11);
  private final BulkCount count = new BulkCount(DATABASE.database(), PAGE);

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @BeforeEach
  void empty() {
    DATABASE.empty();
  }

  @Test
  void count_whatIsNotIssuedOrNotValid_out() {
    issued("alice", "web", "issuing", BEFORE);
    LedgerEntry pending = of(certificates.onCrl("issuing.crl"), "alice", "web", "issuing");
    DATABASE.intent(pending, BEFORE);
    LedgerEntry failed = of(certificates.onCrl("issuing.crl"), "alice", "web", "issuing");
    DATABASE.intent(failed, BEFORE);
    DATABASE.execute(
        "INSERT INTO outcome (expiry_week, serial, recorded_at, kind, reason, maybe_signed, owner,"
            + String.format(
                Locale.ROOT,
                " epoch) VALUES (%s, '%s', 'abandoned', 'TOO_OLD', false, 'n', 0)",
                RevocationDatabase.key(failed),
                BEFORE));
    LedgerEntry expired = of(certificates.silent(NOW.minusSeconds(1)), "alice", "web", "issuing");
    DATABASE.issued(expired, BEFORE);
    LedgerEntry last = of(certificates.silent(NOW), "alice", "web", "issuing");
    DATABASE.issued(last, BEFORE);

    BulkTally tally = count(selection("alice", null, null, null, null));

    assertThat(tally.count()).isEqualTo(2);
    assertThat(tally.onHold()).isZero();
    assertThat(tally.refused()).isZero();
  }

  @Test
  void count_revokedBefore_outAndHeldApart() {
    event(issued("alice", "web", "issuing", BEFORE), 1, "4", BEFORE.plusSeconds(1));
    event(issued("alice", "web", "issuing", BEFORE), 1, "6", BEFORE.plusSeconds(1));
    LedgerEntry released = issued("alice", "web", "issuing", BEFORE);
    event(released, 1, "6", BEFORE.plusSeconds(1));
    event(released, 2, "NULL", BEFORE.plusSeconds(2));
    DATABASE.issued(of(certificates.withoutRevocation(), "alice", "web", "issuing"), BEFORE);

    BulkTally tally = count(selection("alice", null, null, null, null));

    assertThat(tally.count()).isOne();
    assertThat(tally.onHold()).isOne();
    assertThat(tally.refused()).isOne();
  }

  /** What is decided later is not seen: the run selects what the dry run selected. */
  @Test
  void count_decidedAfterTheMoment_asOfTheMoment() {
    event(issued("alice", "web", "issuing", BEFORE), 1, "4", NOW);
    LedgerEntry releasedLater = issued("alice", "web", "issuing", BEFORE);
    event(releasedLater, 1, "6", BEFORE.plusSeconds(1));
    event(releasedLater, 2, "NULL", NOW.plusSeconds(1));
    issued("alice", "web", "issuing", NOW);

    BulkTally tally = count(selection("alice", null, null, null, null));

    assertThat(tally.count()).isOne();
    assertThat(tally.onHold()).isOne();
  }

  @Test
  void count_severalCriteria_allHold() {
    issued("alice", "web", "issuing", BEFORE);
    issued("alice", "mail", "issuing", BEFORE.plusSeconds(10));
    issued("bob", "web", "issuing", BEFORE.plusSeconds(20));
    issued("bob", "web", "other", BEFORE.plusSeconds(30));

    assertThat(count(selection("alice", null, null, null, null)).byProfile(9))
        .isEqualTo(Map.of("web", 1L, "mail", 1L));
    assertThat(count(selection(null, "web", null, null, null)).byRequester(9))
        .isEqualTo(Map.of("bob", 2L, "alice", 1L));
    assertThat(count(selection("bob", "web", "issuing", null, null)).count()).isOne();
    assertThat(count(selection("alice", "web", "other", null, null)).count()).isZero();
    assertThat(count(selection(null, null, "issuing", BEFORE.plusSeconds(10), null)).count())
        .isEqualTo(2);
    assertThat(count(selection(null, null, "issuing", null, BEFORE.plusSeconds(10))).count())
        .isOne();
    assertThat(count(selection(null, "none", null, null, null)).count()).isZero();
  }

  @Test
  void count_manyPagesAndWeeks_each() {
    for (int week = 1; week <= 3; week++) {
      // 5, 6 and 7: less than two pages, two, and more.
      for (int i = 0; i < 4 + week; i++) {
        DATABASE.issued(
            of(
                certificates.silent(NOW.plus(Duration.ofDays(7L * week))),
                i == 0 ? "bob" : "alice",
                "web",
                "issuing"),
            BEFORE);
      }
    }

    assertThat(count(selection("alice", null, null, null, null)).count()).isEqualTo(15);
    assertThat(count(selection(null, "web", null, null, null)).count()).isEqualTo(18);
  }

  @Test
  void count_noTimeLeft_nothing() {
    issued("alice", "web", "issuing", BEFORE);

    assertThat(
            count.count(
                selection("alice", null, null, null, null),
                NOW,
                Duration.ZERO.minusSeconds(1),
                () -> {}))
        .isEmpty();
  }

  /** A connection in a request is cut after a minute, unless it says that it goes on. */
  @Test
  void count_manyPages_saysThatItGoesOn() {
    for (int i = 0; i < 3 * PAGE; i++) {
      issued("alice", "web", "issuing", BEFORE);
    }
    AtomicInteger calls = new AtomicInteger();

    count.count(
        selection("alice", null, null, null, null), NOW, PLENTY, () -> calls.incrementAndGet());

    assertThat(calls).hasValueGreaterThanOrEqualTo(3);
  }

  /** Who began before and commits after would be missed, and then found by the run. */
  @Test
  @Tag("slow")
  void moment_somebodyIsWriting_notAfterItsBeginning() throws SQLException {
    LedgerEntry entry = of(certificates.onCrl("issuing.crl"), "alice", "web", "issuing");
    DATABASE.intent(entry, BEFORE);
    Instant moment;
    Instant recordedAt;
    try (Connection writer = DATABASE.connect();
        Statement statement = writer.createStatement()) {
      writer.setAutoCommit(false);
      statement.execute(
          "INSERT INTO outcome (expiry_week, serial, kind, signature, owner, epoch)"
              + String.format(
                  Locale.ROOT,
                  " VALUES (%s, 'issued', '\\x00', 'n', 0)",
                  RevocationDatabase.key(entry)));
      try (ResultSet row = statement.executeQuery("SELECT now()")) {
        row.next();
        recordedAt = row.getObject(1, OffsetDateTime.class).toInstant();
      }

      moment = count.moment();
      writer.commit();
    }

    assertThat(moment).isBeforeOrEqualTo(recordedAt);
    assertThat(count.moment()).isAfter(recordedAt);
  }

  @Test
  void moment_permitLeftOnTheThread_waitsAllTheSame() {
    long start = System.nanoTime();
    LockSupport.unpark(Thread.currentThread());

    Instant moment = count.moment();

    assertThat(moment).isNotNull();
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(BulkReading.SETTLE.toNanos());
  }

  private BulkTally count(BulkSelection selection) {
    return count.count(selection, NOW, PLENTY, () -> {}).orElseThrow();
  }

  private LedgerEntry issued(String requester, String profile, String issuer, Instant at) {
    LedgerEntry entry = of(certificates.onCrl("issuing.crl"), requester, profile, issuer);
    DATABASE.issued(entry, at);
    return entry;
  }

  private static void event(LedgerEntry entry, int number, String reason, Instant at) {
    DATABASE.execute(
        "INSERT INTO revocation (expiry_week, serial, event, issuer, shard, revision, recorded_at,"
            + String.format(
                Locale.ROOT,
                " requester, reason, revoked_at, not_after) VALUES (%s, %d, 'issuing', 0, 1, '%s',",
                RevocationDatabase.key(entry),
                number,
                at)
            + String.format(
                Locale.ROOT,
                " 'eve', %s, %s, now())",
                reason,
                reason.equals("NULL") ? "NULL" : "now()"));
  }

  /** The same certificate as if another had enrolled it. */
  static LedgerEntry of(LedgerEntry entry, String requester, String profile, String issuer) {
    Intent intent = entry.intent();
    return new LedgerEntry(
        new Intent(
            intent.serialNumber(),
            intent.tbsCertificate(),
            intent.signatureAlgorithm(),
            new Intent.Origin(
                new RequesterId(requester), new ProfileName(profile), new IssuerName(issuer)),
            Optional.empty(),
            intent.payloadHash()),
        entry.recordedAt(),
        entry.outcome());
  }

  private static BulkSelection selection(
      @Nullable String requester,
      @Nullable String profile,
      @Nullable String issuer,
      @Nullable Instant after,
      @Nullable Instant before) {
    return new BulkSelection(
        Optional.ofNullable(requester).map(RequesterId::new),
        Optional.ofNullable(profile).map(ProfileName::new),
        Optional.ofNullable(issuer).map(IssuerName::new),
        Optional.ofNullable(after),
        Optional.ofNullable(before));
  }
}
