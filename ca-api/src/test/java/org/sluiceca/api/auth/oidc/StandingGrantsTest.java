package org.sluiceca.api.auth.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.auth.Tokens;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.api.auth.store.CredentialStore.NewCredential;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.api.auth.store.RegisteredCredential.Grant;
import org.sluiceca.api.auth.store.RegisteredCredential.Kind;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;

/** Whose accepted requests are still covered, by a real register. */
class StandingGrantsTest {

  private static final PostgresForTests SERVER = PostgresForTests.get();
  private static final ProfileName PROFILE = new ProfileName("tls-server");

  private final LedgerDatabase database = new LedgerDatabase(SERVER.freshDatabase());
  private final CredentialStore credentials = new CredentialStore(database);
  private int made;

  @BeforeEach
  void open() {
    PostgresForTests.awaitLogin(database);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private RegisteredCredential register(String requester, String profile) {
    return credentials
        .insert(
            new NewCredential(
                new RequesterId(requester),
                Kind.TOKEN,
                Tokens.hash("token" + made++),
                new Grant(
                    Set.of(Role.REQUESTER),
                    Set.of(new ProfileName(profile)),
                    Instant.now().plus(Duration.ofDays(9)).truncatedTo(ChronoUnit.SECONDS))))
        .orElseThrow();
  }

  private void revoke(RegisteredCredential credential) {
    assertThat(credentials.revoke(credential.id())).isTrue();
  }

  private boolean covers(String requester, boolean joinsRegistered) {
    OidcProvider provider =
        new OidcProvider(
            "corp",
            "https://id.example.com/realm",
            URI.create("https://id.example.com/keys"),
            Set.of("sluice"),
            Set.of(JwtAlgorithm.ES256),
            Duration.ofSeconds(30),
            List.of("sub"),
            null,
            joinsRegistered,
            "oidc-users",
            List.of(
                new OidcProvider.Rule(
                    List.of("groups"), "pki", Set.of(Role.REQUESTER), Set.of("tls-server"))),
            null);
    return new StandingGrants(new OidcSettings(List.of(provider)), credentials)
        .test(new RequesterId(requester), PROFILE);
  }

  /** Without this each accepted order of a provider's user would be given up. */
  @Test
  void user_ofAProvider_coveredWhileTheSharedGrantStands() {
    RegisteredCredential shared = register("oidc-users", "tls-server");

    assertThat(covers("corp.alice", false)).isTrue();
    assertThat(covers("other.alice", false)).isFalse();
    revoke(shared);
    assertThat(covers("corp.alice", false)).isFalse();
  }

  @Test
  void user_underAnotherProfile_notCovered() {
    register("oidc-users", "client");
    assertThat(covers("corp.alice", false)).isFalse();
  }

  @Test
  void requester_withACredentialOfItsOwn_byThatAloneUnlessTheTwoAreOne() {
    register("oidc-users", "tls-server");
    RegisteredCredential own = register("corp.alice", "client");

    assertThat(covers("corp.alice", false)).isFalse();
    assertThat(covers("corp.alice", true)).isTrue();
    revoke(own);
    assertThat(covers("corp.alice", true)).isFalse();
  }

  @Test
  void requester_ofThisRegister_coveredByItsOwnGrant() {
    RegisteredCredential own = register("alice", "tls-server");
    assertThat(covers("alice", false)).isTrue();
    revoke(own);
    assertThat(covers("alice", false)).isFalse();
  }
}
