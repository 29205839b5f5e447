package org.sluiceca.api.cli.ceremony.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.certificate.store.IssuedCertificates;
import org.sluiceca.api.cli.ceremony.store.RestoredCertificates.Finding;
import org.sluiceca.api.cli.ceremony.store.RestoredCertificates.Verified;
import org.sluiceca.api.revocation.store.RevocationDatabase;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.revoke.RevocationEvent.Change;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;

/** What is recorded in a restored ledger, on a real PostgreSQL. */
class RestoredLedgerTest {

  private static final RevocationDatabase DATABASE = new RevocationDatabase();
  private static final Instant BEFORE = Instant.parse("2026-05-01T12:00:00Z");
  private static final NodeId OWNER = new NodeId("ceremony.1");
  private static final OctetString SIGNATURE = Intents.signature(7);

  private static final String GIVEN_UP =
      "SELECT count(*) FROM outcome WHERE kind = 'abandoned' AND reason = 'RESTORED' AND maybe_signed";

  private final Intents intents = new Intents(5);
  private final RestoredCertificates certificates =
      new RestoredCertificates(DATABASE.database(), OWNER);
  private final UndecidedIntents undecided = new UndecidedIntents(DATABASE.database(), OWNER);

  @AfterAll
  static void closeDatabase() {
    DATABASE.close();
  }

  @BeforeEach
  void empty() {
    DATABASE.empty();
    DATABASE.execute(
        "DELETE FROM backlog",
        "DELETE FROM backlog_depth",
        "DELETE FROM unresolved_intent",
        "UPDATE recovery_watermark SET swept_before = '-infinity'");
  }

  @AfterEach
  void close() {
    certificates.close();
    undecided.close();
  }

  private static Verified certificate(Intent intent, OctetString signature) {
    return new Verified(
        intent.serialNumber(),
        intent.origin().issuer(),
        intent.tbsCertificate(),
        intent.signatureAlgorithm(),
        signature);
  }

  private static LedgerEntry entry(Intent intent) {
    return new LedgerEntry(intent, BEFORE, Optional.empty());
  }

  /** An intent without an outcome. */
  private Intent undecided() {
    Intent intent = Intents.keyless(intents.next());
    DATABASE.intent(entry(intent), BEFORE);
    return intent;
  }

  private List<SerialNumber> giveUp() {
    List<SerialNumber> all = new ArrayList<>();
    undecided.giveUp(all::addAll);
    return all;
  }

  @Test
  void takeIn_unknown_isInTheLedgerAsItIs() {
    Intent intent = Intents.keyless(intents.next());

    assertThat(certificates.takeIn(certificate(intent, SIGNATURE))).isEqualTo(Finding.TAKEN_IN);
    assertThat(certificates.takeIn(certificate(intent, SIGNATURE))).isEqualTo(Finding.KNOWN);

    assertThat(
            new IssuedCertificates(DATABASE.database())
                .find(List.of(intent.serialNumber()))
                .get(intent.serialNumber()))
        .isEqualTo(
            new LedgerEntry(intent, BEFORE, Optional.of(new Outcome.Issued(SIGNATURE)))
                .certificate()
                .orElseThrow());
    assertThat(DATABASE.number("SELECT count(*) FROM certificate_feed")).isPositive();
  }

  /** The CRL was read first, when the ledger knew no certificate and so no key. */
  @Test
  void takeIn_revokedForKeyCompromiseBefore_keyIsBlocked() {
    Intent intent = Intents.keyless(intents.next());
    Intent other = Intents.keyless(intents.next());
    DATABASE.execute("DELETE FROM compromised_key");
    LostRevocations lost = new LostRevocations(DATABASE.database());
    lost.restore(
        new CrlScope(intent.origin().issuer(), 0),
        intent.serialNumber(),
        new Change.Revoked(RevocationReason.KEY_COMPROMISE, Optional.empty(), Optional.of(BEFORE)));
    assertThat(DATABASE.number("SELECT count(*) FROM compromised_key")).isZero();

    assertThat(certificates.takeIn(certificate(other, SIGNATURE))).isEqualTo(Finding.TAKEN_IN);
    assertThat(DATABASE.number("SELECT count(*) FROM compromised_key")).isZero();
    assertThat(certificates.takeIn(certificate(intent, SIGNATURE))).isEqualTo(Finding.TAKEN_IN);

    assertThat(DATABASE.number("SELECT count(*) FROM compromised_key")).isEqualTo(1);
    DATABASE.execute("DELETE FROM compromised_key");
  }

