package org.sluiceca.api.profile.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.api.profile.store.VersionStore.Added;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;

/** Activations: only added, and of two that follow one the first stands. */
class ActivationStoreTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final LedgerDatabase.Address ADDRESS = SERVER.freshDatabase();
  private static final RequesterId ADMIN = new RequesterId("admin");

  private static LedgerDatabase database;
  private static VersionStore store;
  private static ActivationStore activations;

  @BeforeAll
  static void open() {
    database = new LedgerDatabase(ADDRESS);
    PostgresForTests.awaitLogin(database);
    store = new VersionStore(database);
    activations = new ActivationStore(database);
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void activate_newestCounts_andHistoryHasAllOfIt() {
    ProfileName name = new ProfileName("active");
    add(name, 2, "a");
    add(name, 3, "b");
    add(name, 4, "never activated");
    assertThat(activations.current(name)).isEmpty();

    Activation first = activate(name, OptionalInt.of(3), Activation.NONE).orElseThrow();
    Activation second = activate(name, OptionalInt.of(2), first.number()).orElseThrow();
    Activation third = activate(name, OptionalInt.empty(), second.number()).orElseThrow();

    assertThat(second.number()).isGreaterThan(first.number());
    assertThat(activations.newest()).isGreaterThanOrEqualTo(third.number());
    assertThat(activations.current(name)).contains(third);
    ActivationStore.History history = activations.history();
    assertThat(history.activations()).containsSubsequence(first, second, third);
    assertThat(history.versions().stream().filter(e -> e.name().equals(name)))
        .extracting(StoredVersion.Key::version)
        .containsExactly(2, 3);
  }

  @Test
  void activate_whatWasOvertaken_changesNothing() {
    ProfileName name = new ProfileName("overtaken");
    add(name, 2, "a");
    add(name, 3, "b");
    Activation first = activate(name, OptionalInt.of(2), Activation.NONE).orElseThrow();

    assertThat(activate(name, OptionalInt.of(3), Activation.NONE)).isEmpty();
    assertThat(activate(name, OptionalInt.of(3), first.number() + 1)).isEmpty();
    assertThat(activations.current(name)).contains(first);
  }

  /** The worst: two admins at once, both get the answer that theirs counts. */
  @Test
  void activate_manyAtOnce_oneStands() throws InterruptedException, ExecutionException {
    ProfileName name = new ProfileName("race");
    add(name, 2, "a");
    List<Future<Optional<Activation>>> answers = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < 8; i++) {
        answers.add(threads.submit(() -> activate(name, OptionalInt.of(2), Activation.NONE)));
      }
    }

    int won = 0;
    for (Future<Optional<Activation>> answer : answers) {
      won += answer.get().isPresent() ? 1 : 0;
    }
    assertThat(won).isOne();
    assertThat(
            SERVER.number(ADDRESS, "SELECT count(*) FROM profile_activation WHERE name = 'race'"))
        .isOne();
  }

  /** The check before the insert is planted away: the table itself refuses the second. */
  @Test
  void activation_twoThatFollowOne_refusedByTheTable() {
    add(new ProfileName("planted"), 2, "a");
    String insert =
        """
        INSERT INTO profile_activation (number, name, version, replaces, activated_by)
        SELECT max(number) + 1, 'planted', 2, 0, 'admin' FROM
          (SELECT number FROM profile_activation UNION SELECT 0 AS number) n
        """;
    SERVER.execute(ADDRESS, insert);

    assertThatIllegalStateException().isThrownBy(() -> SERVER.execute(ADDRESS, insert));
  }

  /** Planted: what was given up as failed is carried out after all, by a node that was slow. */
  @Test
  void activate_approvalThatHasEnded_changesNothing() {
    ProfileName name = new ProfileName("given-up");
    add(name, 2, "a");
    UUID approval = UUID.randomUUID();
    SERVER.execute(
        ADDRESS,
        "INSERT INTO approval (id, action, content, sha256, asked_by, expires_at) VALUES ('"
            + approval
            + "', 'x', '{}', sha256('{}'), 'alice', now() + interval '1 day')",
        "INSERT INTO approval_decision SELECT id, 'approved', 'bob', asked_by, sha256"
            + " FROM approval",
        "INSERT INTO approval_end VALUES ('" + approval + "', 'failed', 'given up')");

    assertThat(
            activations.activate(
                name, OptionalInt.of(2), Activation.NONE, ADMIN, Optional.of(approval)))
        .isEmpty();
    assertThat(activations.current(name)).isEmpty();
    assertThat(activations.approved(approval)).isEmpty();
  }

  private static Added add(ProfileName name, int version, String content) {
    return store.add(Versions.profile(name, version, content), Versions.octets(content), ADMIN);
  }

  private static Optional<Activation> activate(
      ProfileName name, OptionalInt version, long replaces) {
    return activations.activate(name, version, replaces, ADMIN, Optional.empty());
  }
}
