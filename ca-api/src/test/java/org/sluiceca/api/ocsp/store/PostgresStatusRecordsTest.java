package org.sluiceca.api.ocsp.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.revocation.store.PostgresRevocationStore;
import org.sluiceca.api.revocation.store.RevocationDatabase;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.ocsp.StatusRecords.Known;
import org.sluiceca.core.revoke.Revoker;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.Revocable;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;

/** One statement gives what the ledger and the revocations say one by one. */
class PostgresStatusRecordsTest {

  private static final RevocationDatabase DATABASE = new RevocationDatabase();

  private final PostgresStatusRecords records = new PostgresStatusRecords(DATABASE.database());
  private final PostgresRevocationStore revocations =
      new PostgresRevocationStore(DATABASE.database());
  private final Revocable certificates = new Revocable(3);

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  @Test
  void find_everyKindInOneRound_eachAsRecorded() {
    LedgerEntry good = issued();
    LedgerEntry revoked = issued();
    LedgerEntry released = issued();
    LedgerEntry pending = Revocable.pending(certificates.onCrl("issuing.crl"));
    DATABASE.intent(pending, Fixtures.NOW);
    Revoker revoker = new Revoker(revocations, () -> Fixtures.NOW, event -> {});
    revoke(revoker, revoked, RevocationReason.SUPERSEDED);
    revoke(revoker, revoked, RevocationReason.KEY_COMPROMISE);
    revoke(revoker, released, RevocationReason.CERTIFICATE_HOLD);
    assertThat(revoker.release(released, Intents.ALICE)).isNotNull();
    List<SerialNumber> asked = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      asked.add(certificates.onCrl("issuing.crl").intent().serialNumber());
    }
    List<LedgerEntry> recorded = List.of(good, revoked, released, pending);
    recorded.forEach(entry -> asked.add(entry.intent().serialNumber()));
    asked.add(good.intent().serialNumber());

    Map<SerialNumber, Known> found = records.find(asked);

    assertThat(found).hasSize(recorded.size());
    for (LedgerEntry entry : recorded) {
      SerialNumber serial = entry.intent().serialNumber();
      Known known = Objects.requireNonNull(found.get(serial));
      assertThat(known.entry().intent().tbsCertificate())
          .isEqualTo(entry.intent().tbsCertificate());
      assertThat(known.revocation()).isEqualTo(revocations.status(serial));
    }
    assertThat(known(found, good).entry().outcome()).containsInstanceOf(Outcome.Issued.class);
    assertThat(known(found, pending).entry().outcome()).isEmpty();
    assertThat(known(found, revoked).revocation().revocation())
        .hasValueSatisfying(r -> assertThat(r.reason()).isEqualTo(RevocationReason.KEY_COMPROMISE));
    assertThat(known(found, released).revocation().events()).isEqualTo(2);
  }

  private static Known known(Map<SerialNumber, Known> found, LedgerEntry entry) {
    return Objects.requireNonNull(found.get(entry.intent().serialNumber()));
  }

  @Test
  void find_nothingAsked_nothing() {
    assertThat(records.find(List.of())).isEmpty();
  }

  private LedgerEntry issued() {
    LedgerEntry entry = certificates.onCrl("issuing.crl");
    DATABASE.issued(entry, Fixtures.NOW);
    return entry;
  }

  private static void revoke(Revoker revoker, LedgerEntry entry, RevocationReason reason) {
    assertThat(revoker.revoke(entry, Intents.ALICE, reason, Optional.empty())).isNotNull();
  }
}
