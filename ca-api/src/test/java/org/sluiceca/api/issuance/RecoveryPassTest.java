package org.sluiceca.api.issuance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.csr.KeyBlocklist;
import org.sluiceca.core.der.KeyFingerprint;
import org.sluiceca.core.enroll.AcceptSteps;
import org.sluiceca.core.enroll.Acceptance;
import org.sluiceca.core.enroll.Enrollment;
import org.sluiceca.core.enroll.Finish;
import org.sluiceca.core.enroll.FinishSteps;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.intent.RecoveryPolicy;
import org.sluiceca.core.plan.IssuancePlan;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.plan.Planner;
import org.sluiceca.core.plan.Recheck;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileAuthorizer;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.testkit.AcceptLine;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.FakeSigner;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryLedgerStore;
import org.sluiceca.core.testkit.ListEventSink;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.Validity;

/** Promises are kept: by the node that made them, or by another when that one does not. */
class RecoveryPassTest {

  private static final Duration CLAIM = Duration.ofSeconds(15);
  private static final CsrDer CSR =
      CsrFixture.host("a.test", "a.test").signedBy(SoftwareKey.named("ec-p256"));

  private final Set<KeyFingerprint> compromised = new HashSet<>();
  private boolean known = true;
  private boolean isIssuerAsStored = true;
  private Supplier<@Nullable RuntimeException> registryFault = () -> null;
  private final ManualTime time = new ManualTime(Fixtures.NOW);
  private final InMemoryLedgerStore store = new InMemoryLedgerStore(time, time);
  private final ListEventSink events = new ListEventSink();
  private List<CertificateProfile> profilesHere = Fixtures.profiles();
  private final Admission admission = new Admission(2, () -> true, time, new SplittableRandom(1));
  private final SoftwareKey key = SoftwareKey.named("issuer-ec-p256");
  private Issuer issuerHere = Fixtures.issuing(key);
  private final FakeSigner signer =
      new FakeSigner(Fixtures.ISSUING, key, SoftwareKey.named("issuer-ec-p256"));
  private final Ledger dead = ledger("dead");
  private final Ledger alive = ledger("alive");
  private final IssuanceExecutor executor =
      new IssuanceExecutor(new IntentFinisher(line(alive), events, time), time);

  @AfterEach
  void close() {
    executor.close();
  }

  @Test
  void start_promise_isKeptAndGivesItsPlaceBack() throws Exception {
    Acceptance.Accepted accepted = promise(line(alive));
    assertThat(admission.occupancy().inFlight()).isEqualTo(1);

    Optional<Finish> finish = await(accepted);

    assertThat(finish).get().isInstanceOf(Finish.Issued.class);
    assertThat(admission.occupancy().inFlight()).isZero();
  }

  @Test
  void start_signerLost_leavesThePromisePendingAndGivesItsPlaceBack() throws Exception {
    signer.failNext(FakeSigner.Fault.LOST);
    Acceptance.Accepted accepted = promise(line(alive));

    assertThat(await(accepted)).isEmpty();

    assertThat(outcome(accepted)).isEmpty();
    assertThat(admission.occupancy().inFlight()).isZero();
    assertThat(events.names()).contains("IntentLeftPending");
  }

  @Test
  void pass_livingClaim_isLeftAlone() throws Exception {
    Acceptance.Accepted accepted = promise(line(dead));
    time.pass(CLAIM.minusSeconds(1));

    pass(true, true);

    assertThat(outcome(accepted)).isEmpty();
    assertThat(signer.signatures()).isZero();
  }

  @Test
  void pass_expiredClaimOfADeadNode_isFinished() throws Exception {
    Acceptance.Accepted accepted = promise(line(dead));
    time.pass(CLAIM.plusSeconds(1));

    pass(true, true);

    assertThat(outcome(accepted)).get().isInstanceOf(Outcome.Issued.class);
  }

