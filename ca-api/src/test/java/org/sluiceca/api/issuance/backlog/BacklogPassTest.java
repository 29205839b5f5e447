package org.sluiceca.api.issuance.backlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.issuance.RecoveryDecider;
import org.sluiceca.api.platform.change.Rest;
import org.sluiceca.api.platform.change.RestingLoop;
import org.sluiceca.api.platform.change.Topic;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.admit.LinePermit;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.csr.CsrVerifier;
import org.sluiceca.core.csr.KeyBlocklist;
import org.sluiceca.core.der.KeyFingerprint;
import org.sluiceca.core.enroll.AcceptSteps;
import org.sluiceca.core.enroll.Acceptance;
import org.sluiceca.core.enroll.Enrollment;
import org.sluiceca.core.enroll.FinishSteps;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.intent.RecordedIntent;
import org.sluiceca.core.intent.RecoveryPolicy;
import org.sluiceca.core.order.OrderRotation;
import org.sluiceca.core.plan.IssuerCatalog;
import org.sluiceca.core.plan.Planner;
import org.sluiceca.core.plan.Recheck;
import org.sluiceca.core.plan.SerialNumbers;
import org.sluiceca.core.profile.ProfileAuthorizer;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.EnrollmentRequest;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SigningCost;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.InMemoryLedgerStore;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.CsrDer;

class BacklogPassTest {

  private static final Duration CLAIM = Duration.ofSeconds(15);

  private static final CsrDer CSR =
      CsrFixture.host("a.test", "a.test").signedBy(SoftwareKey.named("ec-p256"));

  private final ManualTime time = new ManualTime(Fixtures.NOW);
  private final InMemoryLedgerStore store = new InMemoryLedgerStore(time, time);
  private final Ledger ledger =
      new Ledger(store, store, new ClaimTerms(new NodeId("here"), CLAIM), time);
  private final BacklogWatch watch = new BacklogWatch(store, time);

  private record Started(RecordedIntent intent, LinePermit place) {}

  private final List<Started> started = new ArrayList<>();
  private boolean isSignerUsable = true;
  private boolean isIssuerActive = true;
  private boolean isKnownHere = true;
  private boolean isFailing;
  private int asked;
  private final Admission admission =
      new Admission(512, () -> isSignerUsable, time, new SplittableRandom(1));
  private final IssuerCatalog issuers =
      new IssuerCatalog(List.of(Fixtures.issuing(SoftwareKey.named("issuer-ec-p256"))));
  private final Enrollment line =
      new Enrollment(
          new AcceptSteps(
              admission,
              (lane, requester, cost, deadline) -> admission.park(requester),
              profile -> SigningCost.ORDINARY,
              new ProfileAuthorizer(new ProfileCatalog(Fixtures.profiles())),
              new CsrVerifier(new BouncyCastleVerifier(), KeyBlocklist.EMPTY),
              new Planner(issuers, new SerialNumbers(new SplittableRandom(2)), time)),
          new FinishSteps(
              (signable, turn) -> {
                throw new IllegalStateException("nothing is signed here");
              },
              new PostSignCheck(issuers::publicKey, new BouncyCastleVerifier())),
          ledger,
          event -> {});
  private final BacklogPass pass =
      new BacklogPass(
          new BacklogPass.Parts(
              admission,
              ledger,
              new RecoveryDecider(
                  ledger,
                  new RecoveryPolicy(Duration.ofHours(24)),
                  new Recheck(new ProfileCatalog(Fixtures.profiles()), issuers),
                  new Registry(),
                  event -> {}),
              profile -> SigningCost.ORDINARY,
              (intent, place) -> {
                started.add(new Started(intent, place));
                if (isFailing) {
                  place.close();
                }
                return isFailing
                    ? CompletableFuture.completedFuture(Optional.empty())
                    : new CompletableFuture<>();
              }),
          watch,
          new OrderRotation(""),
          time);

  /** Knows everything; whether the issuer is active decides what becomes of an order. */
  private final class Registry implements RecoveryDecider.Registry {
    @Override
    public boolean isKnownHere(Intent.Origin origin) {
      return isKnownHere;
    }

