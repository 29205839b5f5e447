package org.sluiceca.core.revoke;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryRevocations;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.ListEventSink;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.testkit.Revocable;
import org.sluiceca.core.x509.RevocationReason;
import org.sluiceca.core.x509.SerialNumber;

/** What may be revoked, what may follow what, and that all of it is recorded. */
class RevokerTest {

  private final ManualTime time = new ManualTime(Fixtures.NOW);
  private final InMemoryRevocations store = new InMemoryRevocations(time);
  private final ListEventSink events = new ListEventSink();
  private final Revoker revoker = new Revoker(store, time, events);
  private final LedgerEntry entry = new Revocable(1).onCrl("issuing.crl");

  @Test
  void revoke_issued_recordedWithReasonAndTime() {
    RevocationResult.Done done = done(revoke(RevocationReason.SUPERSEDED));

    assertThat(done.isNew()).isTrue();
    assertThat(store.status(entry.intent().serialNumber()).revocation())
        .contains(new Revocation(RevocationReason.SUPERSEDED, Fixtures.NOW, Optional.empty()))
        .isEqualTo(done.status().revocation());
    assertThat(events.names()).containsExactly("CertificateRevoked");
  }

  @Test
  void revoke_again_sameAnswerNothingRecorded() {
    RevocationResult.Done first = done(revoke(RevocationReason.SUPERSEDED));
    time.pass(Duration.ofHours(1));

    RevocationResult.Done second = done(revoke(RevocationReason.CESSATION_OF_OPERATION));

    assertThat(second.isNew()).isFalse();
    assertThat(second.status()).isEqualTo(first.status());
    assertThat(events.names()).hasSize(1);
  }

  @Test
  void revoke_laterFoundCompromised_reasonChangesDateStays() {
    done(revoke(RevocationReason.SUPERSEDED));
    time.pass(Duration.ofHours(1));

    RevocationResult.Done second = done(revoke(RevocationReason.KEY_COMPROMISE));

    assertThat(second.isNew()).isTrue();
    assertThat(second.status().revocation().orElseThrow().reason())
        .isEqualTo(RevocationReason.KEY_COMPROMISE);
    assertThat(second.status().revocation().orElseThrow().revokedAt()).isEqualTo(Fixtures.NOW);
  }

  /** A thief who reports an authority's compromise must not keep the key from being blocked. */
  @Test
  void revoke_authorityCompromisedBefore_becomesKeyCompromise() {
    for (RevocationReason first :
        List.of(RevocationReason.CA_COMPROMISE, RevocationReason.AA_COMPROMISE)) {
      assertThat(
              RevocationRules.revoke(
                  status(first), RevocationReason.KEY_COMPROMISE, Optional.empty()))
          .isInstanceOf(RevocationRules.Decision.Append.class);
      assertThat(
              RevocationRules.revoke(
                  status(RevocationReason.KEY_COMPROMISE), first, Optional.empty()))
          .isInstanceOf(RevocationRules.Decision.Stands.class);
    }
  }

  private static RevocationStatus status(RevocationReason reason) {
    return new RevocationStatus(
        1, Optional.of(new Revocation(reason, Fixtures.NOW, Optional.empty())));
  }

  @Test
  void revoke_compromisedAlready_noOtherReasonReplacesIt() {
    done(revoke(RevocationReason.KEY_COMPROMISE));

    assertThat(done(revoke(RevocationReason.SUPERSEDED)).isNew()).isFalse();
    assertThat(done(revoke(RevocationReason.CERTIFICATE_HOLD)).isNew()).isFalse();
    assertThat(done(revoke(RevocationReason.KEY_COMPROMISE)).isNew()).isFalse();
  }

  @Test
  void release_onHold_validAgainAndMayBeRevokedAgain() {
    done(revoke(RevocationReason.CERTIFICATE_HOLD));

    RevocationResult.Done released = done(revoker.release(entry, Intents.ALICE));
    RevocationResult.Done again = done(revoke(RevocationReason.SUPERSEDED));

    assertThat(released.status().revocation()).isEmpty();
    assertThat(again.isNew()).isTrue();
    assertThat(store.status(entry.intent().serialNumber()).events()).isEqualTo(3);
    assertThat(events.names())
        .containsExactly("CertificateRevoked", "HoldReleased", "CertificateRevoked");
  }

