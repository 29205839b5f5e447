package org.sluiceca.api.cli.ceremony.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.revocation.store.PostgresRevocationStore;
import org.sluiceca.api.revocation.store.RevocationDatabase;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.revoke.Revocation;
import org.sluiceca.core.revoke.RevocationEvent.Change;
import org.sluiceca.core.testkit.Revocable;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;

/** What a CRL has and the ledger has not, on a real PostgreSQL. */
class LostRevocationsTest {

  private static final RevocationDatabase DATABASE = new RevocationDatabase();
  private static final Instant SINCE = Instant.parse("2026-05-01T12:00:00Z");

  private final Revocable certificates = new Revocable(3);
  private final LostRevocations lost = new LostRevocations(DATABASE.database());
  private final PostgresRevocationStore store = new PostgresRevocationStore(DATABASE.database());

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @BeforeEach
  void empty() {
    DATABASE.empty();
  }

  private static Change.Revoked entry(RevocationReason reason) {
    return new Change.Revoked(reason, Optional.empty(), Optional.of(SINCE));
  }

  private Optional<Revocation> standing(SerialNumber serialNumber) {
    return store.status(serialNumber).revocation();
  }

  private static CrlScope scope(LedgerEntry entry, int shard) {
    return new CrlScope(entry.intent().origin().issuer(), shard);
  }

  @Test
  void restore_unknownCertificate_standsOnTheCrlThatHadIt() {
    LedgerEntry entry = certificates.onCrl("issuing.crl");
    SerialNumber serialNumber = entry.intent().serialNumber();

    assertThat(lost.restore(scope(entry, 7), serialNumber, entry(RevocationReason.KEY_COMPROMISE)))
        .isTrue();
    assertThat(lost.restore(scope(entry, 7), serialNumber, entry(RevocationReason.KEY_COMPROMISE)))
        .isFalse();

    assertThat(standing(serialNumber))
        .contains(new Revocation(RevocationReason.KEY_COMPROMISE, SINCE, Optional.empty()));
    assertThat(DATABASE.number("SELECT shard FROM revocation")).isEqualTo(7);
  }

  @Test
  void restore_knownCertificate_standsOnTheCrlThatItNames() {
    LedgerEntry entry = certificates.onCrl("issuing.crl");
    DATABASE.issued(entry, SINCE);

    assertThat(
            lost.restore(
                scope(entry, 7), entry.intent().serialNumber(), entry(RevocationReason.SUPERSEDED)))
        .isTrue();

    assertThat(DATABASE.number("SELECT shard FROM revocation")).isZero();
  }

  @Test
  void restore_onHoldHereAndRevokedForGoodThere_forGood() {
    LedgerEntry entry = certificates.onCrl("issuing.crl");
    DATABASE.issued(entry, SINCE);
    SerialNumber serialNumber = entry.intent().serialNumber();
    CrlScope scope = scope(entry, 0);

    assertThat(lost.restore(scope, serialNumber, entry(RevocationReason.CERTIFICATE_HOLD)))
        .isTrue();
    assertThat(lost.restore(scope, serialNumber, entry(RevocationReason.SUPERSEDED))).isTrue();
    assertThat(lost.restore(scope, serialNumber, entry(RevocationReason.CERTIFICATE_HOLD)))
        .isFalse();

    assertThat(standing(serialNumber).orElseThrow().reason())
        .isEqualTo(RevocationReason.SUPERSEDED);
  }

  /** The backup is older than the report: the key must be blocked again, by whatever stands. */
  @Test
  void restore_otherReasonHereAndKeyCompromiseThere_keyIsBlocked() {
    for (RevocationReason standing : RevocationReason.values()) {
      LedgerEntry entry = certificates.onCrl("issuing.crl");
      DATABASE.issued(entry, SINCE);
      SerialNumber serialNumber = entry.intent().serialNumber();
      CrlScope scope = scope(entry, 0);
      assertThat(lost.restore(scope, serialNumber, entry(standing))).isTrue();

      assertThat(lost.restore(scope, serialNumber, entry(RevocationReason.KEY_COMPROMISE)))
          .as(standing.label())
          .isEqualTo(standing != RevocationReason.KEY_COMPROMISE);

      assertThat(standing(serialNumber))
          .contains(new Revocation(RevocationReason.KEY_COMPROMISE, SINCE, Optional.empty()));
      assertThat(lost.restore(scope, serialNumber, entry(RevocationReason.SUPERSEDED))).isFalse();
    }
  }

  @Test
  void isKnown_issuedOrUndecided_andNothingElse() {
    LedgerEntry issued = certificates.onCrl("issuing.crl");
    LedgerEntry undecided = certificates.onCrl("issuing.crl");
    LedgerEntry lostOne = certificates.onCrl("issuing.crl");
    DATABASE.issued(issued, SINCE);
    DATABASE.intent(undecided, SINCE);

    assertThat(lost.isKnown(issued.intent().serialNumber())).isTrue();
    assertThat(lost.isKnown(undecided.intent().serialNumber())).isTrue();
    assertThat(lost.isKnown(lostOne.intent().serialNumber())).isFalse();
  }

  @Test
  void restore_certificateOfAnotherIssuer_refused() {
    LedgerEntry entry = certificates.onCrl("issuing.crl");
    DATABASE.issued(entry, SINCE);

    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                lost.restore(
                    new CrlScope(new IssuerName("other"), 0),
                    entry.intent().serialNumber(),
                    entry(RevocationReason.SUPERSEDED)));

    assertThat(DATABASE.number("SELECT count(*) FROM revocation")).isZero();
  }
}
