package org.sluiceca.api.renewal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.renewal.store.RateStore;
import org.sluiceca.api.renewal.store.ReplacementStore;
import org.sluiceca.api.revocation.store.PostgresRevocationStore;
import org.sluiceca.api.revocation.store.RevocationDatabase;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.renewal.RenewalWindows;
import org.sluiceca.core.revoke.Revoker;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.Revocable;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.Validity;

/** When clients are asked to come back, while something is replaced. */
class RenewalTimesTest {

  private static final RevocationDatabase DATABASE = new RevocationDatabase();

  /** A third of it is planned, so that nothing is due now. */
  private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);

  private final Validity validity =
      new Validity(now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(89)));

  private final LedgerEntry certificate = new Revocable(31).silent(validity.notAfter());
  private final ReplacementStore replacements = new ReplacementStore(DATABASE.database());
  private final RateStore rates = new RateStore(DATABASE.database());

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private final RenewalLoop loop =
      new RenewalLoop(replacements, rates, () -> {}, () -> 0, "a", () -> now, registry);

  private final RenewalTimes times = new RenewalTimes(replacements, rates, loop);

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @BeforeEach
  void empty() {
    DATABASE.empty();
    DATABASE.issued(certificate, now.minus(Duration.ofDays(1)));
  }

  private RenewalTimes.Answer answer() {
    return times.of(
        certificate,
        validity,
        new PostgresRevocationStore(DATABASE.database())
            .status(certificate.intent().serialNumber())
            .revocation(),
        now);
  }

  /** Of a million: its windows take a day. */
  private static void recordBulkRevocation(String requester) {
    DATABASE.execute(
        "INSERT INTO revocation_job (id, confirmation, officer, requester, reason, as_of, selected)"
            + " VALUES ('00000000-0000-0000-0000-000000000001', repeat('0', 64), 'bob', '"
            + requester
            + "', 1, now(), 1000000)",
        "INSERT INTO replacement (job, certificates, per_second, within_seconds)"
            + " SELECT id, selected, 1, 86400 FROM revocation_job");
  }

  @Test
  void start_replacementsThatAreLate_recordedAtOnce() throws Exception {
    CountDownLatch recorded = new CountDownLatch(1);
    try (RenewalLoop started =
        new RenewalLoop(
            replacements,
            rates,
            recorded::countDown,
            () -> 0,
            "a",
            () -> now,
            new SimpleMeterRegistry())) {
      started.start();

      assertThat(recorded.await(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void of_bulkRevocationOfOthers_pollsAsEver() {
    recordBulkRevocation("others");
    loop.refresh(true);

    RenewalTimes.Answer answer = answer();

    assertThat(answer.kind()).isEqualTo(RenewalTimes.Kind.PLANNED);
    // Each certificate's own, up to a third shorter.
    assertThat(answer.pollAfter())
        .isBetween(RenewalWindows.POLL_MAX.multipliedBy(2).dividedBy(3), RenewalWindows.POLL_MAX);
  }

  /** Of 90 days, in the middle of their ten days of windows. */
  @Test
  void refresh_certificatesThatAreDue_plannedRateUntilTheyAreCountedAgain() {
    DATABASE.execute(
        "INSERT INTO certificate_life (expires_on, expiry_week, profile, life_class,"
            + " shortest_seconds, longest_seconds, certificates) SELECT (now() AT TIME ZONE"
            + " 'UTC')::date + 30, 3000, 'web', 23, 7776000, 7776000, 820800");

    loop.refresh(true);

    // 820,800 in nine and a half days.
    assertThat(registry.get("ca.renewal.planned.rate").gauge().value()).isEqualTo(1, within(1e-6));
    DATABASE.execute("DELETE FROM certificate_life");
    loop.refresh(false);
    assertThat(registry.get("ca.renewal.planned.rate").gauge().value()).isEqualTo(1, within(1e-6));
    loop.refresh(true);
    assertThat(registry.get("ca.renewal.planned.rate").gauge().value()).isZero();
  }

  @Test
  void of_retiredIssuer_pollsAsEverUntilItsWindow() {
    DATABASE.execute(
        "INSERT INTO replacement (retired_issuer, certificates, per_second, within_seconds) VALUES ('"
            + certificate.intent().origin().issuer()
            + "', 100000000, 1, 2592000)");

    RenewalTimes.Answer answer = answer();

    assertThat(answer.kind()).isEqualTo(RenewalTimes.Kind.REPLACED);
    Duration untilWindow = Duration.between(now, answer.window().start());
    assertThat(answer.pollAfter())
        .isGreaterThan(
            untilWindow.compareTo(RenewalWindows.POLL_URGENT_MAX) > 0
                ? RenewalWindows.POLL_URGENT_MAX
                : Duration.ZERO);
  }

  @Test
  void of_revoked_withinAnHour() {
    new Revoker(new PostgresRevocationStore(DATABASE.database()), () -> now, event -> {})
        .revoke(certificate, Intents.BOB, RevocationReason.SUPERSEDED, Optional.empty());

    RenewalTimes.Answer answer = answer();

    assertThat(answer.kind()).isEqualTo(RenewalTimes.Kind.REVOKED);
    assertThat(answer.pollAfter()).isLessThanOrEqualTo(RenewalWindows.POLL_URGENT_MAX);
  }
}
