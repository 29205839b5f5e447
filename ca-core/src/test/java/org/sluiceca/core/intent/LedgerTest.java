package org.sluiceca.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.check.CheckedSignature;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.failure.CaUnavailable.ClaimLost;
import org.sluiceca.core.failure.Invariant;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SignSchedule;
import org.sluiceca.core.testkit.FakeSigner;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryLedgerStore;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.verify.BouncyCastleVerifier;

class LedgerTest {

  private static final Duration LIFETIME = Duration.ofSeconds(15);
  private static final SoftwareKey KEY = SoftwareKey.named("ec-p256");
  private static final SoftwareKey OTHER = SoftwareKey.named("ec-p384");
  private static final Outcome.Abandoned GIVEN_UP =
      new Outcome.Abandoned(Outcome.Reason.TOO_OLD, true);

  private final ManualTime time = new ManualTime(Fixtures.NOW);
  private final InMemoryLedgerStore store = new InMemoryLedgerStore(time, time);
  private final Ledger ledger = ledger("node-1");
  private final Intents intents = new Intents(7);

  @Test
  void recordOutcome_signatureOfAnotherIntent_isABug() {
    RecordedIntent first = pending();
    RecordedIntent second = pending();
    CheckedSignature certificate = signed(first);

    assertThatExceptionOfType(Invariant.Broken.class)
        .isThrownBy(() -> ledger.recordOutcome(second, certificate, second.claim().until()));
    assertThat(ledger.find(second.serialNumber()).orElseThrow().outcome()).isEmpty();
  }

  @Test
  void recordOutcome_first_isOursAndFound() {
    RecordedIntent intent = pending();
    CheckedSignature certificate = signed(intent);

    Ledger.Decided decided = ledger.recordOutcome(intent, certificate, intent.claim().until());

    assertThat(decided)
        .isEqualTo(new Ledger.Decided(new Outcome.Issued(certificate.signature()), true));
    assertThat(ledger.find(intent.serialNumber()).orElseThrow().outcome())
        .contains(decided.outcome());
  }

  @Test
  void abandon_first_isOursAndFound() {
    RecordedIntent intent = pending();

    Ledger.Decided decided = ledger.abandon(intent, GIVEN_UP, intent.claim().until());

    assertThat(decided).isEqualTo(new Ledger.Decided(GIVEN_UP, true));
    assertThat(ledger.find(intent.serialNumber()).orElseThrow().outcome()).contains(GIVEN_UP);
  }

  /** Who comes second learns what stands, not what it wanted. */
  @Test
  void abandon_issuedBefore_returnsTheCertificate() {
    RecordedIntent intent = pending();
    CheckedSignature certificate = signed(intent);
    ledger.recordOutcome(intent, certificate, intent.claim().until());

    assertThat(ledger.abandon(intent, GIVEN_UP, intent.claim().until()))
        .isEqualTo(new Ledger.Decided(new Outcome.Issued(certificate.signature()), false));
  }

  /** Another node is at work: what it brings later is not released. */
  @Test
  void cancel_beingSignedElsewhere_itsSignatureComesTooLate() {
    RecordedIntent intent = pending();

    Ledger.Decided cancelled = ledger("node-2").cancel(intent.serialNumber(), soon()).orElseThrow();

    Outcome.Abandoned expected = new Outcome.Abandoned(Outcome.Reason.CANCELLED, true);
    assertThat(cancelled).isEqualTo(new Ledger.Decided(expected, true));
    assertThat(ledger.recordOutcome(intent, signed(intent), intent.claim().until()))
        .isEqualTo(new Ledger.Decided(expected, false));
    assertThat(ledger.cancel(intent.serialNumber(), soon()))
        .contains(new Ledger.Decided(expected, false));
  }

  @Test
  void cancel_issuedBefore_theCertificateStands() {
    RecordedIntent intent = pending();
    CheckedSignature certificate = signed(intent);
    ledger.recordOutcome(intent, certificate, intent.claim().until());

    assertThat(ledger.cancel(intent.serialNumber(), soon()))
        .contains(new Ledger.Decided(new Outcome.Issued(certificate.signature()), false));
  }

  @Test
  void cancel_unknown_empty() {
    assertThat(ledger.cancel(intents.next().serialNumber(), soon())).isEmpty();
  }

  private Deadline soon() {
    return Deadline.after(Duration.ofSeconds(5), time);
  }

  @Test
  void requireClaim_untilTheLastMoment_thenLost() {
    RecordedIntent intent = pending();
    Deadline latest = Deadline.after(Duration.ofSeconds(1), time);

    ledger.requireClaim(intent, latest);
    time.pass(Duration.ofSeconds(2));

    assertThatExceptionOfType(ClaimLost.class)
        .isThrownBy(() -> ledger.requireClaim(intent, latest))
        .withMessageContaining(intent.serialNumber().toString());
  }

  @Test
  void nodeId_bounds_bothSides() {
    assertThat(new NodeId("n".repeat(80))).hasToString("n".repeat(80));
    assertThatIllegalArgumentException().isThrownBy(() -> new NodeId("n".repeat(81)));
    assertThatIllegalArgumentException().isThrownBy(() -> new NodeId(" "));
  }

  /** An intent that another node left and this one took over: without a plan, which is step 4's. */
  private RecordedIntent pending() {
    Intent intent = intents.next();
    store.recordIntent(
        intent,
        new LedgerStore.ClaimTerms(new NodeId("gone"), LIFETIME),
        Deadline.after(LIFETIME, time));
    time.pass(LIFETIME.plusSeconds(1));
    List<ExpiredIntent> taken = ledger.takeOverExpired(1);
    assertThat(taken).hasSize(1);
    return taken.getFirst().intent();
  }

  private static CheckedSignature signed(RecordedIntent intent) {
    IssuerCatalog issuers = new IssuerCatalog(List.of(Fixtures.issuing(KEY)));
    Deadline until = intent.claim().until();
    SignSchedule schedule =
        new SignSchedule(Lane.INTERACTIVE, intent.intent().origin().requester(), until, until);
    return new PostSignCheck(issuers::publicKey, new BouncyCastleVerifier())
        .check(intent, new FakeSigner(Fixtures.ISSUING, KEY, OTHER).sign(intent, schedule));
  }

  private Ledger ledger(String node) {
    return new Ledger(store, new LedgerStore.ClaimTerms(new NodeId(node), LIFETIME), time);
  }
}
