package org.sluiceca.core.enroll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.admit.AdmissionDecision.Cause;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.csr.KeyBlocklist;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.KeyFingerprint;
import org.sluiceca.core.der.SignedCertificate;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.event.EventSink;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.failure.CaUnavailable.ClaimLost;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.failure.CaUnavailable.SignatureRefused;
import org.sluiceca.core.failure.CaUnavailable.SignerUnavailable;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.intent.ExpiredIntent;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.LedgerStore;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.intent.RecordedIntent;
import org.sluiceca.core.order.BacklogDepths;
import org.sluiceca.core.order.OrderAdmission;
import org.sluiceca.core.order.OrderLimits;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.plan.Planner;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileAuthorizer;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SigningCost;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.FakeSigner;
import org.sluiceca.core.testkit.FakeSigner.Fault;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryLedgerStore;
import org.sluiceca.core.testkit.ListEventSink;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.CsrDer;

/** The whole line on fakes of its ports: what is released, what is recorded, in which order. */
class EnrollmentTest {

  private static final Duration CLAIM_LIFETIME = Duration.ofSeconds(15);
  private static final CsrDer CSR =
      CsrFixture.host("a.test", "a.test").signedBy(SoftwareKey.named("ec-p256"));

  private final ManualTime time = new ManualTime(Fixtures.NOW);
  private final InMemoryLedgerStore store = new InMemoryLedgerStore(time, time);
  private final SoftwareKey issuerKey = SoftwareKey.named("issuer-ec-p256");
  private final ListEventSink events = new ListEventSink();
  private final Admission admission = new Admission(3, () -> true, time, new SplittableRandom(1));

  /** One node with a signer of its own; nodes share the store, the clock and the events. */
  private final class Node {
    private final FakeSigner signer;
    private final Ledger ledger;
    private final Enrollment line;

    Node(String name, SoftwareKey key, LedgerStore store, EventSink sink) {
      this(name, key, store, sink, time);
    }

    Node(String name, SoftwareKey key, LedgerStore store, EventSink sink, Ticker claimTicker) {
      Issuer issuer = Fixtures.issuing(key);
      IssuerCatalog issuers = new IssuerCatalog(List.of(issuer));
      signer = new FakeSigner(issuer.name(), key, SoftwareKey.named("ec-p256"));
      ledger = new Ledger(store, new ClaimTerms(new NodeId(name), CLAIM_LIFETIME), claimTicker);
      line =
          new Enrollment(
              new AcceptSteps(
                  admission,
                  admission::admit,
                  profile -> SigningCost.of(profile.equals(Fixtures.tlsServer().name()) ? 8 : 1),
                  new ProfileAuthorizer(new ProfileCatalog(Fixtures.profiles())),
                  new CsrVerifier(new BouncyCastleVerifier(), KeyBlocklist.EMPTY),
                  new Planner(
                      issuers, new SerialNumbers(new SplittableRandom(name.hashCode())), time)),
              new FinishSteps(
                  signer, new PostSignCheck(issuers::publicKey, new BouncyCastleVerifier())),
              ledger,
              sink);
    }