    @Override
    public boolean isIssuerActive(Intent.Origin origin) {
      asked++;
      return isIssuerActive;
    }

    @Override
    public boolean isIssuerAsStored(Intent.Origin origin) {
      return true;
    }

    @Override
    public boolean isKeyCompromised(KeyFingerprint key, RequesterId requester) {
      return false;
    }

    @Override
    public boolean isRequesterAllowed(Intent.Origin origin) {
      return true;
    }
  }

  @Test
  void run_nothingWaits_restsAndTakesNothing() {
    assertThat(pass.run()).isEqualTo(Duration.ofSeconds(1));
    assertThat(started).isEmpty();
  }

  @Test
  void run_nothingWaits_restsUntilAnOrderComes() {
    AtomicReference<Rest> rest = new AtomicReference<>(Rest.never());
    RestingLoop.check(
        Set.of(Topic.ORDERS),
        changes -> rest.set(changes.rest(List.of(Topic.ORDERS), () -> {})),
        () -> pass.run(rest.get()),
        Duration.ofSeconds(1));
  }

  /** Else the rate would be too low: nothing could be taken while it rested. */
  @Test
  void watch_ordersAfterARest_rateOfTheTimeSinceTheyCame() {
    var _ = watch.look();
    time.pass(Duration.ofSeconds(25));
    order(Intents.ALICE, 100);
    var _ = watch.look();
    assertThat(watch.takenPerSecond()).isZero();

    takeEverySecond(4, 5);

    assertThat(watch.takenPerSecond()).isEqualTo(5);
  }

  @Test
  void run_ordersWait_startedInTheBulkLaneAsFarAsThereIsRoom() {
    order(Intents.ALICE, 300);
    order(Intents.BOB, 3);
    int room = admission.roomForOrders();

    Duration pause = runUntilItRests();

    assertThat(started).hasSize(room);
    assertThat(started).allMatch(p -> p.place().lane() == Lane.BULK);
    assertThat(started.stream().filter(p -> isOf(p, Intents.BOB))).hasSize(3);
    assertThat(pause).isPositive();
    assertThat(store.depths().total()).isEqualTo(303 - room);
  }

  @Test
  void run_placesGivenBack_goesOn() {
    order(Intents.ALICE, 300);
    while (store.depths().total() > 0) {
      Duration _ = runUntilItRests();
      started.forEach(p -> p.place().completed());
      time.pass(Duration.ofMillis(100));
      assertThat(started.size()).isPositive();
    }

    assertThat(started.stream().map(p -> p.intent().serialNumber()).distinct()).hasSize(300);
    assertThat(watch.takenPerSecond()).isNotNegative();
  }

  @Test
  void run_noSigner_leavesThemInTheBacklog() {
    order(Intents.ALICE, 5);
    isSignerUsable = false;

    Duration _ = runUntilItRests();

    assertThat(started).isEmpty();
    assertThat(store.depths().total()).isEqualTo(5);
  }

  /** Otherwise the whole backlog would move into the list of recovery, for no use. */
  @Test
  void run_nothingIsForThisNode_takesABatchAndRests() {
    order(Intents.ALICE, 300);
    isKnownHere = false;

    Duration pause = pass.run();

    assertThat(pause).isEqualTo(Duration.ofSeconds(5));
    assertThat(started).isEmpty();
    assertThat(admission.occupancy().inFlight()).isZero();
    assertThat(store.depths().total()).isGreaterThanOrEqualTo(300 - 64);
    long waiting = store.depths().total();
    assertThat(pass.run()).isEqualTo(Duration.ofSeconds(5));
    assertThat(store.depths().total()).isGreaterThanOrEqualTo(waiting - 4);
  }

  /** Its issuer's token is away while another one is there: places come back at once. */
  @Test
  void run_everyOrderFailsAtOnce_braked_andGoesOnOnceOneEnds() {
    order(Intents.ALICE, 300);
    isFailing = true;

    assertThat(runUntilItRests()).isEqualTo(Duration.ofSeconds(5));
    long waiting = store.depths().total();
    assertThat(waiting).isGreaterThanOrEqualTo(300 - 128);
    for (int i = 0; i < 5; i++) {
      assertThat(pass.run()).isEqualTo(Duration.ofSeconds(5));
    }
    assertThat(store.depths().total()).isGreaterThanOrEqualTo(waiting - 20);

    isIssuerActive = false;
    time.pass(Duration.ofSeconds(1));
    while (store.depths().total() > 0) {
      assertThat(runUntilItRests()).isNotEqualTo(Duration.ofSeconds(5));
    }
  }

