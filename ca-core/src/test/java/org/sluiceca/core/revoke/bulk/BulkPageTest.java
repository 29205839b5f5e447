package org.sluiceca.core.revoke.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.revoke.Revocation;
import org.sluiceca.core.revoke.RevocationEvent;
import org.sluiceca.core.revoke.RevocationEvent.Change;
import org.sluiceca.core.revoke.RevocationStatus;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.Revocable;
import org.sluiceca.core.x509.RevocationReason;

/** Who is judged how, and that nothing that stands is touched. */
class BulkPageTest {

  private static final Instant NOW = Fixtures.NOW;

  private final Revocable certificates = new Revocable(5);

  private static final BulkRevocation WISH =
      new BulkRevocation(
          new BulkSelection(
              Optional.of(Intents.ALICE),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty()),
          RevocationReason.KEY_COMPROMISE,
          Optional.of(NOW.minusSeconds(60)),
          Intents.BOB);

  private static BulkCandidate candidate(LedgerEntry entry, boolean isOnHold) {
    return new BulkCandidate(
        entry.intent().serialNumber(),
        entry.intent().origin().requester(),
        entry.intent().origin().profile(),
        entry.intent().origin().issuer(),
        entry.intent().tbsCertificate(),
        isOnHold);
  }

  @Test
  void of_lastSecondOfValidity_in() {
    BulkPage page =
        BulkPage.of(
            List.of(
                candidate(certificates.silent(NOW), false),
                candidate(certificates.silent(NOW.minusSeconds(1)), false),
                candidate(certificates.silent(NOW.plusSeconds(1)), false)),
            NOW);

    assertThat(page.revocable())
        .extracting(BulkPage.Revocable::notAfter)
        .containsExactly(NOW, NOW.plusSeconds(1));
  }

  @Test
  void of_onHoldAndWithoutRevocation_countedApart() {
    BulkPage page =
        BulkPage.of(
            List.of(
                candidate(certificates.onCrl("issuing.crl"), true),
                candidate(certificates.withoutRevocation(), false),
                candidate(certificates.onCrl("issuing.crl"), false)),
            NOW);

    assertThat(page.revocable()).hasSize(1);
    assertThat(page.onHold()).isOne();
    assertThat(page.refused()).isOne();
  }

  @Test
  void scopes_ofManyCrls_inOneOrder() {
    BulkPage page =
        BulkPage.of(
            List.of(
                candidate(certificates.onCrl("issuing/12.crl"), false),
                candidate(certificates.onCrl("issuing.crl"), false),
                candidate(certificates.onCrl("issuing/3.crl"), false)),
            NOW);

    assertThat(page.scopes()).extracting(CrlScope::shard).containsExactly(0, 3, 12);
  }

  @Test
  void decide_neverRevokedAndReleased_revoked() {
    BulkCandidate never = candidate(certificates.onCrl("issuing.crl"), false);
    BulkCandidate released = candidate(certificates.onCrl("issuing.crl"), false);
    BulkPage page = BulkPage.of(List.of(never, released), NOW);

    BulkPage.Events decided =
        page.decide(
            WISH, Map.of(released.serialNumber(), new RevocationStatus(2, Optional.empty())));

    assertThat(decided.alreadyRevoked()).isZero();
    assertThat(decided.events()).extracting(RevocationEvent::number).containsExactly(1, 3);
    assertThat(decided.events())
        .allSatisfy(
            event -> {
              assertThat(event.by()).isEqualTo(Intents.BOB);
              assertThat(event.change())
                  .isEqualTo(
                      new Change.Revoked(
                          RevocationReason.KEY_COMPROMISE,
                          Optional.of(NOW.minusSeconds(60)),
                          Optional.empty()));
            });
  }

  /**
   * A single wish would make a hold final, and a reason worse: no officer looks at each of many.
   */
  @Test
  void decide_revokedOrOnHoldMeanwhile_keepsItsReason() {
    BulkCandidate held = candidate(certificates.onCrl("issuing.crl"), false);
    BulkCandidate revoked = candidate(certificates.onCrl("issuing.crl"), false);
    BulkPage page = BulkPage.of(List.of(held, revoked), NOW);

    BulkPage.Events decided =
        page.decide(
            WISH,
            Map.of(
                held.serialNumber(),
                standing(RevocationReason.CERTIFICATE_HOLD),
                revoked.serialNumber(),
                standing(RevocationReason.SUPERSEDED)));

    assertThat(decided.events()).isEmpty();
    assertThat(decided.alreadyRevoked()).isEqualTo(2);
  }

  private static RevocationStatus standing(RevocationReason reason) {
    return new RevocationStatus(1, Optional.of(new Revocation(reason, NOW, Optional.empty())));
  }

  @Test
  void tally_pages_sumsAndMostFirst() {
    BulkTally tally = new BulkTally();
    LedgerEntry entry = certificates.onCrl("issuing.crl");
    for (int i = 0; i < 3; i++) {
      tally.add(
          BulkPage.of(
              List.of(candidate(entry, false), candidate(certificates.silent(NOW), i == 0)), NOW));
    }

    assertThat(tally.count()).isEqualTo(5);
    assertThat(tally.onHold()).isOne();
    assertThat(tally.byRequester(1)).containsExactly(Map.entry("alice", 5L));
    assertThat(tally.byProfile(0)).isEmpty();
  }
}
