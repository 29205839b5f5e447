package org.sluiceca.api.issuance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.enroll.Acceptance;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.Occasion;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.Revocable;
import org.sluiceca.core.testkit.SoftwareKey;

/** A renewal that may have been recorded has its row, and one that was not has none. */
class RenewalAuditTest {

  private final List<AuditRow> written = new CopyOnWriteArrayList<>();
  private final AuditTrail trail =
      new AuditTrail("node-0.1", written::addAll, () -> Instant.parse("2026-05-04T10:00:00Z"));
  private final RenewalAudit audit = new RenewalAudit(trail);
  private final Intent intent = new Intents(1).next();
  private final LedgerEntry replaced = new Revocable(1).withoutRevocation();

  @BeforeEach
  void start() {
    trail.start();
  }

  @AfterEach
  void end() {
    trail.close();
  }

  private EnrollmentRequest request(Occasion occasion) {
    return new EnrollmentRequest(
        Fixtures.requester(),
        new ProfileName("tls-server"),
        CsrFixture.host("a.test", "a.test").signedBy(SoftwareKey.named("ec-p256")),
        Optional.empty(),
        occasion);
  }

  private EnrollmentRequest renewal() {
    return request(new Occasion.Renewal(replaced.certificate().orElseThrow()));
  }

  private String onlyRow() {
    trail.close();
    assertThat(written).hasSize(1);
    return written.getFirst().content();
  }

  @Test
  void recorded_ordered_rowNamesBothCertificates() {
    audit.recorded(renewal(), () -> new Acceptance.Ordered(intent));

    assertThat(onlyRow())
        .contains("\"replaced\":\"" + replaced.intent().serialNumber().hex() + "\"")
        .contains("\"serial\":\"" + intent.serialNumber().hex() + "\"");
  }

  /** A COMMIT whose answer is lost may have happened, and recovery would sign it. */
  @Test
  void recorded_databaseFailed_rowSaysUnknown() {
    LedgerUnavailable lost = new LedgerUnavailable("not recorded", new SQLException("lost"));

    assertThatExceptionOfType(LedgerUnavailable.class)
        .isThrownBy(
            () ->
                audit.recorded(
                    renewal(),
                    () -> {
                      throw lost;
                    }))
        .isSameAs(lost);

    assertThat(onlyRow())
        .contains("\"replaced\":\"" + replaced.intent().serialNumber().hex() + "\"")
        .contains("\"outcome\":\"unknown\"");
  }

  @Test
  void recorded_neverWrittenOrReplayedOrNoRenewal_noRow() {
    assertThatExceptionOfType(LedgerUnavailable.class)
        .isThrownBy(
            () ->
                audit.recorded(
                    renewal(),
                    () -> {
                      throw new LedgerUnavailable("not written before the deadline");
                    }));
    audit.recorded(renewal(), () -> new Acceptance.Replayed(replaced));
    audit.recorded(request(new Occasion.Single()), () -> new Acceptance.Ordered(intent));
    trail.close();

    assertThat(written).isEmpty();
  }
}
