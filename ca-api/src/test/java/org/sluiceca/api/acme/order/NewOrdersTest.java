package org.sluiceca.api.acme.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.acme.account.Account;
import org.sluiceca.api.acme.account.store.AccountStore;
import org.sluiceca.api.acme.account.store.NewAccount;
import org.sluiceca.api.acme.account.store.NewAccountStore;
import org.sluiceca.api.acme.answer.AcmeError;
import org.sluiceca.api.acme.answer.AcmeProblem;
import org.sluiceca.api.platform.store.LedgerDatabase;
import org.sluiceca.api.platform.store.LedgerDatabase.Address;
import org.sluiceca.api.platform.store.PostgresForTests;
import org.sluiceca.api.registration.store.PostgresRequestStore;
import org.sluiceca.api.registration.store.RequestCounts;
import org.sluiceca.core.registration.Authorization;
import org.sluiceca.core.registration.CertificateRequest;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.registration.RegistrationId;
import org.sluiceca.core.registration.RequestState;
import org.sluiceca.core.registration.name.Identifier;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.OctetString;

/** New orders of an account without a binding, on a real PostgreSQL. */
class NewOrdersTest {

  private static final EndpointName WEB = new EndpointName("web");

  private final SplittableRandom random = new SplittableRandom(1);
  private final Address address = PostgresForTests.get().freshDatabase();
  private final LedgerDatabase database = new LedgerDatabase(address);
  private final AccountStore accounts = new AccountStore(database);
  private final NewAccountStore fresh = new NewAccountStore(database);
  private final PostgresRequestStore store =
      new PostgresRequestStore(database, new RequestCounts(new SimpleMeterRegistry()));
  private final NewOrders orders = new NewOrders(accounts, store);

  @BeforeEach
  void login() {
    PostgresForTests.awaitLogin(database);
  }

  @AfterEach
  void close() {
    database.close();
  }

  private RegistrationId id() {
    byte[] octets = new byte[RegistrationId.OCTETS];
    random.nextBytes(octets);
    return new RegistrationId(OctetString.copyOf(octets));
  }

  private Account account() {
    RegistrationId id = id();
    byte[] thumbprint = new byte[32];
    random.nextBytes(thumbprint);
    fresh.add(
        new NewAccount(
            id,
            OctetString.copyOf(thumbprint),
            SoftwareKey.named("ec-p256").publicKey(),
            List.of()),
        WEB,
        Optional.empty(),
        new RequesterId("acme-web"));
    return accounts.find(WEB, id).orElseThrow();
  }

  private CertificateRequest order(Account account) {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);
    return new CertificateRequest(
        id(),
        WEB,
        account.requester(),
        account.id(),
        new ProfileName("tls-server"),
        List.of(new Identifier.Dns("a.corp.example")),
        now,
        now.plus(Duration.ofDays(1)),
        Optional.empty(),
        new RequestState.Awaiting(List.of(Authorization.pending(0, "A".repeat(22)))));
  }

  private boolean isUsed(Account account) {
    return accounts.find(WEB, account.id()).orElseThrow().standing().isUsed();
  }

  private AcmeProblem refused(Account account) {
    AcmeProblem problem =
        catchThrowableOfType(AcmeProblem.class, () -> orders.add(order(account), account));
    assertThat(problem).isNotNull();
    return problem;
  }

  /** Refused orders kept their accounts for good. */
  @Test
  void add_refused_theAccountStaysUnused() {
    Account account = account();
    for (int i = 0; i < PostgresRequestStore.UNPROVEN_OF_ACTOR_MAX; i++) {
      assertThat(store.add(order(account))).isTrue();
    }

    assertThat(refused(account).type()).isEqualTo(AcmeError.RATE_LIMITED);

    assertThat(isUsed(account)).isFalse();
    PostgresForTests.get().execute(address, "DELETE FROM certificate_request");
    orders.add(order(account), account);
    assertThat(isUsed(account)).isTrue();
  }

  @Test
  void add_accountWasRemoved_itsClientRegistersAgain() {
    Account account = account();
    assertThat(accounts.removeUnused(Instant.now().plusSeconds(60), 10)).isEqualTo(1);

    assertThat(refused(account).type()).isEqualTo(AcmeError.ACCOUNT_DOES_NOT_EXIST);
  }

  /** A node may die between the order and the note. */
  @Test
  void removeUnused_accountWithAnOrder_stays() {
    Account account = account();
    assertThat(store.add(order(account))).isTrue();

    assertThat(accounts.removeUnused(Instant.now().plusSeconds(60), 10)).isZero();

    assertThat(isUsed(account)).isFalse();
  }
}
