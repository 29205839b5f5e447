package org.sluiceca.api.profile.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.api.profile.store.VersionStore.Added;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;

/** Versions: only added. */
class VersionStoreTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final LedgerDatabase.Address ADDRESS = SERVER.freshDatabase();
  private static final RequesterId ADMIN = new RequesterId("admin");

  private static LedgerDatabase database;
  private static VersionStore store;

  @BeforeAll
  static void open() {
    database = new LedgerDatabase(ADDRESS);
    PostgresForTests.awaitLogin(database);
    store = new VersionStore(database);
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void add_sameFileAgain_known_anotherUnderTheVersion_contradictory() {
    ProfileName name = new ProfileName("added");

    assertThat(judge(name, 2, "a")).isEqualTo(Added.ADDED);
    assertThat(judge(name, 2, "b")).isEqualTo(Added.ADDED);
    assertThat(add(name, 2, "a")).isEqualTo(Added.ADDED);
    assertThat(judge(name, 2, "a")).isEqualTo(Added.KNOWN);
    assertThat(judge(name, 2, "b")).isEqualTo(Added.CONTRADICTORY);
    assertThat(add(name, 2, "a")).isEqualTo(Added.KNOWN);
    assertThat(add(name, 2, "b")).isEqualTo(Added.CONTRADICTORY);
    assertThat(add(name, 3, "b")).isEqualTo(Added.ADDED);

    assertThat(store.list(name)).extracting(StoredVersion::version).containsExactly(2, 3);
    assertThat(store.find(name, 2).orElseThrow().content()).isEqualTo(Versions.octets("a"));
    assertThat(store.find(name, 4)).isEmpty();
  }

  /** A node's folder may hold the version already, with other content. */
  @Test
  void add_versionThatAFileHas_contradictoryAndNotStored() {
    ProfileName name = new ProfileName("filed");
    new ProfileStore(database).record(Versions.profile(name, 2, "of the file"));

    assertThat(judge(name, 2, "another")).isEqualTo(Added.CONTRADICTORY);
    assertThat(judge(name, 2, "of the file")).isEqualTo(Added.ADDED);
    assertThat(add(name, 2, "another")).isEqualTo(Added.CONTRADICTORY);
    assertThat(store.list(name)).isEmpty();
    assertThat(add(name, 2, "of the file")).isEqualTo(Added.ADDED);
  }

  @Test
  void add_asManyAsThereMayBe_oneMoreIsRefused() {
    ProfileName name = new ProfileName("many");
    for (int version = 2; version < 2 + VersionStore.VERSIONS_MAX_PER_PROFILE; version++) {
      assertThat(add(name, version, "x" + version)).isEqualTo(Added.ADDED);
    }

    assertThat(judge(name, 1_000, "one more")).isEqualTo(Added.TOO_MANY);
    assertThat(add(name, 1_000, "one more")).isEqualTo(Added.TOO_MANY);
    assertThat(store.list(name)).hasSize(VersionStore.VERSIONS_MAX_PER_PROFILE);
  }

  /** Planted: a person who has dropped what keeps rows as they are exchanges a content. */
  @Test
  void read_asStoredNow_andNotByTheDigestBesideIt() {
    ProfileName name = new ProfileName("changed");
    add(name, 2, "a");
    SERVER.execute(
        ADDRESS,
        "INSERT INTO profile_activation (number, name, version, replaces, activated_by)"
            + " VALUES (1, 'changed', 2, 0, 'admin')");
    ActivationStore activations = new ActivationStore(database);
    StoredVersion.Key key = activations.history().versions().getFirst();
    assertThat(store.read(List.of(key)))
        .singleElement()
        .isEqualTo(store.find(name, 2).orElseThrow());
    assertThat(key.sha256()).isEqualTo(Digest.sha256("a".getBytes(StandardCharsets.UTF_8)));

    SERVER.execute(
        ADDRESS,
        "ALTER TABLE profile_edition DISABLE TRIGGER append_only",
        "UPDATE profile_edition SET content = 'b' WHERE name = 'changed'",
        "ALTER TABLE profile_edition ENABLE TRIGGER append_only");

    assertThat(activations.history().versions().getFirst().sha256())
        .isEqualTo(Digest.sha256("b".getBytes(StandardCharsets.UTF_8)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> store.read(Collections.nCopies(VersionStore.READ_MAX + 1, key)));
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

  private static Added judge(ProfileName name, int version, String content) {
    return store.judge(Versions.profile(name, version, content), Versions.octets(content));
  }

  private static Added add(ProfileName name, int version, String content) {
    return store.add(Versions.profile(name, version, content), Versions.octets(content), ADMIN);
  }
}
