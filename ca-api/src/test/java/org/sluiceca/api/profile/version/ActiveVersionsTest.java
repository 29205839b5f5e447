package org.sluiceca.api.profile.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.sluiceca.api.profile.version.VersionFiles.ADMIN;
import static org.sluiceca.api.profile.version.VersionFiles.yaml;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.sluiceca.api.approval.ActivationWish;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.store.AuditStore;
import org.sluiceca.api.platform.change.RestingLoop;
import org.sluiceca.api.platform.change.Topic;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.api.profile.ProfileFiles;
import org.sluiceca.api.profile.ProfileVersions;
import org.sluiceca.api.profile.administration.ProfileAdministration;
import org.sluiceca.api.profile.administration.ProfileAnswer;
import org.sluiceca.api.profile.store.Activation;
import org.sluiceca.api.profile.store.ActivationStore;
import org.sluiceca.api.profile.store.ProfileStore;
import org.sluiceca.api.profile.store.VersionStore;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.x509.IssuerName;

/** Storing and activating on PostgreSQL; two nodes that follow. */
@Execution(ExecutionMode.CONCURRENT)
class ActiveVersionsTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final ProfileName WEB = new ProfileName("tls-server");

  private final LedgerDatabase.Address address = SERVER.freshDatabase();
  private final LedgerDatabase database = new LedgerDatabase(address);
  private final VersionStore store = new VersionStore(database);
  private final ActivationStore activations = new ActivationStore(database);
  private final AtomicBoolean isIssuerActive = new AtomicBoolean(true);
  private final AtomicReference<Set<IssuerName>> retired = new AtomicReference<>(Set.of());

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private VersionRules rules;

  @SuppressWarnings("NullAway.Init")
  private ActiveVersions here;

  @SuppressWarnings("NullAway.Init")
  private ActiveVersions there;

  @SuppressWarnings("NullAway.Init")
  private AuditTrail trail;

  @SuppressWarnings("NullAway.Init")
  private ProfileAdministration profiles;

  @BeforeEach
  void open() {
    PostgresForTests.awaitLogin(database);
    ProfileCatalog files = ProfileFiles.read(ProfileFiles.CLASSPATH);
    ProfileVersions.record(files, new ProfileStore(database));
    rules = new VersionRules(files, issuer -> issuer.value().equals("issuing"), true);
    here = new ActiveVersions(rules, store, activations, retired::get);
    there = new ActiveVersions(rules, store, activations, retired::get);
    trail = new AuditTrail("test.1", new AuditStore(database)::append, InstantSource.system());
    trail.start();
    profiles =
        new ProfileAdministration(
            rules, store, activations, issuer -> isIssuerActive.get(), trail, here);
  }

  @AfterEach
  void close() {
    trail.close();
    database.close();
  }

  @Test
  void step_nothingIsActivated_restsUntilThatChanges() {
    RestingLoop.check(
        Set.of(Topic.PROFILES, Topic.ISSUERS),
        here::restUntilChanged,
        here::step,
        ActiveVersions.PAUSE);
  }

  @Test
  void pass_catalogueReplaced_followersAreCalled() {
    AtomicInteger calls = new AtomicInteger();
    there.whenReplaced(calls::incrementAndGet);
    there.pass();
    assertThat(calls).hasValue(0);
    add("tls-server", 2);
    activate(2);

    there.pass();

    assertThat(version(there)).isEqualTo(2);
    assertThat(calls).hasValue(1);
  }

  @Test
  void add_storedAndNothingIssuesByIt() {
    assertThat(add("tls-server", 2)).isInstanceOf(ProfileAnswer.Stored.class);
    here.pass();

    assertThat(version(here)).isOne();
    assertThat(profiles.view(WEB).stored()).hasSize(1);
    assertThat(profiles.view(new ProfileName("nothing")).isKnown()).isFalse();
    assertThat(rows("profile.add")).isOne();
  }

  @Test
  void add_whatIsNoProfile_refusedAndLeavesNoTrace() {
    assertThat(profiles.add("name: x".getBytes(StandardCharsets.UTF_8), ADMIN))
        .isInstanceOf(ProfileAnswer.Invalid.class);
    isIssuerActive.set(false);
    assertThat(add("tls-server", 2)).isInstanceOf(ProfileAnswer.Invalid.class);

    assertThat(profiles.view(WEB).stored()).isEmpty();
    assertThat(rows("profile.add")).isZero();
  }

  /**
   * The answer of a check is that of an addition, whatever is stored, and nothing is left of it.
   */
  @Test
  void check_eachFile_answersAsAddWould_andLeavesNoTrace() {
    byte[] good = yaml("tls-server", 2, "P2D").getBytes(StandardCharsets.UTF_8);
    byte[] other = yaml("tls-server", 2, "P3D").getBytes(StandardCharsets.UTF_8);

    assertThat(profiles.check(good))
        .isInstanceOfSatisfying(
            ProfileAnswer.Sound.class, sound -> assertThat(sound.isStored()).isFalse());
    assertThat(profiles.view(WEB).stored()).isEmpty();
    assertThat(rows("profile.add")).isZero();
    assertThat(SERVER.number(address, "SELECT count(*) FROM profile_version WHERE version = 2"))
        .isZero();

    add("tls-server", 2);
    assertThat(profiles.check(good))
        .isInstanceOfSatisfying(
            ProfileAnswer.Sound.class, sound -> assertThat(sound.isStored()).isTrue());
    assertThat(profiles.check(other))
        .isInstanceOf(ProfileAnswer.Contradicted.class)
        .isEqualTo(profiles.add(other, ADMIN));
    byte[] fault = yaml("tls-server", 1, "P3D").getBytes(StandardCharsets.UTF_8);
    assertThat(profiles.check(fault))
        .isInstanceOf(ProfileAnswer.Invalid.class)
        .isEqualTo(profiles.add(fault, ADMIN));
    isIssuerActive.set(false);
    assertThat(profiles.check(good)).isInstanceOf(ProfileAnswer.Invalid.class);
    assertThat(rows("profile.add")).isEqualTo(2);
  }

  @Test
  void activate_everyNodeTakesItUpInOnePass_andWhoBeganBeforeKeepsIts() {
    var before = there.catalog().find(WEB).orElseThrow();
    add("tls-server", 2);

    Activation activation = activate(2);
    here.pass();
    there.pass();

    assertThat(version(here)).isEqualTo(2);
    assertThat(version(there)).isEqualTo(2);
    assertThat(there.standing().activation()).isEqualTo(activation.number());
    // A request that was authorized goes on under what it found; recovery finds it by its version.
    assertThat(there.catalog().find(WEB, 1)).contains(before);
    assertThat(
            new ActiveVersions(rules, store, activations, retired::get)
                .catalog()
                .find(WEB)
                .orElseThrow()
                .version())
        .isEqualTo(there.catalog().find(WEB).orElseThrow().version());
    assertThat(rows("profile.activate")).isOne();
  }

  @Test
  void activate_again_theSameActivation() {
    add("tls-server", 2);
    Activation first = activate(2);

    assertThat(profiles.judge(WEB, OptionalInt.of(2), OptionalLong.empty(), ADMIN))
        .isEqualTo(new ProfileAnswer.InForce(first));
  }

  /** The worst between two admins: one overrides what the other has just decided, unseen. */
  @Test
  void activate_twoThatSawTheSame_secondIsTold() {
    add("tls-server", 2);
    add("tls-server", 3);
    ActivationWish<ProfileName> one = ready(2, OptionalLong.of(Activation.NONE));
    ActivationWish<ProfileName> other = ready(3, OptionalLong.of(Activation.NONE));

    assertThat(profiles.activate(one)).isInstanceOf(ProfileAnswer.InForce.class);
    assertThat(profiles.activate(other)).isInstanceOf(ProfileAnswer.Contradicted.class);
    assertThat(profiles.judge(WEB, OptionalInt.of(3), OptionalLong.of(0), ADMIN))
        .isInstanceOf(ProfileAnswer.Contradicted.class);
    here.pass();
    assertThat(version(here)).isEqualTo(2);
  }

  @Test
  void judge_whatNoLongerValidates_refused() {
    add("tls-server", 2);
    isIssuerActive.set(false);

    assertThat(profiles.judge(WEB, OptionalInt.of(2), OptionalLong.empty(), ADMIN))
        .isInstanceOf(ProfileAnswer.Invalid.class);
    assertThat(profiles.judge(WEB, OptionalInt.of(9), OptionalLong.empty(), ADMIN))
        .isInstanceOf(ProfileAnswer.Unknown.class);
    assertThat(profiles.judge(WEB, OptionalInt.empty(), OptionalLong.empty(), ADMIN))
        .isInstanceOf(ProfileAnswer.Unknown.class);
  }

  @Test
  void fileAgain_theFileIssues() {
    add("tls-server", 2);
    activate(2);
    here.pass();

    ProfileAnswer judged = profiles.judge(WEB, OptionalInt.empty(), OptionalLong.empty(), ADMIN);
    assertThat(judged).isInstanceOf(ProfileAnswer.Ready.class);
    profiles.activate(((ProfileAnswer.Ready) judged).wish());
    here.pass();

    assertThat(version(here)).isOne();
  }

  /** Only what is new is parsed: what issues already is the very same object, and is known on. */
  @Test
  void pass_somethingElseActivated_theOthersAreNotParsedAgain() {
    add("tls-server", 2);
    activate(2);
    here.pass();
    var two = here.catalog().find(WEB, 2).orElseThrow();
    for (int version = 3; version <= 4; version++) {
      add("tls-server", version);
      activate(version);
      here.pass();
    }

    assertThat(version(here)).isEqualTo(4);
    assertThat(here.catalog().find(WEB, 2).orElseThrow()).isSameAs(two);
  }

  /** A node with other software, or issuers: it issues nothing under the name, and says so. */
  @Test
  void pass_whatThisNodeMustRefuse_issuesNothingUnderItAndSaysSo() {
    ActiveVersions stranger =
        new ActiveVersions(
            new VersionRules(rules.files(), issuer -> false, true),
            store,
            activations,
            retired::get);
    add("tls-server", 2);
    activate(2);

    stranger.pass();

    assertThat(stranger.catalog().find(WEB)).isEmpty();
    assertThat(stranger.catalog().find(WEB, 1)).isPresent();
    assertThat(stranger.catalog().find(new ProfileName("device"))).isPresent();
    assertThat(stranger.standing().refused().get("tls-server")).contains("is not one that");
    // Its clients hear that this node cannot, not that there is no such profile.
    assertThat(stranger.catalog().unavailable(WEB).orElseThrow()).contains("is not one that");
    assertThat(new VersionHealth(stranger).health().getDetails().get("refused"))
        .asString()
        .contains("is not one that");
    assertThat(new VersionHealth(stranger).health().getStatus().getCode()).isEqualTo("UP");
  }

  /** A person who may write to the database may not choose the profiles of such a node. */
  @Test
  void closed_filesOnly() {
    VersionRules closed = new VersionRules(rules.files(), issuer -> true, false);
    add("tls-server", 2);
    activate(2);
    ActiveVersions node = new ActiveVersions(closed, store, activations, retired::get);
    ProfileAdministration there =
        new ProfileAdministration(closed, store, activations, issuer -> true, trail, node);

    node.pass();

    assertThat(version(node)).isOne();
    assertThat(there.add(yaml("x", 2, "P1D").getBytes(StandardCharsets.UTF_8), ADMIN))
        .isInstanceOf(ProfileAnswer.Contradicted.class)
        .isEqualTo(there.check(yaml("x", 2, "P1D").getBytes(StandardCharsets.UTF_8)));
    assertThat(there.judge(WEB, OptionalInt.of(2), OptionalLong.empty(), ADMIN))
        .isInstanceOf(ProfileAnswer.Contradicted.class);
  }

  @Test
  void pass_issuerRetired_nothingIssuesUnderItForGood_andANodeStillStarts() {
    add("tls-server", 2);
    activate(2);
    here.pass();

    retired.set(Set.of(new IssuerName("issuing")));
    here.pass();

    assertThat(here.catalog().find(WEB)).isEmpty();
    assertThat(here.catalog().find(WEB, 2)).isPresent();
    assertThat(here.standing().refused().get("device")).contains("issuing is retired");
    // No node issues by it again: for clients there is no such profile.
    assertThat(here.catalog().unavailable(new ProfileName("device"))).isEmpty();
    ActiveVersions restarted = new ActiveVersions(rules, store, activations, retired::get);
    assertThat(restarted.catalog().find(WEB)).isEmpty();
    assertThat(restarted.standing().refused()).containsKey("tls-server");
    // A row that was changed back: no node takes that up while it runs.
    retired.set(Set.of());
    activate(OptionalInt.empty());
    here.pass();
    assertThat(here.catalog().find(WEB)).isEmpty();
  }

  /** Whose files alone count hears of it, too. */
  @Test
  void pass_issuerRetiredOnAClosedNode_refused() {
    ActiveVersions node =
        new ActiveVersions(
            new VersionRules(rules.files(), issuer -> true, false),
            store,
            activations,
            retired::get);

    retired.set(Set.of(new IssuerName("issuing")));
    node.pass();

    assertThat(node.catalog().find(WEB)).isEmpty();
    assertThat(node.standing().refused()).containsKey("tls-server");
  }

  @Test
  void pass_databaseAway_whatIssuesStays() {
    add("tls-server", 2);
    activate(2);
    here.pass();
    database.close();

    assertThatExceptionOfType(LedgerUnavailable.class).isThrownBy(here::pass);
    assertThat(version(here)).isEqualTo(2);
  }

  private ProfileAnswer add(String name, int version) {
    return profiles.add(
        yaml(name, version, "P%dD".formatted(version)).getBytes(StandardCharsets.UTF_8), ADMIN);
  }

  private ActivationWish<ProfileName> ready(int version, OptionalLong replaces) {
    return ready(OptionalInt.of(version), replaces);
  }

  private ActivationWish<ProfileName> ready(OptionalInt version, OptionalLong replaces) {
    ProfileAnswer judged = profiles.judge(WEB, version, replaces, ADMIN);
    assertThat(judged).isInstanceOf(ProfileAnswer.Ready.class);
    return ((ProfileAnswer.Ready) judged).wish();
  }

  private Activation activate(int version) {
    return activate(OptionalInt.of(version));
  }

  private Activation activate(OptionalInt version) {
    ProfileAnswer answer = profiles.activate(ready(version, OptionalLong.empty()));
    assertThat(answer).isInstanceOf(ProfileAnswer.InForce.class);
    return ((ProfileAnswer.InForce) answer).activation();
  }

  private static int version(ActiveVersions versions) {
    return versions.catalog().find(WEB).orElseThrow().version().number();
  }

  private long rows(String kind) {
    return SERVER.number(address, "SELECT count(*) FROM audit_event WHERE kind = '" + kind + "'");
  }
}
