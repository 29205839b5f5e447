package org.sluiceca.api.acme.account.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.acme.account.Account;
import org.sluiceca.api.acme.binding.Binding;
import org.sluiceca.api.acme.binding.NewBinding;
import org.sluiceca.api.acme.binding.store.BindingStore;
import org.sluiceca.api.acme.nonce.store.NonceStore;
import org.sluiceca.api.platform.secret.SecretKeys;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.registration.name.NameSpace;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.OctetString;

/** Accounts and bindings on a real PostgreSQL, with the rights of a node. */
class AccountStoreTest {

  private static final EndpointName INTERNAL = new EndpointName("internal");
  private static final String NETWORK = "192.0.2.0/24";
  private static final SoftwareKey KEY = SoftwareKey.named("ec-p256");

  private final SplittableRandom random = new SplittableRandom(1);
  private final Address address = PostgresForTests.get().freshDatabase();
  private final LedgerDatabase database = new LedgerDatabase(address);
  private final BindingStore bindings = new BindingStore(database, SecretKeys.ofOneRun());
  private final AccountStore accounts = new AccountStore(database);
  private final NewAccountStore fresh = new NewAccountStore(database);

  @BeforeEach
  void login() {
    PostgresForTests.awaitLogin(database);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private NewBinding binding(boolean isSingle, Duration life) {
    NewBinding fresh = NewBinding.next();
    Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);
    bindings.add(
        new Binding(
            fresh.kid(),
            INTERNAL,
            new RequesterId("team-a"),
            new NameSpace(List.of("*.corp.example")),
            Set.of(new ProfileName("tls-server")),
            isSingle,
            "admin",
            now,
            now.plus(life),
            Optional.empty()),
        fresh.hmacKey());
    return fresh;
  }

  private OctetString random(int length) {
    byte[] octets = new byte[length];
    random.nextBytes(octets);
    return OctetString.copyOf(octets);
  }

  private RegistrationId add(OctetString thumbprint, String kid) {
    RegistrationId id = new RegistrationId(random(RegistrationId.OCTETS));
    fresh.add(
        new NewAccount(id, thumbprint, KEY.publicKey(), List.of("mailto:a@corp.example")), kid);
    return id;
  }

  @Test
  void binding_found_withItsKey_whichTheDatabaseDoesNotHave() {
    NewBinding made = binding(false, Duration.ofDays(1));

    BindingStore.Keyed found = bindings.find(made.kid()).orElseThrow();

    assertThat(found.hmacKey()).isEqualTo(made.hmacKey());
    assertThat(found.binding().names().patterns()).containsExactly("*.corp.example");
    assertThat(
            PostgresForTests.get()
                .number(
                    address,
                    "SELECT count(*) FROM acme_binding WHERE position('\\x"
                        + made.hmacKey()
                        + "'::bytea IN hmac_key) > 0"))
        .isZero();
    assertThat(bindings.find("unknown")).isEmpty();
    assertThat(bindings.page(Instant.EPOCH, "", 10)).containsExactly(found.binding());
  }

  @Test
  void add_keyOfAnAccount_keepsTheFirst() {
    String kid = binding(false, Duration.ofDays(1)).kid();
    OctetString thumbprint = random(32);

    RegistrationId first = add(thumbprint, kid);
    RegistrationId second = add(thumbprint, kid);

    Account account = accounts.find(INTERNAL, thumbprint).orElseThrow();
    assertThat(account.id()).isEqualTo(first);
    assertThat(account.key()).isEqualTo(KEY.publicKey());
    assertThat(account.requester().value()).isEqualTo("team-a");
    assertThat(account.covers(new Identifier.Dns("a.corp.example"))).isTrue();
    assertThat(account.covers(new Identifier.Dns("corp.example"))).isFalse();
    assertThat(accounts.find(INTERNAL, second)).isEmpty();
    assertThat(accounts.find(new EndpointName("other"), first)).isEmpty();
  }

