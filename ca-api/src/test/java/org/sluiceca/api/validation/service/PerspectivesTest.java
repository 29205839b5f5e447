package org.sluiceca.api.validation.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sluiceca.api.validation.service.Attempts.ACCOUNT;
import static org.sluiceca.api.validation.service.Attempts.KEY_AUTHORIZATION;
import static org.sluiceca.api.validation.service.Attempts.NAME;
import static org.sluiceca.api.validation.service.Attempts.NOW;
import static org.sluiceca.api.validation.service.Attempts.SHORT;
import static org.sluiceca.api.validation.service.Attempts.assertFailed;
import static org.sluiceca.api.validation.service.Attempts.assertValid;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.validation.Method;
import org.sluiceca.api.validation.PersistTerms;
import org.sluiceca.api.validation.Perspectives;
import org.sluiceca.api.validation.Perspectives.Perspective;
import org.sluiceca.api.validation.Sha256;
import org.sluiceca.api.validation.Verdict;

/** Proofs that several points of the network must see, with addresses and servers of loopback. */
@Timeout(120)
class PerspectivesTest {

  private static final String TXT_AT = "_acme-challenge." + NAME;
  private static final String TXT =
      Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(Sha256.of(KEY_AUTHORIZATION.getBytes(StandardCharsets.US_ASCII)));
  private static final String SECRET = "secret-of-another-machine";

  private NameServer own;
  private NameServer near;
  private NameServer far;

  @BeforeEach
  void start() throws IOException {
    own = new NameServer().a(NAME, "127.0.0.1").txt(TXT_AT, TXT);
    near = new NameServer().a(NAME, "127.0.0.1").txt(TXT_AT, TXT);
    far = new NameServer().a(NAME, "127.0.0.1").txt(TXT_AT, TXT);
  }

  @AfterEach
  void stop() throws IOException {
    own.close();
    near.close();
    far.close();
  }

  private Attempts attempts() {
    return new Attempts()
        .resolver(own)
        .perspective("near", near, "127.0.0.2")
        .perspective("far", far, "127.0.0.3");
  }

  private static RawServer web(List<InetAddress> clients, String toFar) throws IOException {
    return RawServer.on(
        "127.0.0.1",
        socket -> {
          RawServer.Request.read(socket);
          clients.add(socket.getInetAddress());
          String body = isFar(socket) ? toFar : KEY_AUTHORIZATION;
          RawServer.send(socket, "HTTP/1.1 200 OK", "Content-Length: " + body.length(), "", body);
        });
  }

  private static boolean isFar(Socket socket) {
    return socket.getInetAddress().equals(InetAddress.ofLiteral("127.0.0.3"));
  }

  @Test
  void http01_allSeeIt_validFromEachAddress() throws IOException {
    List<InetAddress> clients = new CopyOnWriteArrayList<>();
    try (RawServer server = web(clients, KEY_AUTHORIZATION)) {
      Verdict verdict = attempts().httpPort(server.port()).validate(Method.HTTP_01, NAME);

      assertValid(verdict);
      assertThat(((Verdict.Valid) verdict).evidence()).contains("also seen by", "near", "far");
    }
    assertThat(clients)
        .extracting(InetAddress::getHostAddress)
        .containsExactlyInAnyOrder("127.0.0.1", "127.0.0.2", "127.0.0.3");
    assertThat(far.askers()).extracting(InetAddress::getHostAddress).containsOnly("127.0.0.3");
  }

  @Test
  void http01_oneSeesAnother_failedByItsNameWithoutTheBody() throws IOException {
    try (RawServer server = web(new CopyOnWriteArrayList<>(), SECRET)) {
      Verdict verdict = attempts().httpPort(server.port()).validate(Method.HTTP_01, NAME);

      assertFailed(verdict, Verdict.Kind.INCORRECT_RESPONSE, "perspective far", "2 must");
      assertThat(((Verdict.Failed) verdict).detail()).doesNotContain(SECRET).doesNotContain("near");
    }
  }

  @Test
  void http01_resolverOfOneIsForged_failed() throws IOException {
    far.clear(NAME);
    far.a(NAME, "169.254.169.254");
    try (RawServer server = web(new CopyOnWriteArrayList<>(), KEY_AUTHORIZATION)) {
      assertFailed(
          attempts().httpPort(server.port()).validate(Method.HTTP_01, NAME),
          Verdict.Kind.CONNECTION,
          "perspective far",
          "169.254.169.254");
    }
  }

  @Test
  void enoughAgree_valid_oneFewer_failed() {
    far.clear(TXT_AT);

    assertValid(attempts().agree(1).validate(Method.DNS_01, NAME));
    assertFailed(
        attempts().agree(2).validate(Method.DNS_01, NAME),
        Verdict.Kind.UNAUTHORIZED,
        "perspective far");
    near.clear(TXT_AT);
    assertFailed(
        attempts().agree(1).validate(Method.DNS_01, NAME),
        Verdict.Kind.UNAUTHORIZED,
        "near",
        "far",
        "0 of 2");
  }