  @Test
  void registry_manyOfOneOrigin_askedOnceASecond() {
    List<Intent> orders = order(Intents.ALICE, 3);
    RecentRegistry recent = new RecentRegistry(new Registry(), time);

    orders.forEach(o -> assertThat(recent.isIssuerActive(o.origin())).isTrue());
    assertThat(asked).isEqualTo(1);
    isIssuerActive = false;
    time.pass(Duration.ofSeconds(1));

    orders.forEach(o -> assertThat(recent.isIssuerActive(o.origin())).isFalse());
    assertThat(asked).isEqualTo(2);
  }

  /** Not signed, so not on the CRL either. */
  @Test
  void run_issuerRetired_givenUpAndNotPerhapsSigned() {
    List<Intent> orders = order(Intents.ALICE, 2);
    isIssuerActive = false;

    Duration _ = runUntilItRests();

    assertThat(started).isEmpty();
    assertThat(orders)
        .allMatch(
            o ->
                store
                    .find(o.serialNumber())
                    .orElseThrow()
                    .outcome()
                    .orElseThrow()
                    .equals(new Outcome.Abandoned(Outcome.Reason.ISSUER_INACTIVE, false)));
    assertThat(admission.occupancy().inFlight()).isZero();
  }

  @Test
  void watch_ordersTaken_positionAndEtaByTurnsAndRate() {
    List<Intent> alice = order(Intents.ALICE, 100);
    order(Intents.BOB, 10);
    var _ = watch.look();
    assertThat(watch.position(alice.get(50).serialNumber(), Intents.ALICE).orElseThrow())
        .satisfies(s -> assertThat(s.position()).isEqualTo(60))
        .satisfies(s -> assertThat(s.etaSeconds()).isEmpty());

    takeEverySecond(4, 5);

    assertThat(watch.takenPerSecond()).isEqualTo(5);
    assertThat(watch.depths().total()).isEqualTo(90);
    assertThat(watch.etaSeconds()).isEqualTo(18);
    var standing = watch.position(alice.get(99).serialNumber(), Intents.ALICE).orElseThrow();
    assertThat(standing.position()).isEqualTo(89);
    assertThat(standing.etaSeconds()).hasValue(18);
    assertThat(watch.positionOfNewest(Intents.ALICE).position()).isEqualTo(90);
    assertThat(watch.position(alice.get(0).serialNumber(), Intents.ALICE)).isEmpty();
  }

  /** Another node does, and this one looks. */
  private void takeEverySecond(int seconds, int orders) {
    for (int second = 0; second < seconds; second++) {
      time.pass(Duration.ofSeconds(1));
      var taken =
          store.takeOrders(
              new ClaimTerms(new NodeId("other"), CLAIM),
              new OrderRotation("").next(store.depths(), orders));
      assertThat(taken).hasSize(orders);
      var _ = watch.look();
    }
  }

  private Duration runUntilItRests() {
    Duration pause = pass.run();
    for (int i = 0; pause.isZero(); i++) {
      assertThat(i).isLessThan(100);
      pause = pass.run();
    }
    return pause;
  }

  private static boolean isOf(Started accepted, RequesterId requester) {
    return accepted.intent().intent().origin().requester().equals(requester);
  }

  /** By the line, for what is taken is rechecked. */
  private List<Intent> order(RequesterId requester, int number) {
    Requester like = Fixtures.requester();
    Requester asking =
        new Requester(requester, like.authentication(), like.roles(), like.profiles());
    return IntStream.range(0, number)
        .mapToObj(
            i ->
                ((Acceptance.Ordered)
                        line.accept(
                            new EnrollmentRequest(
                                    asking, Fixtures.tlsServer().name(), CSR, Optional.empty())
                                .asOrder(),
                            Deadline.after(Duration.ofSeconds(1), time)))
                    .intent())
        .toList();
  }
}