  @Test
  void spendAndFind_spendsOnce_alsoForNoAccount() {
    NonceStore nonces = new NonceStore(database);
    OctetString epoch = nonces.epoch(random(8));
    RegistrationId id = add(random(32), binding(false, Duration.ofDays(1)).kid());
    NonceStore.Spending nonce = new NonceStore.Spending(1, random(16), epoch);
    NonceStore.Spending other = new NonceStore.Spending(1, random(16), epoch);

    AccountStore.Current first = accounts.spendAndFind(nonce, INTERNAL, id).orElseThrow();
    accounts.end(id);
    AccountStore.Current second = accounts.spendAndFind(nonce, INTERNAL, id).orElseThrow();

    assertThat(first.isUnspent()).isTrue();
    assertThat(first.account().standing().endedAt()).isEmpty();
    assertThat(second.isUnspent()).isFalse();
    assertThat(second.account()).isEqualTo(accounts.find(INTERNAL, id).orElseThrow());
    assertThat(second.account().standing().endedAt()).isPresent();
    assertThat(nonces.spend(List.of(nonce))).isEmpty();
    assertThat(accounts.spendAndFind(other, new EndpointName("other"), id)).isEmpty();
    assertThat(nonces.spend(List.of(other))).isEmpty();
  }

  @Test
  void spendAndFind_nonceOfAnotherEpoch_isNotTaken() {
    OctetString _ = new NonceStore(database).epoch(random(8));
    RegistrationId id = add(random(32), binding(false, Duration.ofDays(1)).kid());
    NonceStore.Spending nonce = new NonceStore.Spending(1, random(16), random(8));

    assertThat(accounts.spendAndFind(nonce, INTERNAL, id).orElseThrow().isUnspent()).isFalse();
  }

  @Test
  void add_withoutBinding_ofTheEndpointsOwner() {
    OctetString thumbprint = random(32);
    for (int i = 0; i < 2; i++) {
      fresh.add(
          new NewAccount(
              new RegistrationId(random(RegistrationId.OCTETS)),
              thumbprint,
              KEY.publicKey(),
              List.of()),
          INTERNAL,
          Optional.of(NETWORK),
          new RequesterId("web"));
    }

    Account account = accounts.find(INTERNAL, thumbprint).orElseThrow();
    assertThat(account.requester().value()).isEqualTo("web");
    assertThat(account.binding()).isEmpty();
    assertThat(account.standing().network()).contains(NETWORK);
    assertThat(account.covers(new Identifier.Dns("a.corp.example"))).isFalse();
  }

  private boolean addOpen(Optional<String> network) {
    RegistrationId id = new RegistrationId(random(RegistrationId.OCTETS));
    fresh.add(
        new NewAccount(id, random(32), KEY.publicKey(), List.of()),
        INTERNAL,
        network,
        new RequesterId("web"));
    return accounts.find(INTERNAL, id).isPresent();
  }

  /** One network uses up its own share of an hour, and no more of the endpoint's. */
  @Test
  void add_asManyFromOneNetworkAsItMay_othersStillHaveRoom() {
    for (int i = 0; i < NewAccountStore.NEW_OF_NETWORK_MAX; i++) {
      assertThat(fresh.hasRoomIn(INTERNAL, NETWORK)).isTrue();
      assertThat(addOpen(Optional.of(NETWORK))).isTrue();
    }

    assertThat(fresh.hasRoomIn(INTERNAL, NETWORK)).isFalse();
    assertThat(addOpen(Optional.of(NETWORK))).isFalse();
    assertThat(fresh.hasRoomIn(INTERNAL, "198.51.100.0/24")).isTrue();
    assertThat(fresh.hasRoomIn(new EndpointName("other"), NETWORK)).isTrue();
    assertThat(fresh.hasRoom(INTERNAL, Optional.empty())).isTrue();
    assertThat(addOpen(Optional.of("198.51.100.0/24"))).isTrue();
    // A proxy has many clients behind it: the endpoint's share alone bounds them.
    assertThat(addOpen(Optional.empty())).isTrue();
    PostgresForTests.get()
        .execute(address, "UPDATE acme_account SET created_at = created_at - interval '1 hour'");
    assertThat(addOpen(Optional.of(NETWORK))).isTrue();
  }