  @Test
  void takeIn_undecided_isItsOutcome() {
    Intent intent = undecided();

    assertThat(certificates.takeIn(certificate(intent, SIGNATURE))).isEqualTo(Finding.DECIDED);

    assertThat(DATABASE.number("SELECT count(*) FROM intent")).isEqualTo(1);
    assertThat(giveUp()).isEmpty();
  }

  @Test
  void takeIn_anotherSignatureOrContentIsThere_saysThatTwoExist() {
    Intent intent = undecided();
    Finding _ = certificates.takeIn(certificate(intent, SIGNATURE));

    assertThat(certificates.takeIn(certificate(intent, Intents.signature(8))))
        .isEqualTo(Finding.OTHER);

    Intent other = undecided();
    Verified liar =
        new Verified(
            other.serialNumber(),
            other.origin().issuer(),
            intent.tbsCertificate(),
            other.signatureAlgorithm(),
            SIGNATURE);
    assertThat(certificates.takeIn(liar)).isEqualTo(Finding.OTHER);
  }

  @Test
  void giveUp_undecidedWhereverItStands_maybeSigned() {
    Intent behind = undecided();
    Intent listed = undecided();
    Intent ordered = undecided();
    Intent issued = Intents.keyless(intents.next());
    DATABASE.issued(entry(issued), BEFORE);
    DATABASE.execute(
        String.format(
            Locale.ROOT,
            "INSERT INTO unresolved_intent VALUES (%s, '%s')",
            RevocationDatabase.key(entry(listed)),
            BEFORE),
        String.format(
            Locale.ROOT,
            "INSERT INTO backlog (requester, expiry_week, serial) VALUES ('alice', %s)",
            RevocationDatabase.key(entry(ordered))),
        "INSERT INTO backlog_depth VALUES ('alice', 3, 1, 0)");

    assertThat(giveUp())
        .containsExactlyInAnyOrder(
            behind.serialNumber(), listed.serialNumber(), ordered.serialNumber());

    assertThat(DATABASE.number(GIVEN_UP)).isEqualTo(3);
    assertThat(DATABASE.number("SELECT count(*) FROM backlog")).isZero();
    assertThat(DATABASE.number("SELECT count(*) FROM unresolved_intent")).isZero();
    assertThat(DATABASE.number("SELECT sum(orders) FROM backlog_depth")).isZero();
    assertThat(giveUp()).isEmpty();
    assertThat(certificates.takeIn(certificate(ordered, SIGNATURE))).isEqualTo(Finding.GIVEN_UP);
  }

  @Test
  void giveUp_claimedByANode_nodeComesTooLate() {
    Intent intent = undecided();
    DATABASE.execute(
        String.format(
            Locale.ROOT,
            "INSERT INTO claim VALUES (%d, '\\x%s', 4, 'node', now() + interval '1 minute')",
            intent.serialNumber().expiryWeek().number(),
            HexFormat.of().formatHex(intent.serialNumber().octets())));

    assertThat(giveUp()).containsExactly(intent.serialNumber());

    assertThat(DATABASE.number("SELECT max(epoch) FROM outcome")).isEqualTo(5);
    DATABASE.execute("DELETE FROM claim");
  }

  @Test
  void connections_ofOthers_areSeenWhenTheyAreOlder() {
    var _ = new IssuedCertificates(DATABASE.database()).find(List.of());

    assertThat(undecided.connectionsOlderThan(Duration.ofDays(1))).isZero();
    assertThat(undecided.connectionsOlderThan(Duration.ZERO)).isPositive();
  }
}