    Finish finish(RecordedIntent intent) {
      try {
        return line.finish(line.begin(intent, Lane.INTERACTIVE, intent.claim().until()));
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    Acceptance accept(EnrollmentRequest request) {
      return line.accept(request, Deadline.after(Duration.ofSeconds(10), time));
    }

    Acceptance.Accepted promise(EnrollmentRequest request) {
      if (accept(request) instanceof Acceptance.Accepted accepted) {
        return accepted;
      }
      throw new AssertionError("not promised: " + events.events());
    }
  }

  private Node node(String name) {
    return new Node(name, issuerKey, store, events);
  }

  /** A node whose ticker stands still: it believes that its claims never end. */
  private Node zombie(String name) {
    long ahead = Duration.ofSeconds(100).toNanos();
    return new Node(name, issuerKey, store, events, () -> ahead);
  }

  @Test
  void line_everyKeyUnderEveryIssuer_certificateVerifies() throws Exception {
    for (String issuerName : SoftwareKey.ISSUER_NAMES) {
      SoftwareKey key = SoftwareKey.named(issuerName);
      Node node = new Node("node-" + issuerName, key, store, events);
      for (String subjectName : SoftwareKey.NAMES) {
        SoftwareKey subject = SoftwareKey.named(subjectName);

        Acceptance.Accepted accepted =
            node.promise(request(CsrFixture.host("a.test").signedBy(subject)));
        SignedCertificate certificate = released(node.finish(accepted.intent()));
        accepted.place().completed();

        assertThat(certificate.fields().subjectPublicKeyInfo()).isEqualTo(subject.publicKey());
        assertThat(certificate.signatureAlgorithm())
            .isEqualTo(certificate.fields().signatureAlgorithm());
        assertThat(
                new BouncyCastleVerifier()
                    .verifies(
                        key.publicKey(),
                        certificate.signatureAlgorithm(),
                        org.sluiceca.core.x509.OctetString.copyOf(certificate.tbs().encoded()),
                        certificate.signature()))
            .isTrue();
      }
    }
  }

  @Test
  void line_happyPath_eventsInTheOrderOfTheSteps() {
    Node node = node("a");

    node.finish(node.promise(request(CSR)).intent());

    assertThat(events.names())
        .containsExactly("RequestAdmitted", "IntentRecorded", "SignatureMade", "CertificateIssued");
  }

  @Test
  void accept_profileThatCostsMore_placeIsSoMuchWork() {
    assertThat(node("a").promise(request(CSR)).place().cost()).isEqualTo(8);
  }

  @Test
  void accept_endsWithItsIssuer_isAnEvent() {
    time.pass(Duration.ofDays(365).minusMinutes(30));
    CertificateProfile profile = Fixtures.shortLivedClient();
    CsrDer csr = CsrFixture.host("Alice").signedBy(SoftwareKey.named("ec-p256"));

    Acceptance.Accepted accepted = node("a").promise(with(csr, profile.name(), Optional.empty()));

    Instant end = Fixtures.issuing(issuerKey).validity().notAfter();
    Instant wanted = time.instant().plus(Duration.ofMinutes(55)).minusSeconds(1);
    assertThat(events.events())
        .endsWith(
            new CaEvent.ValidityClamped(
                accepted.intent().serialNumber(), profile.name(), wanted, end));
  }

  @Test
  void accept_issuerNotHere_unavailableAndThePlaceIsBack() {
    EnrollmentRequest ceremony =
        new EnrollmentRequest(Fixtures.ceremony(), Fixtures.rootCa().name(), CSR, Optional.empty());

    assertThatExceptionOfType(CaUnavailable.IssuerInactive.class)
        .isThrownBy(() -> node("a").accept(ceremony));

    assertThat(admission.occupancy().inFlight()).isZero();
    assertThat(events.names()).containsExactly("RequestAdmitted");
  }

  @Test
  void accept_promised_intentIsInTheLedgerBeforeAnythingIsSigned() {
    Node node = node("a");

    Acceptance.Accepted accepted = node.promise(request(CSR));

    assertThat(node.signer.signatures()).isZero();
    LedgerEntry entry = store.find(accepted.intent().serialNumber()).orElseThrow();
    assertThat(entry.outcome()).isEmpty();
    assertThat(entry.intent().tbsCertificate().encoded())
        .isEqualTo(accepted.intent().toBeSigned().octets());
  }

  @Test
  void finish_done_whatLeavesIsWhatTheLedgerHolds() {
    Node node = node("a");
    Acceptance.Accepted accepted = node.promise(request(CSR));

    Finish finish = node.finish(accepted.intent());

    LedgerEntry entry = store.find(accepted.intent().serialNumber()).orElseThrow();
    assertThat(finish).isEqualTo(new Finish.Issued(entry.certificate().orElseThrow()));
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"WRONG_SIGNATURE", "WRONG_KEY", "OTHER_BYTES", "EMPTY"})
  void finish_wrongSignature_refusedAndNothingRecordedOrReleased(Fault fault) {
    Node node = node("a");
    RecordedIntent intent = node.promise(request(CSR)).intent();
    node.signer.failNext(fault);

    assertThatExceptionOfType(SignatureRefused.class).isThrownBy(() -> node.finish(intent));

    assertThat(store.find(intent.serialNumber()).orElseThrow().outcome()).isEmpty();
    assertThat(events.names()).endsWith("SignatureMade", "SignatureRefused");
    assertThat(node.finish(intent)).isInstanceOf(Finish.Issued.class);
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"LOST", "ANSWER_LOST"})
  void finish_signerGone_intentStaysPending(Fault fault) {
    Node node = node("a");
    RecordedIntent intent = node.promise(request(CSR)).intent();
    node.signer.failNext(fault);

    assertThatExceptionOfType(SignerUnavailable.class)
        .isThrownBy(() -> node.finish(intent))
        .satisfies(e -> assertThat(e.mayHaveSigned()).isEqualTo(fault == Fault.ANSWER_LOST));

    assertThat(store.find(intent.serialNumber()).orElseThrow().outcome()).isEmpty();
    assertThat(events.names()).endsWith("IntentRecorded");
  }

