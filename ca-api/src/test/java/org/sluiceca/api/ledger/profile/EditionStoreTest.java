package org.sluiceca.api.ledger.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.ledger.LedgerDatabase;
import org.sluiceca.api.ledger.PostgresUnderTest;
import org.sluiceca.api.ledger.profile.EditionStore.Added;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileVersion;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.x509.OctetString;

/** Editions and activations: only added, and of two that follow one the first stands. */
class EditionStoreTest {

  private static final PostgresUnderTest SERVER = PostgresUnderTest.get();
  private static final LedgerDatabase.Address ADDRESS = SERVER.freshDatabase();
  private static final RequesterId ADMIN = new RequesterId("admin");

  private static LedgerDatabase database;
  private static EditionStore store;

  @BeforeAll
  static void open() {
    database = new LedgerDatabase(ADDRESS);
    database.migrate();
    store = new EditionStore(database);
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void add_sameFileAgain_known_anotherUnderTheVersion_contradictory() {
    ProfileName name = new ProfileName("added");

    assertThat(add(name, 2, "a")).isEqualTo(Added.ADDED);
    assertThat(add(name, 2, "a")).isEqualTo(Added.KNOWN);
    assertThat(add(name, 2, "b")).isEqualTo(Added.CONTRADICTORY);
    assertThat(add(name, 3, "b")).isEqualTo(Added.ADDED);

    assertThat(store.list(name)).extracting(StoredEdition::version).containsExactly(2, 3);
    assertThat(store.find(name, 2).orElseThrow().content()).isEqualTo(octets("a"));
    assertThat(store.find(name, 4)).isEmpty();
  }

  /** A node's folder may hold the version already, with other content. */
  @Test
  void add_versionThatAFileHas_contradictoryAndNotStored() {
    ProfileName name = new ProfileName("filed");
    new ProfileStore(database).record(profile(name, 2, "of the file"));

    assertThat(add(name, 2, "another")).isEqualTo(Added.CONTRADICTORY);
    assertThat(store.list(name)).isEmpty();
    assertThat(add(name, 2, "of the file")).isEqualTo(Added.ADDED);
  }

  @Test
  void add_asManyAsThereMayBe_oneMoreIsRefused() {
    ProfileName name = new ProfileName("many");
    for (int version = 2; version < 2 + EditionStore.VERSIONS_MAX; version++) {
      assertThat(add(name, version, "x" + version)).isEqualTo(Added.ADDED);
    }

    assertThat(add(name, 1_000, "one more")).isEqualTo(Added.TOO_MANY);
    assertThat(store.list(name)).hasSize(EditionStore.VERSIONS_MAX);
  }

  @Test
  void activate_newestCounts_andHistoryHasAllOfIt() {
    ProfileName name = new ProfileName("active");
    add(name, 2, "a");
    add(name, 3, "b");
    add(name, 4, "never activated");
    assertThat(store.current(name)).isEmpty();

    Activation first = activate(name, OptionalInt.of(3), Activation.NONE).orElseThrow();
    Activation second = activate(name, OptionalInt.of(2), first.number()).orElseThrow();
    Activation third = activate(name, OptionalInt.empty(), second.number()).orElseThrow();

    assertThat(second.number()).isGreaterThan(first.number());
    assertThat(store.newest()).isGreaterThanOrEqualTo(third.number());
    assertThat(store.current(name)).contains(third);
    EditionStore.History history = store.history();
    assertThat(history.activations()).containsSubsequence(first, second, third);
    assertThat(history.editions().stream().filter(e -> e.name().equals(name)))
        .extracting(StoredEdition::version)
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
    assertThat(store.current(name)).contains(first);
  }

  /** The worst: two admins at once, both told that theirs counts. */
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

  @Test
  void rows_changedOrRemoved_refused() {
    add(new ProfileName("kept"), 2, "a");

    for (String sql :
        List.of(
            "UPDATE profile_edition SET content = 'b' WHERE name = 'kept'",
            "DELETE FROM profile_edition WHERE name = 'kept'",
            "DELETE FROM profile_activation")) {
      assertThatIllegalStateException().isThrownBy(() -> SERVER.execute(ADDRESS, sql));
    }
  }

  private static Added add(ProfileName name, int version, String content) {
    return store.add(profile(name, version, content), octets(content), ADMIN);
  }

  private static Optional<Activation> activate(
      ProfileName name, OptionalInt version, long replaces) {
    return store.activate(name, version, replaces, ADMIN, Optional.empty());
  }

  private static CertificateProfile profile(ProfileName name, int version, String content) {
    CertificateProfile server = Fixtures.tlsServer();
    byte[] digest = new byte[32];
    byte[] text = content.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(text, 0, digest, 0, Math.min(32, text.length));
    return new CertificateProfile(
        name,
        server.description(),
        server.use(),
        server.issuer(),
        server.content(),
        new ProfileVersion(version, true, OctetString.copyOf(digest)));
  }

  private static OctetString octets(String text) {
    return OctetString.copyOf(text.getBytes(StandardCharsets.UTF_8));
  }
}