  @Test
  void pass_requesterNoLongerAllowed_givesUpWithoutSigning() throws Exception {
    Acceptance.Accepted accepted = promise(line(dead));
    time.pass(CLAIM.plusSeconds(1));

    pass(true, false);

    assertThat(outcome(accepted))
        .contains(new Outcome.Abandoned(Outcome.Reason.REQUESTER_NOT_ALLOWED, true));
    assertThat(signer.signatures()).isZero();
  }

  /** The revocation came after the intent: not signed here, and on the CRL if it was elsewhere. */
  @Test
  void pass_keyCompromisedMeanwhile_givesUpWithoutSigning() throws Exception {
    Acceptance.Accepted accepted = promise(line(dead));
    compromised.add(KeyFingerprint.of(accepted.intent().intent().tbsCertificate()));
    time.pass(CLAIM.plusSeconds(1));
    known = false;

    pass(true, true);

    assertThat(outcome(accepted))
        .contains(new Outcome.Abandoned(Outcome.Reason.KEY_COMPROMISED, true));
    assertThat(signer.signatures()).isZero();
  }

  /** Written past the line, as by a person with access to the database. */
  @Test
  void pass_contentThatTheLineWouldNotPlan_isNeverSigned() throws Exception {
    IssuancePlan plan = new AcceptLine(Fixtures.tlsServer(), Fixtures.issuing(key)).plan(CSR);
    Intent planted =
        new Intent(
            plan.serialNumber(),
            plan.tbsCertificate(),
            plan.signatureAlgorithm(),
            new Intent.Origin(
                Fixtures.requester().id(), Fixtures.shortLivedClient().name(), Fixtures.ISSUING),
            Optional.empty(),
            OctetString.copyOf(new byte[32]));
    store.recordIntent(
        planted,
        new ClaimTerms(new NodeId("intruder"), CLAIM),
        Deadline.after(Duration.ofSeconds(1), time));
    time.pass(CLAIM.plusSeconds(1));

    pass(true, true);

    assertThat(alive.find(plan.serialNumber()).orElseThrow().outcome())
        .contains(new Outcome.Abandoned(Outcome.Reason.CONTENT_NOT_ISSUABLE, true));
    assertThat(signer.signatures()).isZero();
  }

  /** A node that was started before an issuer was installed must not destroy its promises. */
  @Test
  void pass_issuerOrProfileNotKnownHere_isLeftToANodeThatKnowsIt() throws Exception {
    Acceptance.Accepted accepted = promise(line(dead));
    time.pass(CLAIM.plusSeconds(1));
    known = false;

    pass(true, true);
    assertThat(outcome(accepted)).isEmpty();
    known = true;
    time.pass(CLAIM.plusSeconds(1));
    pass(true, true);

    assertThat(outcome(accepted)).get().isInstanceOf(Outcome.Issued.class);
  }

  /** No node will know it again: left, it would keep recovery busy until it is too old. */
  @Test
  void pass_issuerRetiredAndNotKnownHere_givenUpAtOnce() throws Exception {
    Acceptance.Accepted accepted = promise(line(dead));
    time.pass(CLAIM.plusSeconds(1));
    known = false;

    pass(false, true);

    assertThat(outcome(accepted))
        .contains(new Outcome.Abandoned(Outcome.Reason.ISSUER_INACTIVE, true));
    assertThat(signer.signatures()).isZero();
  }

  /** The CA certificate was renewed, and this node has not started since. */
  @Test
  void pass_longerThanTheCaCertificateHereAndANewerOneIsStored_isLeft() throws Exception {
    Acceptance.Accepted accepted = promise(line(dead));
    time.pass(CLAIM.plusSeconds(1));
    Issuer renewed = Fixtures.issuing(key);
    issuerHere = endingAt(renewed, Fixtures.NOW.plus(Duration.ofDays(1)));
    isIssuerAsStored = false;

    pass(true, true);
    assertThat(outcome(accepted)).isEmpty();
    assertThat(signer.signatures()).isZero();
    issuerHere = renewed;
    isIssuerAsStored = true;
    time.pass(CLAIM.plusSeconds(1));
    pass(true, true);

    assertThat(outcome(accepted)).get().isInstanceOf(Outcome.Issued.class);
  }