  /** Nothing is sent for a proof that is not there: the CA is no amplifier. */
  @Test
  void ownViewFails_perspectivesAskNothing() {
    own.clear(TXT_AT);

    assertFailed(attempts().validate(Method.DNS_01, NAME), Verdict.Kind.UNAUTHORIZED);

    assertThat(near.questions()).isEmpty();
    assertThat(far.questions()).isEmpty();
  }

  @Test
  void tlsAlpn01_allSeeIt_valid_otherCertificateAtOne_failed() throws IOException {
    try (AcmeTlsServer server =
        AcmeTlsServer.start(AcmeCertificate.of(NAME).build(), "acme-tls/1", _ -> {})) {
      assertValid(attempts().tlsPort(server.port()).validate(Method.TLS_ALPN_01, NAME));
      far.clear(NAME);
      far.a(NAME, "127.0.0.9");
      assertFailed(
          attempts().tlsPort(server.port()).validate(Method.TLS_ALPN_01, NAME),
          Verdict.Kind.CONNECTION,
          "perspective far",
          "127.0.0.9");
    }
  }

  @Test
  void dnsPersist01_theEarliestEndCounts() {
    String at = "_validation-persist." + NAME;
    String record = "ca.example; accounturi=" + ACCOUNT;
    Instant end = NOW.plusSeconds(600);
    own.txt(at, record);
    near.txt(at, record + "; persistUntil=" + end.plusSeconds(1).getEpochSecond());
    far.txt(at, record + "; persistUntil=" + end.getEpochSecond());
    PersistTerms terms = new PersistTerms(List.of("ca.example"), true, false);

    assertValid(attempts().persist(terms).validate(Method.DNS_PERSIST_01, NAME), Optional.of(end));
    far.clear(at);
    assertFailed(
        attempts().persist(terms).validate(Method.DNS_PERSIST_01, NAME),
        Verdict.Kind.UNAUTHORIZED,
        "perspective far");
  }

  /** It is waited for to the deadline where it is needed, and not at all where it is not. */
  @Test
  void resolverOfOneHangs_failedByItsName_orValidWithoutIt() {
    far.reply((query, isTcp) -> null);

    assertFailed(
        attempts().deadline(SHORT).validate(Method.DNS_01, NAME),
        Verdict.Kind.DNS,
        "perspective far",
        "no answer in time");
    assertValid(attempts().agree(1).validate(Method.DNS_01, NAME));
  }

  @Test
  void sourceAddressIsGone_failedAsAFaultOfThisCa() throws IOException {
    try (RawServer server = web(new CopyOnWriteArrayList<>(), KEY_AUTHORIZATION)) {
      Verdict verdict =
          new Attempts()
              .resolver(own)
              .perspective("gone", near, "192.0.2.1")
              .deadline(SHORT)
              .httpPort(server.port())
              .validate(Method.HTTP_01, "127.0.0.1");

      assertFailed(
          verdict, Verdict.Kind.SERVER_INTERNAL, "perspective gone", "source-address 192.0.2.1");
    }
  }

  /** The library for DNS does not say that it could not bind. */
  @Test
  void sourceAddressIsGone_dnsName_noFaultOfTheResolver() {
    Verdict verdict =
        new Attempts()
            .resolver(own)
            .perspective("gone", near, "192.0.2.1")
            .deadline(SHORT)
            .validate(Method.DNS_01, NAME);

    assertFailed(
        verdict, Verdict.Kind.SERVER_INTERNAL, "perspective gone", "source-address 192.0.2.1");
    assertThat(near.questions()).isEmpty();
  }

  @Test
  void nameWithoutAnAddressOfTheSourcesVersion_failedByItsName() throws IOException {
    far.clear(NAME);
    far.aaaa(NAME, "::1");
    try (RawServer server = web(new CopyOnWriteArrayList<>(), KEY_AUTHORIZATION)) {
      assertFailed(
          attempts().httpPort(server.port()).validate(Method.HTTP_01, NAME),
          Verdict.Kind.CONNECTION,
          "perspective far",
          "IP version");
    }
  }

  /** Whatever an attempt does, the loop's slot is free after the deadline. */
  @Test
  void attemptNeverEndsOrThrows_disagrees() {
    CountDownLatch never = new CountDownLatch(1);
    UnexpectedFaults faults =
        new UnexpectedFaults(
            LoggerFactory.getLogger(PerspectivesTest.class), InstantSource.system());
    Perspectives two =
        new Perspectives(
            List.of(
                new Perspective("throws", List.of(near.address()), Optional.empty()),
                new Perspective("hangs", List.of(far.address()), Optional.empty())),
            1);

    Verdict verdict =
        new Agreement(two, Duration.ofSeconds(1), faults)
            .reach(
                new Verdict.Valid("seen", Optional.empty()),
                one -> {
                  if (one.name().equals("throws")) {
                    throw new IllegalStateException(SECRET);
                  }
                  while (true) {
                    try {
                      never.await();
                      return Verdict.unexpected();
                    } catch (InterruptedException _) {
                      // A hang that no interrupt ends.
                    }
                  }
                });

    never.countDown();
    assertFailed(verdict, Verdict.Kind.SERVER_INTERNAL, "throws, hangs", "0 of 2");
    assertThat(faults.count()).isOne();
  }
}
