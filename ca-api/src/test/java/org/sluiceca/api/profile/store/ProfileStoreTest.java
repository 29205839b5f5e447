package org.sluiceca.api.profile.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.api.profile.store.ProfileStore.Version;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileVersion;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.x509.OctetString;

/** One content a stated version, over restarts. */
class ProfileStoreTest {

  private static LedgerDatabase database;
  private static ProfileStore store;

  @BeforeAll
  static void open() {
    database = new LedgerDatabase(PostgresForTests.get().freshDatabase());
    PostgresForTests.awaitLogin(database);
    store = new ProfileStore(database);
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void record_sameContentAgain_known() {
    assertThat(store.record(profile("same", 1, true, 7))).isEqualTo(Version.KNOWN);
    assertThat(store.record(profile("same", 1, true, 7))).isEqualTo(Version.KNOWN);
    assertThat(store.record(profile("same", 1, false, 7))).isEqualTo(Version.KNOWN);
  }

  @Test
  void record_otherContentUnderAStatedVersion_contradictoryAndForgotten() {
    store.record(profile("stated", 1, true, 7));

    assertThat(store.record(profile("stated", 1, true, 8))).isEqualTo(Version.CONTRADICTORY);
    // The wrong content left no trace: the right one still starts, the wrong one still does not.
    assertThat(store.record(profile("stated", 1, true, 7))).isEqualTo(Version.KNOWN);
    assertThat(store.record(profile("stated", 1, true, 8))).isEqualTo(Version.CONTRADICTORY);
    assertThat(store.record(profile("stated", 2, true, 8))).isEqualTo(Version.KNOWN);
  }

  @Test
  void record_otherContentUnderNoStatedVersion_changed() {
    store.record(profile("unstated", 1, false, 7));

    assertThat(store.record(profile("unstated", 1, false, 8))).isEqualTo(Version.CHANGED);
    assertThat(store.record(profile("unstated", 1, false, 8))).isEqualTo(Version.KNOWN);
  }

  private static CertificateProfile profile(String name, int version, boolean stated, int content) {
    byte[] digest = new byte[32];
    Arrays.fill(digest, (byte) content);
    CertificateProfile server = Fixtures.tlsServer();
    return new CertificateProfile(
        new ProfileName(name),
        server.description(),
        server.use(),
        server.issuer(),
        server.content(),
        new ProfileVersion(version, stated, OctetString.copyOf(digest)));
  }
}
