package org.sluiceca.api.acme.endpoint.administration;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.acme.endpoint.AcmeEndpoints;
import org.sluiceca.api.acme.endpoint.EndpointFiles;
import org.sluiceca.api.acme.endpoint.store.EndpointActivationStore;
import org.sluiceca.api.acme.endpoint.store.EndpointStore;
import org.sluiceca.api.acme.endpoint.version.ActiveEndpoints;
import org.sluiceca.api.acme.endpoint.version.EndpointHealth;
import org.sluiceca.api.acme.endpoint.version.EndpointRules;
import org.sluiceca.api.approval.ApprovalAction;
import org.sluiceca.api.approval.Approvals;
import org.sluiceca.api.approval.store.ApprovalStore;
import org.sluiceca.api.approval.store.StoredApproval;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.store.AuditStore;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Requester.Authentication;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/** Storing, activating and approving on PostgreSQL; another node that follows. */
@Execution(ExecutionMode.CONCURRENT)
class EndpointAdministrationTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final EndpointName WEB = new EndpointName("web");
  private static final Requester ALICE = requester("alice");
  private static final Requester BOB = requester("bob");

  private final LedgerDatabase.Address address = SERVER.freshDatabase();
  private final LedgerDatabase database = new LedgerDatabase(address);
  private final EndpointStore store = new EndpointStore(database);
  private final EndpointActivationStore activationStore = new EndpointActivationStore(database);
  private final Set<String> issuing = ConcurrentHashMap.newKeySet();
  private final EndpointRules rules =
      new EndpointRules(EndpointFiles.none(), profile -> issuing.contains(profile.value()), true);
  private final AcmeEndpoints here = new AcmeEndpoints(List.of());
  private final AuditTrail trail =
      new AuditTrail("test.1", new AuditStore(database)::append, InstantSource.system());

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private EndpointAdministration endpoints;

  @SuppressWarnings("NullAway.Init")
  private EndpointActivations activations;

  @SuppressWarnings("NullAway.Init")
  private ActiveEndpoints active;

  private static Requester requester(String name) {
    return new Requester(
        new RequesterId(name), Authentication.BEARER_TOKEN, Set.of(Role.ADMIN), Set.of());
  }

  @BeforeEach
  void open() {
    PostgresForTests.awaitLogin(database);
    trail.start();
    issuing.addAll(List.of("tls-server", "device"));
    active = new ActiveEndpoints(rules, activationStore, here);
    activations = new EndpointActivations(rules, store, activationStore, trail, active);
    endpoints = new EndpointAdministration(rules, store, activations, trail, here, active);
  }

  @AfterEach
  void close() {
    active.close();
    trail.close();
    database.close();
  }

  private static String file(int version, String profile) {
    return """
        name: web
        protocol: acme
        version: %d
        profiles: [%s]
        external-account-binding: required
        """
        .formatted(version, profile);
  }

  private EndpointAnswer add(int version, String profile) {
    return endpoints.add(file(version, profile).getBytes(StandardCharsets.UTF_8), ALICE.id());
  }

  private EndpointAnswer check(String file) {
    return endpoints.check(file.getBytes(StandardCharsets.UTF_8));
  }

  private EndpointAnswer judge(OptionalInt version) {
    return activations.judge(WEB, version, OptionalLong.empty(), ALICE.id());
  }

  private EndpointAnswer activate(OptionalInt version) {
    EndpointAnswer judged = judge(version);
    return judged instanceof EndpointAnswer.Ready(var wish) ? activations.activate(wish) : judged;
  }

  private long rows(String kind) {
    return SERVER.number(address, "SELECT count(*) FROM audit_event WHERE kind = '" + kind + "'");
  }

  /** What a node that looks now serves: it starts as one does. */
  private AcmeEndpoints there() {
    AcmeEndpoints there = new AcmeEndpoints(List.of());
    ActiveEndpoints node = new ActiveEndpoints(rules, activationStore, there);
    node.close();
    return there;
  }

  private static List<String> profiles(AcmeEndpoints node) {
    return node.find("web").map(AcmeEndpoint::profiles).stream()
        .flatMap(List::stream)
        .map(Object::toString)
        .toList();
  }

  @Test
  void add_storedInactive_andWhatIsNoGoodLeavesNoTrace() {
    assertThat(add(1, "tls-server")).isInstanceOf(EndpointAnswer.Stored.class);
    assertThat(add(1, "tls-server"))
        .isInstanceOfSatisfying(
            EndpointAnswer.Stored.class, stored -> assertThat(stored.isNew()).isFalse());
    assertThat(add(1, "device")).isInstanceOf(EndpointAnswer.Contradicted.class);
    assertThat(rows("endpoint.add")).isEqualTo(3);
    assertThat(add(2, "gone")).isInstanceOf(EndpointAnswer.Invalid.class);
    assertThat(rows("endpoint.add")).isEqualTo(3);

    assertThat(profiles(there())).isEmpty();
    assertThat(endpoints.all())
        .singleElement()
        .satisfies(seen -> assertThat(seen.served()).isEmpty());
  }

  @Test
  void check_storesNothing_andSaysWhatWouldChange() {
    assertThat(check(file(1, "tls-server")))
        .isInstanceOfSatisfying(
            EndpointAnswer.Sound.class,
            sound -> {
              assertThat(sound.isStored()).isFalse();
              CheckedEndpoint checked = CheckedEndpoint.of(sound, new byte[0]);
              assertThat(checked.active()).isNull();
              assertThat(checked.changes())
                  .extracting(CheckedEndpoint.Change::key)
                  .containsExactly("profiles", "external-account-binding", "any-name");
            });
    assertThat(store.names()).isEmpty();
    assertThat(rows("endpoint.add")).isZero();

    assertThat(add(1, "tls-server")).isInstanceOf(EndpointAnswer.Stored.class);
    assertThat(activate(OptionalInt.of(1))).isInstanceOf(EndpointAnswer.InForce.class);
    // Out of service here, and what counts all the same.
    issuing.remove("tls-server");
    assertThat(check(file(2, "device")))
        .isInstanceOfSatisfying(
            EndpointAnswer.Sound.class,
            sound -> {
              CheckedEndpoint checked = CheckedEndpoint.of(sound, new byte[0]);
              assertThat(checked.active()).isEqualTo(new CheckedEndpoint.ActiveBody("stored", 1));
              assertThat(checked.changes())
                  .containsExactly(new CheckedEndpoint.Change("profiles", "tls-server", "device"));
            });
    assertThat(check(file(1, "device"))).isInstanceOf(EndpointAnswer.Contradicted.class);
    issuing.add("tls-server");
    assertThat(check(file(1, "tls-server")))
        .isInstanceOfSatisfying(
            EndpointAnswer.Sound.class,
            sound -> {
              assertThat(sound.isStored()).isTrue();
              assertThat(CheckedEndpoint.of(sound, new byte[0]).changes()).isEmpty();
            });
  }

  @Test
  void check_activeVersionThatThisReleaseRefuses_allIsNew() {
    assertThat(add(1, "tls-server")).isInstanceOf(EndpointAnswer.Stored.class);
    assertThat(activate(OptionalInt.of(1))).isInstanceOf(EndpointAnswer.InForce.class);
    SERVER.execute(
        address,
        "ALTER TABLE endpoint_version DISABLE TRIGGER append_only",
        "UPDATE endpoint_version SET content = '?', sha256 = sha256('?')");

    assertThat(check(file(2, "device")))
        .isInstanceOfSatisfying(
            EndpointAnswer.Sound.class,
            sound -> {
              CheckedEndpoint checked = CheckedEndpoint.of(sound, new byte[0]);
              assertThat(checked.active()).isEqualTo(new CheckedEndpoint.ActiveBody("stored", 1));
              assertThat(checked.changes())
                  .contains(new CheckedEndpoint.Change("profiles", null, "device"));
            });
  }

  @Test
  void check_severalFaults_allAtOnce() {
    assertThat(check(file(1, "gone, lost").replace("version: 1\n", "any-name: true\n")))
        .isInstanceOfSatisfying(
            EndpointAnswer.Invalid.class,
            invalid ->
                assertThat(invalid.faults())
                    .hasSize(3)
                    .anyMatch(fault -> fault.contains("must state its version"))
                    .anyMatch(fault -> fault.contains("any-name"))
                    .anyMatch(fault -> fault.contains("the profiles gone, lost")));
    assertThat(check("name: web\nversion: two\nprotocol: est\n"))
        .isInstanceOfSatisfying(
            EndpointAnswer.Invalid.class, invalid -> assertThat(invalid.faults()).hasSize(4));
  }

  @Test
  void activate_thenAnotherVersion_thenOff_eachNodeFollows() {
    assertThat(add(1, "tls-server")).isInstanceOf(EndpointAnswer.Stored.class);
    assertThat(add(2, "device")).isInstanceOf(EndpointAnswer.Stored.class);
    assertThat(judge(OptionalInt.empty())).isInstanceOf(EndpointAnswer.Unknown.class);
    assertThat(judge(OptionalInt.of(3))).isInstanceOf(EndpointAnswer.Unknown.class);

    assertThat(activate(OptionalInt.of(1))).isInstanceOf(EndpointAnswer.InForce.class);
    assertThat(profiles(there())).containsExactly("tls-server");
    assertThat(activations.judge(WEB, OptionalInt.of(2), OptionalLong.of(0), ALICE.id()))
        .isInstanceOf(EndpointAnswer.Contradicted.class);
    assertThat(activate(OptionalInt.of(2))).isInstanceOf(EndpointAnswer.InForce.class);
    assertThat(profiles(there())).containsExactly("device");
    assertThat(activate(OptionalInt.of(2))).isInstanceOf(EndpointAnswer.InForce.class);
    assertThat(activate(OptionalInt.empty())).isInstanceOf(EndpointAnswer.InForce.class);
    assertThat(profiles(there())).isEmpty();
    assertThat(rows("endpoint.activate")).isEqualTo(3);
  }

  @Test
  void profileThatIsGone_outOfServiceWithItsReason_andBackWithIt() {
    assertThat(add(1, "tls-server")).isInstanceOf(EndpointAnswer.Stored.class);
    assertThat(add(2, "device")).isInstanceOf(EndpointAnswer.Stored.class);
    assertThat(activate(OptionalInt.of(1))).isInstanceOf(EndpointAnswer.InForce.class);
    assertThat(activate(OptionalInt.of(2))).isInstanceOf(EndpointAnswer.InForce.class);

    issuing.remove("device");

    AcmeEndpoints there = there();
    assertThat(there.find("web")).isEmpty();
    assertThat(there.refused("web")).hasValueSatisfying(f -> assertThat(f).contains("device"));
    assertThat(judge(OptionalInt.of(2))).isInstanceOf(EndpointAnswer.Invalid.class);
    try (ActiveEndpoints node = new ActiveEndpoints(rules, activationStore, there)) {
      Health health = new EndpointHealth(node).health();
      // The node serves all else.
      assertThat(health.getStatus()).isEqualTo(Status.UP);
      assertThat(health.getDetails().get("refused"))
          .isEqualTo(Map.of("web", "this node issues nothing under the profile device"));
    }
    issuing.add("device");
    assertThat(profiles(there())).containsExactly("device");
  }

  @Test
  void approved_onceAndOnlyTheFileThatWasRead() {
    assertThat(add(1, "tls-server")).isInstanceOf(EndpointAnswer.Stored.class);
    EndpointActivationAct act = new EndpointActivationAct(endpoints, activations);
    Approvals approvals =
        new Approvals(
            Set.of(ApprovalAction.ENDPOINT_ACTIVATION),
            new ApprovalStore(database),
            trail,
            List.of(act),
            (requester, role) -> true);
    StoredApproval asked = ask(approvals, act, OptionalInt.of(1));
    assertThat(profiles(there())).isEmpty();

    var first = approvals.approve(asked.id(), asked.sha256(), BOB);
    assertThat(approvals.approve(asked.id(), asked.sha256(), BOB)).isEqualTo(first);

    assertThat(profiles(there())).containsExactly("tls-server");
    assertThat(SERVER.number(address, "SELECT count(*) FROM endpoint_activation")).isOne();

    // Planted: the stored file is exchanged between asking and approving.
    assertThat(add(2, "device")).isInstanceOf(EndpointAnswer.Stored.class);
    StoredApproval exchanged = ask(approvals, act, OptionalInt.of(2));
    SERVER.execute(
        address,
        "ALTER TABLE endpoint_version DISABLE TRIGGER append_only",
        "UPDATE endpoint_version SET content = content || '#', sha256 = sha256(content || '#')"
            + " WHERE version = 2");
    var _ = approvals.approve(exchanged.id(), exchanged.sha256(), BOB);
    assertThat(profiles(there())).containsExactly("tls-server");
    assertThat(SERVER.number(address, "SELECT count(*) FROM approval_end WHERE outcome = 'failed'"))
        .isOne();
  }

  private StoredApproval ask(Approvals approvals, EndpointActivationAct act, OptionalInt version) {
    if (judge(version) instanceof EndpointAnswer.Ready(var wish)) {
      return approvals
          .ask(ApprovalAction.ENDPOINT_ACTIVATION, act.content(wish), ALICE)
          .orElseThrow();
    }
    throw new AssertionError("not ready");
  }
}
