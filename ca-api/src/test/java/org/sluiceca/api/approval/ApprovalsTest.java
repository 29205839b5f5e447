package org.sluiceca.api.approval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.sluiceca.api.approval.Approvals.Answer;
import org.sluiceca.api.approval.store.ApprovalStore;
import org.sluiceca.api.approval.store.StoredApproval;
import org.sluiceca.api.approval.store.StoredApproval.Decision;
import org.sluiceca.api.approval.store.StoredApproval.Status;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.store.AuditStore;
import org.sluiceca.api.auth.credential.CredentialAct;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.api.auth.store.CredentialStore.NewCredential;
import org.sluiceca.api.auth.store.RegisteredCredential.Grant;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.api.profile.ProfileFiles;
import org.sluiceca.api.profile.administration.ProfileActivationAct;
import org.sluiceca.api.profile.administration.ProfileAdministration;
import org.sluiceca.api.profile.administration.ProfileAnswer;
import org.sluiceca.api.profile.store.ActivationStore;
import org.sluiceca.api.profile.store.VersionStore;
import org.sluiceca.api.profile.version.ActiveVersions;
import org.sluiceca.api.profile.version.VersionFiles;
import org.sluiceca.api.profile.version.VersionRules;
import org.sluiceca.core.failure.Invariant;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Requester.Authentication;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.x509.OctetString;

