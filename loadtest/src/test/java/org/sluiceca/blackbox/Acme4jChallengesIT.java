package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;
import static org.sluiceca.blackbox.Acme4j.LIMIT;
import static org.sluiceca.blackbox.Acme4j.issued;
import static org.sluiceca.blackbox.Acme4j.names;
import static org.sluiceca.blackbox.Acme4j.refused;

import java.io.Closeable;
import java.io.IOException;
import java.security.KeyPair;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.shredzone.acme4j.Authorization;
import org.shredzone.acme4j.Certificate;
import org.shredzone.acme4j.Identifier;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Order;
import org.shredzone.acme4j.Status;
import org.shredzone.acme4j.challenge.Challenge;
import org.shredzone.acme4j.challenge.Dns01Challenge;
import org.shredzone.acme4j.challenge.Http01Challenge;
import org.shredzone.acme4j.challenge.TlsAlpn01Challenge;
import org.shredzone.acme4j.exception.AcmeRateLimitedException;
import org.shredzone.acme4j.exception.AcmeUnauthorizedException;
import org.shredzone.acme4j.util.KeyPairUtils;

/** acme4j where names are proven, by the challenges that it knows. */
@ResourceLock(value = TrialExtension.CHALLENGES, mode = READ)
class Acme4jChallengesIT {

  /** An address that no other class's proofs are at. */
  private static final String MACHINE = "127.0.0.5";

  /** Orders of one account that wait for a proof (PostgresRequestStore.UNPROVEN_OF_ACTOR_MAX). */
  private static final int UNPROVEN_MAX = 100;

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.sharedWithChallenges();

  private static Login registered() throws Exception {
    return new Acme4j(TRIAL.trial()).unbound();
  }

  private static KeyPair key() {
    return AcmeClient.newKey();
  }

  /** An order for a name of this class's own machine. */
  private static Order order(Login login, String name) throws Exception {
    ProofServers.DNS.address(name, MACHINE);
    return login.newOrder().domain(name).create();
  }

  @FunctionalInterface
  private interface Proof<C extends Challenge> {
    Closeable put(C challenge, Identifier identifier) throws IOException;
  }

  /** Proves the one name of an order. */
  private static <C extends Challenge> void prove(Order order, Class<C> type, Proof<C> proof)
      throws Exception {
    assertThat(order.getStatus()).isEqualTo(Status.PENDING);
    Authorization authorization = order.getAuthorizations().getFirst();
    C challenge = authorization.findChallenge(type).orElseThrow();
    try (Closeable _ = proof.put(challenge, authorization.getIdentifier())) {
      challenge.trigger();
      assertThat(challenge.waitForCompletion(LIMIT))
          .as("%s", challenge.getError())
          .isEqualTo(Status.VALID);
    }
    assertThat(challenge.getValidated())
        .hasValueSatisfying(at -> assertThat(at).isBeforeOrEqualTo(Instant.now()));
    assertThat(authorization.waitForCompletion(LIMIT)).isEqualTo(Status.VALID);
    assertThat(order.waitUntilReady(LIMIT)).isEqualTo(Status.READY);
  }

  private static Proof<Http01Challenge> page(String address) {
    return (challenge, name) ->
        ProofServers.proof(address, challenge.getToken(), challenge.getAuthorization());
  }

  private static Proof<TlsAlpn01Challenge> handshake(String address) {
    return (challenge, name) -> {
      // acme4j signs these certificates by RSA, whatever the key.
      KeyPair own = KeyPairUtils.createKeyPair(2048);
      return ProofServers.Alpn.with(
          address, challenge.createCertificate(own, name), own.getPrivate());
    };
  }

  @Test
  void http01_issuesAndAnotherAccountMayNotRevoke() throws Exception {
    Login login = registered();
    Order order = order(login, "http.acme4j.example");
    prove(order, Http01Challenge.class, page(MACHINE));
    Certificate certificate = issued(order, key());

    Login other = registered();
    assertThat(
            refused(
                "unauthorized",
                () -> Certificate.revoke(other, certificate.getCertificate(), null)))
        .isInstanceOf(AcmeUnauthorizedException.class);
    certificate.revoke();
  }