  @Test
  void pass_longerThanTheNewestCaCertificate_isNeverSigned() throws Exception {
    Acceptance.Accepted accepted = promise(line(dead));
    time.pass(CLAIM.plusSeconds(1));
    issuerHere = endingAt(Fixtures.issuing(key), Fixtures.NOW.plus(Duration.ofDays(1)));

    pass(true, true);

    assertThat(outcome(accepted))
        .contains(new Outcome.Abandoned(Outcome.Reason.CONTENT_NOT_ISSUABLE, true));
  }

  private static Issuer endingAt(Issuer issuer, Instant end) {
    return new Issuer(
        issuer.name(),
        issuer.subject(),
        issuer.subjectPublicKeyInfo(),
        issuer.keyIdentifier(),
        new Validity(issuer.validity().notBefore(), end),
        issuer.chain(),
        issuer.publications(),
        issuer.constraints());
  }

  /** Neither lost nor signed against the stricter version: a node with the old file finishes it. */
  @Test
  void pass_versionNotHereAndTodaysIsStricter_isLeftUntilTooOld() throws Exception {
    Acceptance.Accepted accepted = promise(line(dead));
    Acceptance.Accepted forgotten = promise(line(dead));
    time.pass(CLAIM.plusSeconds(1));
    profilesHere = List.of(Fixtures.version(Fixtures.tlsServer(), 2, Duration.ofDays(30)));

    pass(true, true);
    assertThat(outcome(accepted)).isEmpty();
    assertThat(signer.signatures()).isZero();

    time.pass(CLAIM.plusSeconds(1));
    profilesHere =
        List.of(
            Fixtures.tlsServer(), Fixtures.version(Fixtures.tlsServer(), 2, Duration.ofDays(30)));
    pass(true, true);
    assertThat(outcome(accepted)).get().isInstanceOf(Outcome.Issued.class);
    assertThat(outcome(forgotten)).get().isInstanceOf(Outcome.Issued.class);
  }

  @Test
  void pass_versionNotHereUntilTooOld_givesUpWithoutSigning() throws Exception {
    Acceptance.Accepted accepted = promise(line(dead));
    time.pass(Duration.ofHours(25));
    profilesHere = List.of(Fixtures.version(Fixtures.tlsServer(), 2, Duration.ofDays(30)));

    pass(true, true);

    assertThat(outcome(accepted)).get().isInstanceOf(Outcome.Abandoned.class);
    assertThat(signer.signatures()).isZero();
  }

  @Test
  void pass_versionNotHereButTodaysWouldPlanItToo_isFinished() throws Exception {
    Acceptance.Accepted accepted = promise(line(dead));
    time.pass(CLAIM.plusSeconds(1));
    profilesHere = List.of(Fixtures.version(Fixtures.tlsServer(), 2, Duration.ofDays(91)));

    pass(true, true);

    assertThat(outcome(accepted)).get().isInstanceOf(Outcome.Issued.class);
  }

  @Test
  void start_signerGivesNonsense_leavesThePromisePending() throws Exception {
    signer.failNext(FakeSigner.Fault.EMPTY);
    Acceptance.Accepted accepted = promise(line(alive));

    assertThat(await(accepted)).isEmpty();
    assertThat(outcome(accepted)).isEmpty();
  }

  @Test
  void pass_tooOld_givesUpWithoutSigning() throws Exception {
    Acceptance.Accepted accepted = promise(line(dead));
    time.pass(Duration.ofHours(25));

    pass(true, true);

    assertThat(outcome(accepted)).contains(new Outcome.Abandoned(Outcome.Reason.TOO_OLD, true));
    assertThat(signer.signatures()).isZero();
  }

