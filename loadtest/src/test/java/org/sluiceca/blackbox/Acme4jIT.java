package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;
import static org.sluiceca.blackbox.Acme4j.issued;
import static org.sluiceca.blackbox.Acme4j.names;
import static org.sluiceca.blackbox.Acme4j.refused;

import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.shredzone.acme4j.Account;
import org.shredzone.acme4j.AccountBuilder;
import org.shredzone.acme4j.Authorization;
import org.shredzone.acme4j.Certificate;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Metadata;
import org.shredzone.acme4j.Order;
import org.shredzone.acme4j.RenewalInfo;
import org.shredzone.acme4j.RevocationReason;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.Status;
import org.shredzone.acme4j.exception.AcmeNotSupportedException;
import org.shredzone.acme4j.exception.AcmeUnauthorizedException;
import org.shredzone.acme4j.util.CSRBuilder;
import org.shredzone.acme4j.util.KeyPairUtils;

/** acme4j where a binding covers the names: accounts, orders, renewal, revocation, refusals. */
@ResourceLock(value = TrialExtension.CHALLENGES, mode = READ)
class Acme4jIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.sharedWithChallenges();

  private static final String PROFILE = "tls-server";

  private static Acme4j client() {
    return new Acme4j(TRIAL.trial());
  }

  private static KeyPair key() {
    return AcmeClient.newKey();
  }

  private static KeyPair key(String curve) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec(curve));
    return generator.generateKeyPair();
  }

  @Test
  void metadata_bothEndpoints_saysWhatTheyNeed() throws Exception {
    Metadata bound = client().session().getMetadata();
    Metadata proving = client().challengeSession().getMetadata();

    assertThat(bound.isExternalAccountRequired()).isTrue();
    assertThat(proving.isExternalAccountRequired()).isFalse();
    assertThat(bound.isProfileAllowed(PROFILE)).isTrue();
    assertThat(bound.getProfiles()).contains(PROFILE);
    assertThat(bound.getProfileDescription(PROFILE)).isPresent();
    assertThat(bound.isProfileAllowed("none-such")).isFalse();
    assertThat(bound.isAutoRenewalEnabled()).isFalse();
  }

  static Stream<KeyPair> keys() throws Exception {
    return Stream.of(
        KeyPairUtils.createKeyPair(2048), key("secp256r1"), key("secp384r1"), key("secp521r1"));
  }

  /** Each signs its requests by another algorithm: RS256, ES256, ES384, ES512. */
  @ParameterizedTest
  @MethodSource("keys")
  void account_keyOfEachKind_isMadeAndFound(KeyPair key) throws Exception {
    Session session = client().session();
    Login made = client().bound(key).createLogin(session);

    Login found = new AccountBuilder().useKeyPair(key).onlyExisting().createLogin(session);

    assertThat(found.getAccountLocation()).isEqualTo(made.getAccountLocation());
    assertThat(found.getAccount().getStatus()).isEqualTo(Status.VALID);
    // Another session, which knows the account's URL alone.
    Account again = client().session().login(made.getAccountLocation(), key).getAccount();
    assertThat(again.getContacts()).containsExactly(URI.create("mailto:ops@corp.example"));
  }

  @Test
  void account_contactsKeyAndEnd() throws Exception {
    Login login = client().registered();
    Account account = login.getAccount();
    account.modify().addContact("mailto:tls@corp.example").commit();
    assertThat(account.getContacts())
        .containsExactly(
            URI.create("mailto:ops@corp.example"), URI.create("mailto:tls@corp.example"));

    KeyPair old = login.getKeyPair();
    account.changeKey(key());
    assertThat(account.newOrder().domain("rolled.example.com").create().getStatus())
        .isEqualTo(Status.READY);
    Login byOldKey = client().session().login(login.getAccountLocation(), old);
    refused("malformed", () -> byOldKey.newOrder().domain("rolled.example.com").create());
    refused(
        "accountDoesNotExist",
        () -> new AccountBuilder().useKeyPair(old).onlyExisting().create(client().session()));

    account.deactivate();
    assertThat(account.getStatus()).isEqualTo(Status.DEACTIVATED);
    assertThat(
            refused("unauthorized", () -> account.newOrder().domain("ended.example.com").create()))
        .isInstanceOf(AcmeUnauthorizedException.class);
  }

  @Test
  void order_ofReadyNamesWithAProfile_issuesAndIsListed() throws Exception {
    Login login = client().registered();
    Order order =
        login
            .newOrder()
            .domains("acme4j.example.com", "*.acme4j.example.com")
            .profile(PROFILE)
            .create();
    assertThat(order.getStatus()).isEqualTo(Status.READY);
    assertThat(order.getProfile()).isEqualTo(PROFILE);
    assertThat(order.getAuthorizations())
        .extracting(Authorization::getStatus)
        .containsExactly(Status.VALID, Status.VALID);

    Certificate certificate = issued(order, key());

    List<X509Certificate> chain = certificate.getCertificateChain();
    assertThat(chain).hasSize(2);
    chain.getFirst().verify(chain.getLast().getPublicKey());
    assertThat(names(certificate))
        .containsExactlyInAnyOrder("acme4j.example.com", "*.acme4j.example.com");
    assertThat(certificate.getAlternates()).isEmpty();
    List<Order> all = new ArrayList<>();
    login.getAccount().getOrders().forEachRemaining(all::add);
    assertThat(all).extracting(Order::getLocation).containsExactly(order.getLocation());
  }

  @Test
  void renewalInfo_windowAheadThenReplacedThenRevoked() throws Exception {
    Login login = client().registered();
    Certificate first = issued(login.newOrder().domain("ari.acme4j.example.com").create(), key());
    RenewalInfo info = first.getRenewalInfo();
    assertThat(info.fetch()).hasValueSatisfying(at -> assertThat(at).isAfter(Instant.now()));
    assertThat(info.renewalIsNotRequired(Instant.now())).isTrue();
    assertThat(info.getRandomProposal(Duration.ofMinutes(1)))
        .hasValueSatisfying(
            at ->
                assertThat(at)
                    .isBetween(info.getSuggestedWindowStart(), info.getSuggestedWindowEnd()));

    Order order = login.newOrder().domain("ari.acme4j.example.com").replaces(first).create();
    Certificate second = issued(order, key());
    assertThat(second.getCertificate()).isNotEqualTo(first.getCertificate());
    refused(
        "alreadyReplaced",
        () -> login.newOrder().domain("ari.acme4j.example.com").replaces(first).create());

    first.revoke(RevocationReason.SUPERSEDED);
    RenewalInfo urgent = login.bindRenewalInfo(first.getCertificate());
    assertThat(urgent.getSuggestedWindowStart()).isBefore(Instant.now().plusSeconds(360));
  }

  @Test
  void revoke_byAccountOrByTheCertificatesKey_onceEach() throws Exception {
    Login login = client().registered();
    KeyPair own = key();
    Certificate first = issued(login.newOrder().domain("r1.acme4j.example.com").create(), key());
    Certificate second = issued(login.newOrder().domain("r2.acme4j.example.com").create(), own);

    refused("badRevocationReason", () -> first.revoke(RevocationReason.CERTIFICATE_HOLD));
    first.revoke();
    refused("alreadyRevoked", first::revoke);
    Session anonymous = client().session();
    refused(
        "unauthorized", () -> Certificate.revoke(anonymous, key(), second.getCertificate(), null));
    Certificate.revoke(anonymous, own, second.getCertificate(), RevocationReason.KEY_COMPROMISE);
    refused("alreadyRevoked", second::revoke);
  }

  @Test
  void account_withoutItsBinding_isRefused() {
    refused(
        "externalAccountRequired",
        () -> new AccountBuilder().useKeyPair(key()).create(client().session()));
    assertThat(
            refused(
                "unauthorized",
                () ->
                    new AccountBuilder()
                        .useKeyPair(key())
                        .withKeyIdentifier("unknown-kid", "A".repeat(43))
                        .create(client().session())))
        .isInstanceOf(AcmeUnauthorizedException.class);
    refused(
        "unsupportedContact",
        () -> client().bound(key()).addContact("tel:+123").create(client().session()));
  }

  @Test
  void order_thatCannotBe_isRefused() throws Exception {
    Login login = client().registered();
    assertThatThrownBy(() -> login.newOrder().domain("a.example.com").profile("none-such").create())
        .isInstanceOf(AcmeNotSupportedException.class);
    assertThatThrownBy(() -> login.getAccount().preAuthorizeDomain("a.example.com"))
        .isInstanceOf(AcmeNotSupportedException.class);
    refused(
        "rejectedIdentifier",
        () -> login.newOrder().domains("a.example.com", "*.*.example.com").create());

    Order order = login.newOrder().domain("csr.acme4j.example.com").create();
    CSRBuilder other = new CSRBuilder();
    other.addDomain("other.acme4j.example.com");
    other.sign(key());
    refused("badCSR", () -> order.execute(other.getCSR()));
    refused("badCSR", () -> order.execute(login.getKeyPair()));
    Order unharmed = login.bindOrder(order.getLocation());
    assertThat(issued(unharmed, key()).getCertificate()).isNotNull();
    refused("orderNotReady", () -> unharmed.execute(key()));
  }
}
