package org.sluiceca.api.acme.endpoint.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.sluiceca.api.acme.endpoint.store.EndpointStore.Added;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;

/** Versions and activations on PostgreSQL: only added, and of two that follow one the first. */
@Execution(ExecutionMode.CONCURRENT)
class EndpointStoreTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final RequesterId ADMIN = new RequesterId("admin");
  private static final EndpointName WEB = new EndpointName("web");

  private final LedgerDatabase.Address address = SERVER.freshDatabase();
  private final LedgerDatabase database = new LedgerDatabase(address);
  private final EndpointStore store = new EndpointStore(database);
  private final EndpointActivationStore activations = new EndpointActivationStore(database);

  @BeforeEach
  void open() {
    PostgresForTests.awaitLogin(database);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private Added add(EndpointName name, int version, String content) {
    return store.add(name, version, octets(content), ADMIN);
  }

  private static OctetString octets(String text) {
    return OctetString.copyOf(text.getBytes(StandardCharsets.UTF_8));
  }

  private Optional<EndpointActivation> activate(OptionalInt version, long replaces) {
    return activations.activate(WEB, version, replaces, ADMIN, Optional.empty());
  }

  @Test
  void add_aVersionIsOneFileForGood() {
    assertThat(add(WEB, 1, "a")).isEqualTo(Added.ADDED);
    assertThat(add(WEB, 1, "a")).isEqualTo(Added.KNOWN);
    assertThat(add(WEB, 1, "b")).isEqualTo(Added.CONTRADICTORY);
    assertThat(add(WEB, 7, "b")).isEqualTo(Added.ADDED);

    assertThat(store.list(WEB)).extracting(StoredEndpoint::version).containsExactly(1, 7);
    assertThat(store.find(WEB, 1).orElseThrow().content()).isEqualTo(octets("a"));
    assertThat(store.find(WEB, 2)).isEmpty();
    assertThat(store.names()).containsExactly("web");
  }

  @Test
  void add_beyondTheLimits_isRefused() {
    SERVER.execute(
        address,
        "INSERT INTO endpoint_version (name, version, content, sha256, added_by)"
            + " SELECT 'web', n, 'a', sha256('a'), 'admin' FROM generate_series(1, 200) n",
        "INSERT INTO endpoint_version (name, version, content, sha256, added_by)"
            + " SELECT 'x' || n, 1, 'a', sha256('a'), 'admin' FROM generate_series(1, 199) n");

    assertThat(add(WEB, 201, "a")).isEqualTo(Added.TOO_MANY);
    assertThat(add(WEB, 200, "a")).isEqualTo(Added.KNOWN);
    assertThat(add(new EndpointName("more"), 1, "a")).isEqualTo(Added.TOO_MANY);
    assertThat(add(new EndpointName("x1"), 2, "a")).isEqualTo(Added.ADDED);
  }

  /** Planted: what the store never does, by the database's owner. */
  @Test
  void rows_changedOrEmptied_refusedByTheTables() {
    assertThat(add(WEB, 1, "a")).isEqualTo(Added.ADDED);
    assertThat(activate(OptionalInt.of(1), EndpointActivation.NONE)).isPresent();

    for (String statement :
        List.of(
            "UPDATE endpoint_version SET content = 'b'",
            "DELETE FROM endpoint_activation",
            "INSERT INTO endpoint_version (name, version, content, sha256, added_by)"
                + " VALUES ('b', 1, 'b', sha256('a'), 'admin')",
            "INSERT INTO endpoint_activation (number, name, version, replaces, activated_by)"
                + " VALUES (2, 'web', 1, 0, 'admin')",
            "INSERT INTO endpoint_activation (number, name, version, replaces, activated_by)"
                + " VALUES (2, 'web', 9, 1, 'admin')")) {
      assertThatIllegalStateException()
          .as(statement)
          .isThrownBy(() -> SERVER.execute(address, statement));
    }
  }

  @Test
  void activate_newestCounts_withItsFile() {
    assertThat(add(WEB, 1, "a")).isEqualTo(Added.ADDED);
    assertThat(add(WEB, 2, "b")).isEqualTo(Added.ADDED);
    assertThat(activations.newest()).isZero();

    EndpointActivation first = activate(OptionalInt.of(2), EndpointActivation.NONE).orElseThrow();
    assertThat(activate(OptionalInt.of(1), EndpointActivation.NONE)).isEmpty();
    EndpointActivation second = activate(OptionalInt.of(1), first.number()).orElseThrow();

    assertThat(activations.current(WEB)).contains(second);
    assertThat(activations.newest()).isEqualTo(second.number());
    assertThat(activations.all())
        .containsExactly(new EndpointActivationStore.Active(second, Optional.of(octets("a"))));
    EndpointActivation off = activate(OptionalInt.empty(), second.number()).orElseThrow();
    assertThat(activations.all())
        .containsExactly(new EndpointActivationStore.Active(off, Optional.empty()));
  }

  /** The worst: two admins at once, both get the answer that theirs counts. */
  @Test
  void activate_manyAtOnce_oneStands() throws Exception {
    assertThat(add(WEB, 1, "a")).isEqualTo(Added.ADDED);
    List<Future<Optional<EndpointActivation>>> answers = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 8; i++) {
        answers.add(threads.submit(() -> activate(OptionalInt.of(1), EndpointActivation.NONE)));
      }
    }
    int won = 0;
    for (Future<Optional<EndpointActivation>> answer : answers) {
      won += answer.get().isPresent() ? 1 : 0;
    }
    assertThat(won).isOne();
  }

  /** Planted: what was given up as failed is carried out after all, by a node that was slow. */
  @Test
  void activate_approvalThatHasEnded_changesNothing() {
    assertThat(add(WEB, 1, "a")).isEqualTo(Added.ADDED);
    UUID approval = UUID.randomUUID();
    SERVER.execute(
        address,
        "INSERT INTO approval (id, action, content, sha256, asked_by, expires_at) VALUES ('"
            + approval
            + "', 'x', '{}', sha256('{}'), 'alice', now() + interval '1 day')",
        "INSERT INTO approval_decision SELECT id, 'approved', 'bob', asked_by, sha256"
            + " FROM approval",
        "INSERT INTO approval_end SELECT id, 'failed', 'given up' FROM approval");

    assertThat(
            activations.activate(
                WEB, OptionalInt.of(1), EndpointActivation.NONE, ADMIN, Optional.of(approval)))
        .isEmpty();
    assertThat(activations.approved(approval)).isEmpty();
  }
}