  @Test
  void pass_signerLost_comesAgainAfterItsOwnClaim() throws Exception {
    Acceptance.Accepted accepted = promise(line(dead));
    time.pass(CLAIM.plusSeconds(1));
    signer.failNext(FakeSigner.Fault.LOST);

    pass(true, true);
    assertThat(outcome(accepted)).isEmpty();
    time.pass(CLAIM.plusSeconds(1));
    pass(true, true);

    assertThat(outcome(accepted)).get().isInstanceOf(Outcome.Issued.class);
  }

  @Test
  void pass_anIntentThatBreaksItsCheck_doesNotStopTheOthers() throws Exception {
    Enrollment line = line(dead);
    Acceptance.Accepted first = promise(line);
    Acceptance.Accepted second = promise(line);
    time.pass(CLAIM.plusSeconds(1));
    registryFault = () -> new IllegalStateException("a planted bug");

    pass(true, true);

    assertThat(outcome(first)).isEmpty();
    assertThat(outcome(second)).get().isInstanceOf(Outcome.Issued.class);
  }

  private Optional<Finish> await(Acceptance.Accepted accepted) throws InterruptedException {
    return executor.finish(accepted, Deadline.after(Duration.ofSeconds(10), time));
  }

  private Acceptance.Accepted promise(Enrollment line) {
    EnrollmentRequest request =
        new EnrollmentRequest(
            Fixtures.requester(), Fixtures.tlsServer().name(), CSR, Optional.empty());
    return (Acceptance.Accepted) line.accept(request, Deadline.after(Duration.ofSeconds(10), time));
  }

  private Optional<Outcome> outcome(Acceptance.Accepted accepted) {
    return alive.find(accepted.intent().serialNumber()).orElseThrow().outcome();
  }

  private Ledger ledger(String node) {
    return new Ledger(store, new ClaimTerms(new NodeId(node), CLAIM), time);
  }

  private Enrollment line(Ledger ledger) {
    Issuer issuer = Fixtures.issuing(key);
    IssuerCatalog issuers = new IssuerCatalog(List.of(issuer));
    return new Enrollment(
        new AcceptSteps(
            admission,
            new ProfileAuthorizer(new ProfileCatalog(Fixtures.profiles())),
            new CsrVerifier(new BouncyCastleVerifier(), KeyBlocklist.EMPTY),
            new Planner(issuers, new SerialNumbers(new SplittableRandom(2)), time)),
        new FinishSteps(signer, new PostSignCheck(issuers::publicKey, new BouncyCastleVerifier())),
        ledger,
        events);
  }

  private void pass(boolean issuerActive, boolean requesterAllowed) throws InterruptedException {
    RecoveryDecider.Registry registry =
        new RecoveryDecider.Registry() {
          @Override
          public boolean isKnownHere(Intent.Origin origin) {
            RuntimeException fault = registryFault.get();
            registryFault = () -> null;
            if (fault != null) {
              throw fault;
            }
            return known;
          }

          @Override
          public boolean isIssuerActive(Intent.Origin origin) {
            return issuerActive;
          }

          @Override
          public boolean isIssuerAsStored(Intent.Origin origin) {
            return isIssuerAsStored;
          }

          @Override
          public boolean isKeyCompromised(KeyFingerprint key, RequesterId requester) {
            return compromised.contains(key);
          }

          @Override
          public boolean isRequesterAllowed(Intent.Origin origin) {
            return requesterAllowed;
          }
        };
    new RecoveryPass(
            alive,
            executor,
            new RecoveryDecider(
                alive,
                new RecoveryPolicy(Duration.ofHours(24)),
                new Recheck(
                    new ProfileCatalog(profilesHere), new IssuerCatalog(List.of(issuerHere))),
                registry,
                events))
        .run(() -> false);
  }
}