  @Test
  void revoke_onHold_becomesFinalWithTheHoldsDate() {
    done(revoke(RevocationReason.CERTIFICATE_HOLD));
    time.pass(Duration.ofDays(1));

    RevocationResult.Done last = done(revoke(RevocationReason.PRIVILEGE_WITHDRAWN));

    assertThat(last.status().revocation().orElseThrow().revokedAt()).isEqualTo(Fixtures.NOW);
    assertThat(revoker.release(entry, Intents.ALICE)).isInstanceOf(RevocationResult.Refused.class);
  }

  @Test
  void release_neverOnHold_refused() {
    assertThat(revoker.release(entry, Intents.ALICE)).isInstanceOf(RevocationResult.Refused.class);
  }

  @Test
  void release_again_sameAnswer() {
    done(revoke(RevocationReason.CERTIFICATE_HOLD));
    done(revoker.release(entry, Intents.ALICE));

    assertThat(done(revoker.release(entry, Intents.ALICE)).isNew()).isFalse();
  }

  @Test
  void revoke_neverIssued_refused() {
    assertThat(
            revoker.revoke(
                Revocable.pending(entry),
                Intents.ALICE,
                RevocationReason.SUPERSEDED,
                Optional.empty()))
        .isInstanceOf(RevocationResult.Refused.class);
    assertThat(store.status(entry.intent().serialNumber()))
        .isEqualTo(RevocationStatus.NEVER_REVOKED);
  }

  @Test
  void revoke_withoutRevocationInformation_refused() {
    assertThat(
            revoker.revoke(
                new Revocable(2).withoutRevocation(),
                Intents.ALICE,
                RevocationReason.KEY_COMPROMISE,
                Optional.empty()))
        .isInstanceOf(RevocationResult.Refused.class);
  }

  @Test
  void revoke_invalidityDate_pastKeptFarFutureRefused() {
    Instant past = Fixtures.NOW.minus(Duration.ofDays(3)).plusNanos(5);

    RevocationResult.Done done =
        done(
            revoker.revoke(entry, Intents.BOB, RevocationReason.KEY_COMPROMISE, Optional.of(past)));

    assertThat(done.status().revocation().orElseThrow().invalidityDate())
        .contains(Fixtures.NOW.minus(Duration.ofDays(3)));
    assertThat(
            revoker.revoke(
                entry,
                Intents.BOB,
                RevocationReason.KEY_COMPROMISE,
                Optional.of(Fixtures.NOW.plusSeconds(301))))
        .isInstanceOfSatisfying(
            RevocationResult.Refused.class,
            refused ->
                assertThat(refused.detail())
                    .contains("invalidityDate", "1988", Fixtures.NOW.plusSeconds(300).toString()));
    assertThat(
            revoker.revoke(
                new Revocable(77).onCrl("issuing.crl"),
                Intents.BOB,
                RevocationReason.KEY_COMPROMISE,
                Optional.of(Instant.parse("1900-01-01T00:00:00Z"))))
        .isInstanceOf(RevocationResult.Refused.class);
  }

  /** An officer whose clock is fast must be able to revoke. */
  @Test
  void revoke_invalidityDateOfAFastClock_now() {
    for (int ahead : new int[] {1, 60, 300}) {
      RevocationResult.Done done =
          done(
              revoker.revoke(
                  new Revocable(100 + ahead).onCrl("issuing.crl"),
                  Intents.BOB,
                  RevocationReason.KEY_COMPROMISE,
                  Optional.of(Fixtures.NOW.plusSeconds(ahead))));

      assertThat(done.status().revocation().orElseThrow().invalidityDate()).contains(Fixtures.NOW);
    }
  }

  @Test
  void revoke_othersAlwaysFirst_outrunNotEndless() {
    Revoker outrun =
        new Revoker(
            new RevocationStore() {
              @Override
              public RevocationStatus status(SerialNumber serialNumber) {
                return RevocationStatus.NEVER_REVOKED;
              }

              @Override
              public Optional<RevocationStatus> append(RevocationEvent event) {
                return Optional.empty();
              }
            },
            time,
            events);

    assertThat(outrun.revoke(entry, Intents.BOB, RevocationReason.SUPERSEDED, Optional.empty()))
        .isInstanceOf(RevocationResult.Outrun.class);
  }

  private RevocationResult revoke(RevocationReason reason) {
    return revoker.revoke(entry, Intents.ALICE, reason, Optional.empty());
  }

  private static RevocationResult.Done done(RevocationResult result) {
    assertThat(result).isInstanceOf(RevocationResult.Done.class);
    return (RevocationResult.Done) result;
  }
}