/** One asks, another approves, and what was read is done once: on PostgreSQL. */
@Execution(ExecutionMode.CONCURRENT)
class ApprovalsTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final ProfileName WEB = new ProfileName("tls-server");
  private static final Requester ALICE = requester("alice", Role.ADMIN);
  private static final Requester BOB = requester("bob", Role.ADMIN);
  private static final Requester CAROL = requester("carol", Role.OFFICER);

  private final LedgerDatabase.Address address = SERVER.freshDatabase();
  private final LedgerDatabase database = new LedgerDatabase(address);
  private final ApprovalStore store = new ApprovalStore(database);
  private final CredentialStore credentials = new CredentialStore(database);
  private final Set<RequesterId> withoutRole = new HashSet<>();
  private final AuditTrail trail =
      new AuditTrail("test.1", new AuditStore(database)::append, InstantSource.system());

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private ProfileAdministration profiles;

  @SuppressWarnings("NullAway.Init")
  private ProfileActivationAct activation;

  @SuppressWarnings("NullAway.Init")
  private Approvals approvals;

  @BeforeEach
  void open() {
    PostgresForTests.awaitLogin(database);
    trail.start();
    profiles = profiles(ProfileFiles.read(ProfileFiles.CLASSPATH));
    activation = new ProfileActivationAct(profiles);
    approvals = node(Set.of());
    for (int version = 2; version <= 3; version++) {
      profiles.add(
          VersionFiles.yaml("tls-server", version, "P%dD".formatted(version))
              .getBytes(StandardCharsets.UTF_8),
          ALICE.id());
    }
  }

  @AfterEach
  void close() {
    trail.close();
    database.close();
  }

  private ProfileAdministration profiles(ProfileCatalog files) {
    VersionStore versions = new VersionStore(database);
    ActivationStore activations = new ActivationStore(database);
    VersionRules rules = new VersionRules(files, issuer -> true, true);
    return new ProfileAdministration(
        rules,
        versions,
        activations,
        issuer -> true,
        trail,
        new ActiveVersions(rules, versions, activations, Set::of));
  }

  private Approvals node(Set<ApprovalAction> configured) {
    return node(configured, activation);
  }

  private Approvals node(Set<ApprovalAction> configured, ProfileActivationAct itsOwn) {
    return new Approvals(
        configured,
        store,
        trail,
        List.of(itsOwn, new CredentialAct(credentials, trail)),
        (requester, role) -> !withoutRole.contains(requester));
  }

  @Test
  void approve_byAnother_doneOnceAndTold() {
    StoredApproval asked = askToActivate(2);
    assertThat(asked.status()).isEqualTo(Status.PENDING);
    assertThat(activations()).isZero();

    Answer first = approvals.approve(asked.id(), asked.sha256(), BOB);
    Answer again = approvals.approve(asked.id(), asked.sha256(), BOB);

    assertThat(status(first)).isEqualTo(Status.DONE);
    assertThat(again).isEqualTo(first);
    assertThat(activations()).isOne();
    assertThat(SERVER.number(address, "SELECT version FROM profile_activation")).isEqualTo(2);
    for (String kind : List.of("approval.ask", "approval.decide", "approval.end")) {
      assertThat(events(kind)).as(kind).isOne();
    }
  }

  /** Planted: who asks approves, by the front door, and then past it by the table itself. */
  @Test
  void approve_byWhoAsked_refusedAlsoByTheTable() {
    StoredApproval asked = askToActivate(2);

    assertThat(approvals.approve(asked.id(), asked.sha256(), ALICE))
        .isInstanceOf(Answer.Forbidden.class);
    assertThatExceptionOfType(RuntimeException.class)
        .isThrownBy(() -> store.decide(asked.id(), Decision.APPROVED, ALICE.id(), asked.sha256()));
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                SERVER.execute(
                    address,
                    "INSERT INTO approval_decision SELECT id, 'approved', 'bob', 'mallory', sha256"
                        + " FROM approval"));

    assertThat(status(asked)).isEqualTo(Status.PENDING);
    assertThat(activations()).isZero();
  }

  /** Planted: the content is exchanged between reading and approving, and after the approval. */
  @Test
  void approve_anotherActThanWasRead_notDone() {
    StoredApproval read = askToActivate(2);
    StoredApproval other = askToActivate(3);
    assertThat(approvals.approve(other.id(), read.sha256(), BOB))
        .isInstanceOf(Answer.Contradicted.class);
    assertThat(status(other)).isEqualTo(Status.PENDING);

    // A person with access to the database who has dropped what keeps rows as they are.
    store.decide(read.id(), Decision.APPROVED, BOB.id(), read.sha256());
    SERVER.execute(
        address,
        "ALTER TABLE approval DISABLE TRIGGER append_only",
        "ALTER TABLE approval DROP CONSTRAINT approval_check",
        "UPDATE approval SET content = replace(content, '\"version\":2', '\"version\":3')");
    assertThatExceptionOfType(Invariant.Broken.class)
        .isThrownBy(() -> approvals.approve(read.id(), read.sha256(), BOB));
    loop(approvals).pass(Duration.ZERO);

    assertThat(activations()).isZero();
  }

  /** Planted: the file behind the approved version is another one. */
  @Test
  void approve_fileExchanged_failsAndNothingIsActivated() {
    StoredApproval asked = askToActivate(2);
    SERVER.execute(
        address,
        "ALTER TABLE profile_edition DISABLE TRIGGER append_only",
        "UPDATE profile_edition SET content = content || '\\x0a' WHERE version = 2");

    Answer answer = approvals.approve(asked.id(), asked.sha256(), BOB);

    assertThat(status(answer)).isEqualTo(Status.FAILED);
    assertThat(activations()).isZero();
  }

  /** A node dies between the approval and what it is about: any other carries it out, once. */
  @Test
  void leftOver_carriedOutByAnyNode_once() throws InterruptedException, ExecutionException {
    StoredApproval asked = askToActivate(2);
    store.decide(asked.id(), Decision.APPROVED, BOB.id(), asked.sha256());
    assertThat(status(asked)).isEqualTo(Status.APPROVED);

    List<Future<?>> nodes = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 4; i++) {
        nodes.add(threads.submit(() -> loop(node(Set.of())).pass(Duration.ZERO)));
      }
    }
    for (Future<?> node : nodes) {
      node.get();
    }

    assertThat(status(asked)).isEqualTo(Status.DONE);
    assertThat(activations()).isOne();
  }

  /** Died after the act, before it was recorded; meanwhile another version was activated. */
  @Test
  void leftOver_doneAlready_notDoneAgain() {
    StoredApproval asked = askToActivate(2);
    store.decide(asked.id(), Decision.APPROVED, BOB.id(), asked.sha256());
    activation.carryOut(asked.id(), content(asked), ALICE.id());
    activate(WEB, OptionalInt.of(3));

    loop(approvals).pass(Duration.ZERO);

    assertThat(status(asked)).isEqualTo(Status.DONE);
    assertThat(activations()).isEqualTo(2);
    assertThat(
            SERVER.number(
                address, "SELECT version FROM profile_activation ORDER BY number DESC LIMIT 1"))
        .isEqualTo(3);
  }

  @Test
  void approve_overtakenMeanwhile_failsAndSaysWhy() {
    StoredApproval two = askToActivate(2);
    StoredApproval three = askToActivate(3);
    approvals.approve(two.id(), two.sha256(), BOB);

    Answer answer = approvals.approve(three.id(), three.sha256(), BOB);

    assertThat(status(answer)).isEqualTo(Status.FAILED);
    assertThat(activations()).isOne();
  }

  @Test
  void decide_withoutTheRole_forbidden_andOfWhoLostIt_refused() {
    StoredApproval asked = askToActivate(2);

    assertThat(approvals.approve(asked.id(), asked.sha256(), CAROL))
        .isInstanceOf(Answer.Forbidden.class);
    assertThat(approvals.refuse(asked.id(), asked.sha256(), CAROL))
        .isInstanceOf(Answer.Forbidden.class);
    withoutRole.add(ALICE.id());
    assertThat(approvals.approve(asked.id(), asked.sha256(), BOB))
        .isInstanceOf(Answer.Contradicted.class);
    assertThat(approvals.approve(UUID.randomUUID(), asked.sha256(), BOB))
        .isInstanceOf(Answer.Unknown.class);
    assertThat(status(asked)).isEqualTo(Status.PENDING);
  }

  @Test
  void decision_first_stands() {
    StoredApproval refused = askToActivate(2);
    StoredApproval withdrawn = askToActivate(2);

    assertThat(status(approvals.refuse(refused.id(), refused.sha256(), BOB)))
        .isEqualTo(Status.REFUSED);
    assertThat(approvals.approve(refused.id(), refused.sha256(), BOB))
        .isInstanceOf(Answer.Contradicted.class);
    assertThat(approvals.withdraw(withdrawn.id(), BOB)).isInstanceOf(Answer.Forbidden.class);
    assertThat(status(approvals.withdraw(withdrawn.id(), ALICE))).isEqualTo(Status.WITHDRAWN);
    assertThat(approvals.approve(withdrawn.id(), withdrawn.sha256(), BOB))
        .isInstanceOf(Answer.Contradicted.class);
    assertThat(activations()).isZero();
  }

  @Test
  void approve_expired_notDone() {
    UUID id = UUID.randomUUID();
    store.ask(id, "profile-activation", "{}", ALICE.id(), Duration.ZERO);
    StoredApproval expired = store.find(id).orElseThrow();

    assertThat(expired.status()).isEqualTo(Status.EXPIRED);
    assertThat(approvals.approve(id, expired.sha256(), BOB))
        .isInstanceOf(Answer.Contradicted.class);
    assertThat(store.decide(id, Decision.APPROVED, BOB.id(), expired.sha256())).isFalse();
  }

  /** Planted: a bound for all alone, which one can use up so that no other requester can ask. */
  @Test
  void ask_asManyAsOneMayHaveWaiting_oneMoreIsNotAndOthersMay() {
    for (int i = 0; i < ApprovalStore.PENDING_OF_ONE_MAX; i++) {
      assertThat(ask(ALICE)).isTrue();
    }

    assertThat(approvals.ask(ApprovalAction.PROFILE_ACTIVATION, Map.of(), ALICE)).isEmpty();
    StoredApproval others =
        approvals.ask(ApprovalAction.PROFILE_ACTIVATION, Map.of(), BOB).orElseThrow();
    // What is decided waits no longer.
    StoredApproval own = approvals.list().getLast();
    assertThat(own.asked().by()).isEqualTo(ALICE.id());
    approvals.refuse(own.id(), own.sha256(), BOB);
    assertThat(approvals.ask(ApprovalAction.PROFILE_ACTIVATION, Map.of(), ALICE)).isPresent();
    assertThat(status(others)).isEqualTo(Status.PENDING);
  }

  @Test
  void ask_asManyAsMayWaitOfAll_oneMoreIsNot() {
    for (int i = 0; i < ApprovalStore.PENDING_MAX; i++) {
      assertThat(ask(requester("asker-" + i % 9, Role.ADMIN))).isTrue();
    }

    assertThat(approvals.ask(ApprovalAction.PROFILE_ACTIVATION, Map.of(), ALICE)).isEmpty();
    assertThat(approvals.list()).hasSize(ApprovalStore.PENDING_MAX);
  }

  /** Planted: each counts before any other has written, and all of them are in. */
  @Test
  void ask_manyAtOnce_noMoreThanMayWait() throws InterruptedException, ExecutionException {
    List<Future<Boolean>> asked = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (int i = 0; i < 3 * ApprovalStore.PENDING_OF_ONE_MAX; i++) {
        asked.add(threads.submit(() -> ask(ALICE)));
      }
    }

    int recorded = 0;
    for (Future<Boolean> one : asked) {
      recorded += one.get() ? 1 : 0;
    }
    assertThat(recorded).isEqualTo(ApprovalStore.PENDING_OF_ONE_MAX);
    assertThat(SERVER.number(address, "SELECT count(*) FROM approval")).isEqualTo(recorded);
  }

  /** Planted: the newest first, behind which what waits is no longer seen. */
  @Test
  void list_whatWaitsFirst_thenWhatIsToBeDone_thenTheNewest() {
    StoredApproval waits = askToActivate(2);
    StoredApproval open = askToActivate(3);
    store.decide(open.id(), Decision.APPROVED, BOB.id(), open.sha256());
    SERVER.execute(
        address,
        "INSERT INTO approval (id, action, content, sha256, asked_by, expires_at)"
            + " SELECT gen_random_uuid(), 'x', '{}', sha256('{}'), 'alice', now()"
            + " FROM generate_series(1, "
            + ApprovalStore.LIST_MAX
            + ")");

    List<StoredApproval> list = approvals.list();

    assertThat(list).hasSize(ApprovalStore.LIST_MAX);
    assertThat(list.subList(0, 2))
        .extracting(StoredApproval::id)
        .containsExactly(waits.id(), open.id());
    assertThat(list.get(2).status()).isEqualTo(Status.EXPIRED);
  }

  /** A node that received nothing holds back what any other was ever ordered to. */
  @Test
  void isHeldBack_toldToAnotherNode_hereToo() {
    assertThat(approvals.isHeldBack(ApprovalAction.BULK_REVOCATION)).isFalse();

    store.require(List.of("bulk-revocation"));
    store.require(List.of("bulk-revocation"));

    assertThat(approvals.isHeldBack(ApprovalAction.BULK_REVOCATION)).isTrue();
    assertThat(approvals.isHeldBack(ApprovalAction.CREDENTIAL_ADMIN)).isFalse();
    assertThat(
            node(Set.of(ApprovalAction.CREDENTIAL_ADMIN))
                .isHeldBack(ApprovalAction.CREDENTIAL_ADMIN))
        .isTrue();
  }

  @Test
  void credential_approved_registeredOnceAndWorksAsAsked() {
    NewCredential wanted =
        new NewCredential(
            new RequesterId("dave"),
            Kind.CERTIFICATE,
            OctetString.copyOf(new byte[32]),
            new Grant(
                Set.of(Role.ADMIN, Role.AUDITOR),
                Set.of(WEB),
                Instant.parse("2027-01-31T12:00:00.123456789Z")));
    StoredApproval asked =
        approvals
            .ask(ApprovalAction.CREDENTIAL_ADMIN, CredentialAct.content(wanted), ALICE)
            .orElseThrow();
    assertThat(credentials.find(Kind.CERTIFICATE, wanted.sha256())).isEmpty();

    Answer done = approvals.approve(asked.id(), asked.sha256(), BOB);
    ApprovedAct.Result again =
        new CredentialAct(credentials, trail).carryOut(asked.id(), content(asked), ALICE.id());

    assertThat(status(done)).isEqualTo(Status.DONE);
    assertThat(again.isDone()).isTrue();
    // To the second: another end than was approved could not be distinguished from another
    // registration.
    assertThat(credentials.find(Kind.CERTIFICATE, wanted.sha256()).orElseThrow().grant())
        .isEqualTo(
            new Grant(
                wanted.grant().roles(),
                wanted.grant().profiles(),
                Instant.parse("2027-01-31T12:00:00Z")));
    assertThat(SERVER.number(address, "SELECT count(*) FROM credential")).isOne();
  }

  private static NewCredential certificateOf(RequesterId requester, int number, Role role) {
    byte[] sha256 = new byte[32];
    sha256[0] = (byte) number;
    return new NewCredential(
        requester,
        Kind.CERTIFICATE,
        OctetString.copyOf(sha256),
        new Grant(Set.of(role), Set.of(), Instant.parse("2127-01-31T12:00:00Z")));
  }

  private StoredApproval ask(NewCredential wanted, Requester by) {
    return approvals
        .ask(ApprovalAction.CREDENTIAL_ADMIN, CredentialAct.content(wanted), by)
        .orElseThrow();
  }

  /** Planted before: alice registers for bob, and bob approves what he gets. */
  @Test
  void approve_byTheBeneficiary_forbiddenAndAThirdMay() {
    StoredApproval asked = ask(certificateOf(BOB.id(), 1, Role.ADMIN), ALICE);
    Requester dora = requester("dora", Role.ADMIN);

    assertThat(approvals.approve(asked.id(), asked.sha256(), BOB))
        .isInstanceOf(Answer.Forbidden.class);
    assertThat(approvals.approve(asked.id(), asked.sha256(), ALICE))
        .isInstanceOf(Answer.Forbidden.class);
    assertThat(SERVER.number(address, "SELECT count(*) FROM credential")).isZero();
    assertThat(status(approvals.approve(asked.id(), asked.sha256(), dora))).isEqualTo(Status.DONE);
  }

  /** The beneficiary may refuse. */
  @Test
  void refuse_byTheBeneficiary_refused() {
    StoredApproval asked = ask(certificateOf(BOB.id(), 1, Role.ADMIN), ALICE);

    assertThat(status(approvals.refuse(asked.id(), asked.sha256(), BOB))).isEqualTo(Status.REFUSED);
  }

  @Test
  void approve_ownFurtherKey_byAnother_done() {
    credentials.insert(certificateOf(BOB.id(), 1, Role.ADMIN));
    StoredApproval asked = ask(certificateOf(BOB.id(), 2, Role.ADMIN), BOB);

    assertThat(status(approvals.approve(asked.id(), asked.sha256(), ALICE))).isEqualTo(Status.DONE);
  }

  /** The order in which alice keeps a credential of an id that becomes an administrator. */
  @Test
  void approve_afterAnOrdinaryCredentialCame_failed() {
    RequesterId eve = new RequesterId("eve");
    StoredApproval asked = ask(certificateOf(eve, 1, Role.ADMIN), ALICE);
    credentials.insert(certificateOf(eve, 2, Role.REQUESTER));

    assertThat(status(approvals.approve(asked.id(), asked.sha256(), BOB))).isEqualTo(Status.FAILED);

    assertThat(SERVER.number(address, "SELECT count(*) FROM credential")).isOne();
  }

  /** And the one in which the id has become an administrator since another asked in its name. */
  @Test
  void approve_afterTheIdBecameAnAdministrator_failed() {
    RequesterId eve = new RequesterId("eve");
    StoredApproval first = ask(certificateOf(eve, 1, Role.ADMIN), ALICE);
    StoredApproval second = ask(certificateOf(eve, 2, Role.ADMIN), ALICE);

    assertThat(status(approvals.approve(first.id(), first.sha256(), BOB))).isEqualTo(Status.DONE);

    assertThat(status(approvals.approve(second.id(), second.sha256(), BOB)))
        .isEqualTo(Status.FAILED);
  }

  private static NewCredential officersToken() {
    return new NewCredential(
        new RequesterId("dave"),
        Kind.TOKEN,
        OctetString.copyOf(new byte[32]),
        new Grant(Set.of(Role.OFFICER), Set.of(), Instant.parse("2027-01-31T12:00:00Z")));
  }

  /** Planted: a row of a former version, in which who asks holds what another approves. */
  @Test
  void credential_token_approvedInVain() {
    NewCredential wanted = officersToken();
    StoredApproval asked =
        approvals
            .ask(ApprovalAction.CREDENTIAL_ADMIN, CredentialAct.content(wanted), ALICE)
            .orElseThrow();

    Answer answer = approvals.approve(asked.id(), asked.sha256(), BOB);

    assertThat(status(answer)).isEqualTo(Status.FAILED);
    assertThat(((Answer.Standing) answer).approval().ended().orElseThrow().detail())
        .contains("client certificate");
    assertThat(credentials.find(Kind.TOKEN, wanted.sha256())).isEmpty();
    assertThat(events("credential.register")).isZero();
  }

  /** A node of a former version has registered it, and died before it could say so. */
  @Test
  void credential_tokenThatIsThereAlready_endsAsWhatItIs() {
    NewCredential wanted = officersToken();
    StoredApproval asked =
        approvals
            .ask(ApprovalAction.CREDENTIAL_ADMIN, CredentialAct.content(wanted), ALICE)
            .orElseThrow();
    credentials.insert(wanted);

    assertThat(status(approvals.approve(asked.id(), asked.sha256(), BOB))).isEqualTo(Status.DONE);
  }

  /** Planted: the node that carries it out has another file than the one that was approved. */
  @Test
  void file_ofAnotherNodeIsAnotherOne_failsThereAndIsDoneWhereItIsThatOne() {
    StoredApproval there = askForTheFile();
    assertThat(content(there).path("file").asString()).isEqualTo(digest(WEB, profiles));
    ProfileAdministration others = profiles(withOtherFile());

    Answer answer =
        node(Set.of(), new ProfileActivationAct(others)).approve(there.id(), there.sha256(), BOB);

    assertThat(status(answer)).isEqualTo(Status.FAILED);
    assertThat(((Answer.Standing) answer).approval().ended().orElseThrow().detail())
        .contains(digest(WEB, others))
        .contains(digest(WEB, profiles));
    assertThat(activations()).isOne();
    StoredApproval here = askForTheFile();
    assertThat(status(approvals.approve(here.id(), here.sha256(), BOB))).isEqualTo(Status.DONE);
    assertThat(activations()).isEqualTo(2);
  }

  /** A node that has done it died before it said so: one with another file must not say failed. */
  @Test
  void file_doneAlready_notFailedByANodeWithAnotherFile() {
    StoredApproval asked = askForTheFile();
    store.decide(asked.id(), Decision.APPROVED, BOB.id(), asked.sha256());
    activation.carryOut(asked.id(), content(asked), ALICE.id());

    loop(node(Set.of(), new ProfileActivationAct(profiles(withOtherFile())))).pass(Duration.ZERO);

    assertThat(status(asked)).isEqualTo(Status.DONE);
  }

  /** Of a profile that no node has a file of, going back ends it; the approver learns that. */
  @Test
  void file_none_saidAndDone() {
    ProfileName extra = new ProfileName("extra");
    profiles.add(VersionFiles.yaml("extra", 2, "P2D").getBytes(StandardCharsets.UTF_8), ALICE.id());
    activate(extra, OptionalInt.of(2));

    StoredApproval asked = ask(judged(extra, OptionalInt.empty()));

    assertThat(content(asked).path("file").asString()).isEqualTo("none");
    assertThat(status(approvals.approve(asked.id(), asked.sha256(), BOB))).isEqualTo(Status.DONE);
  }

  /** Planted: what a former version asked for, which says of no file which one. */
  @Test
  void file_contentWithoutADigest_fails() {
    activate(WEB, OptionalInt.of(2));
    StoredApproval asked =
        approvals
            .ask(
                ApprovalAction.PROFILE_ACTIVATION,
                Map.of("profile", WEB.value(), "replaces", 1),
                ALICE)
            .orElseThrow();

    assertThat(status(approvals.approve(asked.id(), asked.sha256(), BOB))).isEqualTo(Status.FAILED);
    assertThat(activations()).isOne();
  }

  private boolean ask(Requester by) {
    return store.ask(UUID.randomUUID(), "profile-activation", "{}", by.id(), Duration.ofDays(1));
  }

  private static ApprovalLoop loop(Approvals node) {
    return new ApprovalLoop(node, InstantSource.system(), System::nanoTime);
  }

  /** After version 2 was activated. */
  private StoredApproval askForTheFile() {
    if (activations() == 0) {
      activate(WEB, OptionalInt.of(2));
    }
    return ask(judged(WEB, OptionalInt.empty()));
  }

  private void activate(ProfileName name, OptionalInt version) {
    profiles.activate(((ProfileAnswer.Ready) judged(name, version)).wish());
  }

  private ProfileAnswer judged(ProfileName name, OptionalInt version) {
    return profiles.judge(name, version, OptionalLong.empty(), ALICE.id());
  }

  private static ProfileCatalog withOtherFile() {
    List<CertificateProfile> files =
        new ArrayList<>(ProfileFiles.read(ProfileFiles.CLASSPATH).versions());
    files.removeIf(p -> p.name().equals(WEB));
    files.add(
        ProfileFiles.parse(
            "other", VersionFiles.yaml(WEB.value(), 1, "P5D").getBytes(StandardCharsets.UTF_8)));
    return new ProfileCatalog(files);
  }

  private static String digest(ProfileName name, ProfileAdministration node) {
    return node.file(name).orElseThrow().version().digest().toString();
  }

  private StoredApproval askToActivate(int version) {
    return ask(judged(WEB, OptionalInt.of(version)));
  }

  private StoredApproval ask(ProfileAnswer judged) {
    return approvals
        .ask(
            ApprovalAction.PROFILE_ACTIVATION,
            activation.content(((ProfileAnswer.Ready) judged).wish()),
            ALICE)
        .orElseThrow();
  }

  private static tools.jackson.databind.JsonNode content(StoredApproval approval) {
    return tools.jackson.databind.json.JsonMapper.shared().readTree(approval.content());
  }

  private Status status(StoredApproval approval) {
    return store.find(approval.id()).orElseThrow().status();
  }

  private static Status status(Answer answer) {
    assertThat(answer).isInstanceOf(Answer.Standing.class);
    return ((Answer.Standing) answer).approval().status();
  }

  private long activations() {
    return SERVER.number(address, "SELECT count(*) FROM profile_activation");
  }

  private long events(String kind) {
    return SERVER.number(address, "SELECT count(*) FROM audit_event WHERE kind = '" + kind + "'");
  }

  private static Requester requester(String name, Role role) {
    return new Requester(
        new RequesterId(name), Authentication.BEARER_TOKEN, Set.of(role), Set.of());
  }
}