  @Test
  void removeUnused_oldWithoutAnOrderOrABinding_inBatches() {
    for (int i = 0; i < 3; i++) {
      assertThat(addOpen(Optional.of(NETWORK))).isTrue();
    }
    RegistrationId bound = add(random(32), binding(false, Duration.ofDays(1)).kid());
    OctetString thumbprint = random(32);
    RegistrationId used = new RegistrationId(random(RegistrationId.OCTETS));
    fresh.add(
        new NewAccount(used, thumbprint, KEY.publicKey(), List.of()),
        INTERNAL,
        Optional.empty(),
        new RequesterId("web"));
    assertThat(accounts.find(INTERNAL, used).orElseThrow().standing().isUsed()).isFalse();
    assertThat(accounts.use(used)).isTrue();
    Instant after = Instant.now().plusSeconds(60);

    assertThat(accounts.removeUnused(after.minus(Duration.ofDays(1)), 10)).isZero();
    assertThat(accounts.removeUnused(after, 2)).isEqualTo(2);
    assertThat(accounts.removeUnused(after, 2)).isEqualTo(1);

    assertThat(accounts.find(INTERNAL, bound)).isPresent();
    assertThat(accounts.find(INTERNAL, used).orElseThrow().standing().isUsed()).isTrue();
    assertThat(accounts.use(new RegistrationId(random(RegistrationId.OCTETS)))).isFalse();
  }

  @Test
  void add_singleBindingByManyAtOnce_oneAccount() {
    String kid = binding(true, Duration.ofDays(1)).kid();
    List<OctetString> thumbprints =
        List.of(random(32), random(32), random(32), random(32), random(32), random(32));
    List<RegistrationId> ids =
        thumbprints.stream().map(t -> new RegistrationId(random(RegistrationId.OCTETS))).toList();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < ids.size(); i++) {
        NewAccount account =
            new NewAccount(ids.get(i), thumbprints.get(i), KEY.publicKey(), List.of());
        threads.execute(() -> fresh.add(account, kid));
      }
    }

    assertThat(ids.stream().filter(id -> accounts.find(INTERNAL, id).isPresent())).hasSize(1);
  }

  @Test
  void add_bindingThatIsOver_noAccount() {
    String expired = binding(false, Duration.ofSeconds(-1)).kid();
    String revoked = binding(false, Duration.ofDays(1)).kid();
    assertThat(bindings.revoke(revoked)).isTrue();
    assertThat(bindings.revoke("unknown")).isFalse();

    assertThat(accounts.find(INTERNAL, add(random(32), expired))).isEmpty();
    assertThat(accounts.find(INTERNAL, add(random(32), revoked))).isEmpty();
    assertThat(accounts.find(INTERNAL, add(random(32), "unknown"))).isEmpty();
  }

  @Test
  void change_contactsKeyAndEnd() {
    String kid = binding(false, Duration.ofDays(1)).kid();
    OctetString taken = random(32);
    RegistrationId other = add(taken, kid);
    RegistrationId id = add(random(32), kid);
    OctetString next = random(32);

    accounts.contacts(id, List.of());
    assertThat(accounts.changeKey(id, taken, KEY.publicKey())).isFalse();
    assertThat(accounts.changeKey(id, next, KEY.publicKey())).isTrue();

    // Each change is a row of the audit trail.
    assertThat(accounts.changeKey(id, random(32), KEY.publicKey())).isFalse();
    Account account = accounts.find(INTERNAL, next).orElseThrow();
    assertThat(account.id()).isEqualTo(id);
    assertThat(account.standing().keyChangedAt()).isPresent();
    assertThat(account.contacts()).isEmpty();
    accounts.end(id);
    assertThat(accounts.find(INTERNAL, id).orElseThrow().standing().endedAt()).isPresent();
    assertThat(accounts.changeKey(id, random(32), KEY.publicKey())).isFalse();
    assertThat(accounts.find(INTERNAL, other).orElseThrow().standing().endedAt()).isEmpty();
    // What was ended stays so, whatever a node asks.
    assertThatExceptionOfType(LedgerUnavailable.class)
        .isThrownBy(() -> accounts.contacts(id, List.of("mailto:b@corp.example")));
  }
}