  @Test
  void dns01_wildcard_issues() throws Exception {
    Order order = registered().newOrder().domain("*.dns.acme4j.example").create();
    assertThat(order.getAuthorizations().getFirst().isWildcard()).isTrue();

    prove(
        order,
        Dns01Challenge.class,
        (challenge, name) -> {
          String record = challenge.getRRName(name);
          ProofServers.DNS.text(record.substring(0, record.length() - 1), challenge.getDigest());
          return () -> {};
        });

    assertThat(names(issued(order, key()))).containsExactly("*.dns.acme4j.example");
  }

  @Test
  void tlsAlpn01_issues() throws Exception {
    Order order = order(registered(), "tls.acme4j.example");

    prove(order, TlsAlpn01Challenge.class, handshake(MACHINE));

    assertThat(issued(order, key()).getCertificateChain()).hasSize(2);
  }

  @Test
  void ipAddress_byHttp01AndByTlsAlpn01_issues() throws Exception {
    Login login = registered();
    Order byPage = login.newOrder().identifier(Identifier.ip("127.0.0.6")).create();
    Order byHandshake = login.newOrder().identifier(Identifier.ip("127.0.0.7")).create();

    prove(byPage, Http01Challenge.class, page("127.0.0.6"));
    prove(byHandshake, TlsAlpn01Challenge.class, handshake("127.0.0.7"));

    assertThat(names(issued(byPage, key()))).containsExactly("127.0.0.6");
    assertThat(names(issued(byHandshake, key()))).containsExactly("127.0.0.7");
  }

  @Test
  void http01_wrongProof_problemOfTheChallengeAndOfTheOrder() throws Exception {
    Order order = order(registered(), "wrong.acme4j.example");
    Authorization authorization = order.getAuthorizations().getFirst();
    Http01Challenge challenge = authorization.findChallenge(Http01Challenge.class).orElseThrow();

    try (Closeable _ = ProofServers.proof(MACHINE, challenge.getToken(), "something else")) {
      challenge.trigger();
      assertThat(challenge.waitForCompletion(LIMIT)).isEqualTo(Status.INVALID);
    }

    assertThat(challenge.getError())
        .hasValueSatisfying(
            problem ->
                assertThat(problem.getType())
                    .hasToString("urn:ietf:params:acme:error:incorrectResponse"));
    assertThat(order.waitUntilReady(LIMIT)).isEqualTo(Status.INVALID);
    assertThat(order.getError())
        .hasValueSatisfying(
            problem -> assertThat(problem.toString()).contains("wrong.acme4j.example"));
    refused("orderNotReady", () -> order.execute(key()));
  }

  @Test
  void authorization_deactivated_orderInvalid() throws Exception {
    Order order = order(registered(), "given-up.acme4j.example");
    Authorization authorization = order.getAuthorizations().getFirst();

    authorization.deactivate();

    assertThat(authorization.getStatus()).isEqualTo(Status.DEACTIVATED);
    assertThat(order.waitUntilReady(LIMIT)).isEqualTo(Status.INVALID);
  }

  @Test
  void orders_moreThanMayWait_rateLimitedWithTheTimeToComeBack() throws Exception {
    Login login = registered();
    for (int i = 0; i < UNPROVEN_MAX; i++) {
      Order waiting = login.newOrder().domain("n" + i + ".acme4j.example").create();
      assertThat(waiting.getStatus()).isEqualTo(Status.PENDING);
    }

    assertThat(
            refused("rateLimited", () -> login.newOrder().domain("more.acme4j.example").create()))
        .isInstanceOfSatisfying(
            AcmeRateLimitedException.class,
            limited ->
                assertThat(limited.getRetryAfter())
                    .hasValueSatisfying(
                        at -> assertThat(at).isAfter(Instant.now().minusSeconds(1))));
  }
}