  @Test
  void accept_refusedInEveryWay_placeGivenBackAndNothingRecorded() {
    Node node = node("a");
    CsrDer malformed = CsrDer.of(new byte[] {1});
    List<EnrollmentRequest> refused =
        List.of(
            request(malformed),
            request(CsrFixture.empty().signedBy(SoftwareKey.named("ed25519"))),
            request(CsrFixture.host("a_b").signedBy(SoftwareKey.named("ed25519"))),
            with(CSR, new ProfileName("nowhere"), Optional.empty()),
            with(CSR, Fixtures.issuingCa().name(), Optional.empty()));

    for (EnrollmentRequest request : refused) {
      assertThat(node.accept(request)).isInstanceOf(Acceptance.Rejected.class);
      assertThat(admission.occupancy().inFlight()).isZero();
    }
    assertThat(store.claimExpired(terms("z"), 99)).isEmpty();
    time.pass(Duration.ofHours(1));
    assertThat(store.claimExpired(terms("z"), 99)).isEmpty();
    assertThat(events.names()).containsOnly("RequestAdmitted", "RequestRejected");
  }

  @Test
  void accept_ledgerAway_placeGivenBack() {
    Node node = node("a");
    Deadline passed = Deadline.after(Duration.ofSeconds(1), time);
    LedgerStore slow = slow(store, time, Duration.ofSeconds(2));
    Node behind = new Node("b", issuerKey, slow, events);

    assertThatExceptionOfType(LedgerUnavailable.class)
        .isThrownBy(() -> behind.line.accept(request(CSR), passed));

    assertThat(admission.occupancy().inFlight()).isZero();
    assertThat(node.signer.signatures()).isZero();
  }

  @Test
  void accept_sinkThrows_placeGivenBack() {
    Node node =
        new Node(
            "a",
            issuerKey,
            store,
            event -> {
              throw new IllegalStateException("a broken sink");
            });

    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> node.accept(request(CSR)));

