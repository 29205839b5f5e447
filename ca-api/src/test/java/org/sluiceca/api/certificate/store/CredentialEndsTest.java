package org.sluiceca.api.certificate.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.api.auth.store.CredentialStore.NewCredential;
import org.sluiceca.api.auth.store.RegisteredCredential.Grant;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.x509.OctetString;

/** When roles end, on a real PostgreSQL. */
class CredentialEndsTest {

  private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);

  private final LedgerDatabase database =
      new LedgerDatabase(PostgresForTests.get().freshDatabase());
  private final CredentialStore store = new CredentialStore(database);
  private final CredentialEnds ends = new CredentialEnds(database);
  private byte next;

  @BeforeEach
  void login() {
    PostgresForTests.awaitLogin(database);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private Instant hours(int hours) {
    return now.plus(Duration.ofHours(hours));
  }

  private UUID credential(String requester, Instant end, Role... roles) {
    byte[] hash = new byte[32];
    hash[0] = ++next;
    return store
        .insert(
            new NewCredential(
                new RequesterId(requester),
                Kind.TOKEN,
                OctetString.copyOf(hash),
                new Grant(Set.of(roles), Set.of(), end)))
        .orElseThrow()
        .id();
  }

  @Test
  void read_severalRequesters_firstAndLastLossOfEachRole() {
    // Its older token ends sooner, and takes nothing away.
    credential("alice", hours(1), Role.ADMIN);
    credential("alice", hours(300), Role.ADMIN, Role.OFFICER);
    credential("bob", hours(48), Role.ADMIN);

    assertThat(ends.read())
        .containsExactlyInAnyOrder(
            new CredentialEnds.End(Role.ADMIN, hours(48), hours(300)),
            new CredentialEnds.End(Role.OFFICER, hours(300), hours(300)));
  }

  @Test
  void read_revokedOrLongEnded_notCounted() {
    store.revoke(credential("alice", hours(10), Role.AUDITOR));
    credential("bob", hours(-25), Role.AUDITOR);

    assertThat(ends.read()).isEmpty();

    credential("carol", hours(-23), Role.AUDITOR);
    assertThat(ends.read())
        .containsExactly(new CredentialEnds.End(Role.AUDITOR, hours(-23), hours(-23)));
  }
}