    assertThat(admission.occupancy().inFlight()).isZero();
  }

  @Test
  void accept_lineFull_shedBeforeAnythingIsParsed() {
    Node node = node("a");
    for (int i = 0; i < 3; i++) {
      node.promise(request(CSR));
    }

    Acceptance acceptance = node.accept(request(CsrDer.of(new byte[0])));

    assertThat(acceptance)
        .isInstanceOfSatisfying(
            Acceptance.Shed.class,
            shed -> assertThat(shed.decision().cause()).isEqualTo(Cause.SATURATED));
    assertThat(events.names()).endsWith("RequestShed");
  }

  /** A line that is full refuses clients that wait, and records orders. */
  @Test
  void order_lineFull_recordedInTheBacklogAndSignedByWhoTakesIt() throws InterruptedException {
    Ledger withOrders =
        new Ledger(store, store, new ClaimTerms(new NodeId("o"), CLAIM_LIFETIME), time);
    IssuerCatalog issuers =
        new IssuerCatalog(List.of(Fixtures.issuing(SoftwareKey.named("issuer-ec-p256"))));
    OrderAdmission entrance =
        new OrderAdmission(admission, new OrderLimits(10, 10), () -> BacklogDepths.EMPTY);
    FakeSigner signer =
        new FakeSigner(
            Fixtures.ISSUING, SoftwareKey.named("issuer-ec-p256"), SoftwareKey.named("ec-p256"));
    Enrollment line =
        new Enrollment(
            new AcceptSteps(
                admission,
                entrance::admit,
                profile -> SigningCost.ORDINARY,
                new ProfileAuthorizer(new ProfileCatalog(Fixtures.profiles())),
                new CsrVerifier(new BouncyCastleVerifier(), KeyBlocklist.EMPTY),
                new Planner(issuers, new SerialNumbers(new SplittableRandom(77)), time)),
            new FinishSteps(
                signer, new PostSignCheck(issuers::publicKey, new BouncyCastleVerifier())),
            withOrders,
            events);
    Deadline soon = Deadline.after(Duration.ofSeconds(10), time);
    int accepted = 0;
    Acceptance last = line.accept(request(CSR).asOrder(), soon);
    while (last instanceof Acceptance.Accepted) {
      accepted++;
      assertThat(accepted).isLessThan(10_000);
      last = line.accept(request(CSR).asOrder(), soon);
    }

    Intent order = ((Acceptance.Ordered) last).intent();

    assertThat(line.accept(request(CSR), soon)).isInstanceOf(Acceptance.Shed.class);
    assertThat(admission.occupancy().inFlight()).isEqualTo(accepted);
    assertThat(store.find(order.serialNumber()).orElseThrow().outcome()).isEmpty();
    SequencedMap<RequesterId, Integer> one = new LinkedHashMap<>();
    one.put(order.origin().requester(), 1);
    RecordedIntent taken = withOrders.takeOrders(one).getFirst().intent();
    assertThat(taken.intent()).isEqualTo(order);
    assertThat(line.finish(line.begin(taken, Lane.BULK, taken.claim().until())))
        .isInstanceOf(Finish.Issued.class);
  }

  @Test
  void accept_sameKeyAndPayload_inProgressThenReplayedNeverSignedTwice() {
    Node node = node("a");
    EnrollmentRequest request = keyed(CSR, "k");
    Acceptance.Accepted accepted = node.promise(request);

    assertThat(node.accept(request)).isInstanceOf(Acceptance.InProgress.class);
    Finish finish = node.finish(accepted.intent());
    accepted.place().completed();

    assertThat(node.accept(request))
        .isInstanceOfSatisfying(
            Acceptance.Replayed.class,
            replayed ->
                assertThat(new Finish.Issued(replayed.first().certificate().orElseThrow()))
                    .isEqualTo(finish));
    assertThat(node.signer.signatures()).isEqualTo(1);
    assertThat(admission.occupancy().inFlight()).isZero();
  }

  /** The verifier of this line knows of no key: step 5 is what refuses. */
  @Test
  void accept_keyCompromisedMeanwhile_rejectedAndNothingRecorded() {
    Node node = node("a");
    store.compromise(KeyFingerprint.of(SoftwareKey.named("ec-p256").publicKey()));

    assertThat(node.accept(keyed(CSR, "k")))
        .isInstanceOfSatisfying(
            Acceptance.Rejected.class,
            r -> assertThat(r.rejection().reason()).isEqualTo(Reason.COMPROMISED_KEY));
    assertThat(admission.occupancy().inFlight()).isZero();
    CsrDer other = CsrFixture.host("a.test").signedBy(SoftwareKey.named("ed25519"));
    assertThat(node.accept(keyed(other, "k"))).isInstanceOf(Acceptance.Accepted.class);
  }

  @Test
  void accept_sameKeyOtherPayload_rejected() {
    Node node = node("a");
    node.promise(keyed(CSR, "k"));
    CsrDer other = CsrFixture.host("b.test").signedBy(SoftwareKey.named("ec-p256"));

    assertThat(node.accept(keyed(other, "k")))
        .isInstanceOfSatisfying(
            Acceptance.Rejected.class,
            r -> assertThat(r.rejection().reason()).isEqualTo(Reason.IDEMPOTENCY_KEY_REUSED));
    assertThat(node.accept(with(CSR, Fixtures.shortLivedClient().name(), Optional.of(key("k")))))
        .isInstanceOf(Acceptance.Rejected.class);
  }

  @Test
  void finish_anotherNodeWasFirst_itsCertificateLeavesNotOurs() throws Exception {
    Node slow = zombie("a");
    Node quick = node("b");
    RecordedIntent ours = slow.promise(request(CSR)).intent();
    time.pass(CLAIM_LIFETIME);
    ExpiredIntent theirs = quick.ledger.takeOverExpired(9).getFirst();

    Finish first = quick.finish(theirs.intent());
    Finish second = slow.finish(ours);

    assertThat(second).isEqualTo(first);
    assertThat(released(second).tbs().encoded()).isEqualTo(ours.toBeSigned().octets());
    assertThat(theirs.intent().claim().epoch()).isEqualTo(1);
    assertThat(events.names()).containsOnlyOnce("CertificateIssued");
  }

  @Test
  void finish_claimRanOut_notEvenSigned() {
    Node node = node("a");
    RecordedIntent inTime = node.promise(request(CSR)).intent();
    RecordedIntent late = node.promise(request(CSR)).intent();

    time.pass(CLAIM_LIFETIME.minusSeconds(2).minusNanos(1));
    assertThat(node.finish(inTime)).isInstanceOf(Finish.Issued.class);
    time.pass(Duration.ofNanos(1));

    assertThatExceptionOfType(ClaimLost.class).isThrownBy(() -> node.finish(late));
    assertThat(node.signer.signatures()).isEqualTo(1);
  }

  @Test
  void finish_takenOverAndNotFinishedYet_claimLostNothingReleased() {
    Node slow = zombie("a");
    Node quick = node("b");
    RecordedIntent ours = slow.promise(request(CSR)).intent();
    time.pass(CLAIM_LIFETIME);
    quick.ledger.takeOverExpired(9);

    assertThatExceptionOfType(ClaimLost.class).isThrownBy(() -> slow.finish(ours));

    assertThat(store.find(ours.serialNumber()).orElseThrow().outcome()).isEmpty();
  }

  @Test
  void finish_abandonedByAnother_abandonedHereToo() {
    Node slow = zombie("a");
    Node quick = node("b");
    RecordedIntent ours = slow.promise(request(CSR)).intent();
    time.pass(CLAIM_LIFETIME);
    RecordedIntent theirs = quick.ledger.takeOverExpired(9).getFirst().intent();
    Outcome.Abandoned outcome = new Outcome.Abandoned(Outcome.Reason.TOO_OLD, true);

    quick.ledger.abandon(theirs, outcome, theirs.claim().until());

    assertThat(slow.finish(ours)).isEqualTo(new Finish.Abandoned(outcome));
    assertThat(events.names()).doesNotContain("CertificateIssued");
  }

  @Test
  void line_manyRequests_everySignatureHasItsRecord() {
    Node node = node("a");
    for (int i = 0; i < 30; i++) {
      Acceptance.Accepted accepted = node.promise(request(CSR));
      node.finish(accepted.intent());
      accepted.place().completed();
    }

    List<CaEvent> stream = events.events();
    for (int i = 0; i < stream.size(); i++) {
      if (stream.get(i) instanceof CaEvent.SignatureMade made) {
        assertThat(stream.subList(0, i))
            .filteredOn(
                e ->
                    e instanceof CaEvent.IntentRecorded recorded
                        && recorded.serialNumber().equals(made.serialNumber()))
            .hasSize(1);
      }
    }
    assertThat(node.signer.signatures()).isEqualTo(30);
  }

  private static LedgerStore slow(LedgerStore store, ManualTime time, Duration delay) {
    return new SlowStore(
        store,
        deadline -> {
          time.pass(delay);
          return deadline;
        });
  }

  private record SlowStore(LedgerStore store, UnaryOperator<Deadline> delay)
      implements LedgerStore {

    @Override
    public IntentAnswer recordIntent(
        org.sluiceca.core.intent.Intent intent, ClaimTerms terms, Deadline deadline) {
      return store.recordIntent(intent, terms, delay.apply(deadline));
    }

    @Override
    public OutcomeAnswer recordOutcome(
        org.sluiceca.core.x509.SerialNumber serialNumber,
        Outcome outcome,
        org.sluiceca.core.intent.Claim claim,
        Deadline deadline) {
      return store.recordOutcome(serialNumber, outcome, claim, delay.apply(deadline));
    }

    @Override
    public Optional<LedgerEntry> find(org.sluiceca.core.x509.SerialNumber serialNumber) {
      return store.find(serialNumber);
    }

    @Override
    public List<TakenOver> claimExpired(ClaimTerms terms, int max) {
      return store.claimExpired(terms, max);
    }

    @Override
    public Optional<TakenOver> takeOver(
        org.sluiceca.core.x509.SerialNumber serialNumber, ClaimTerms terms) {
      return store.takeOver(serialNumber, terms);
    }
  }

  private static ClaimTerms terms(String node) {
    return new ClaimTerms(new NodeId(node), CLAIM_LIFETIME);
  }

  private static EnrollmentRequest request(CsrDer csr) {
    return with(csr, Fixtures.tlsServer().name(), Optional.empty());
  }

  private static EnrollmentRequest keyed(CsrDer csr, String key) {
    return with(csr, Fixtures.tlsServer().name(), Optional.of(key(key)));
  }

  private static IdempotencyKey key(String text) {
    return new IdempotencyKey(text);
  }

  private static EnrollmentRequest with(
      CsrDer csr, ProfileName profile, Optional<IdempotencyKey> key) {
    return new EnrollmentRequest(Fixtures.requester(), profile, csr, key);
  }

  private static SignedCertificate released(Finish finish) throws Exception {
    if (finish instanceof Finish.Issued(var certificate)) {
      return CertificateReader.read(certificate);
    }
    throw new AssertionError("not issued: " + finish);
  }
}
