package org.sluiceca.api.validation.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sluiceca.api.validation.service.Attempts.KEY_AUTHORIZATION;
import static org.sluiceca.api.validation.service.Attempts.NAME;
import static org.sluiceca.api.validation.service.Attempts.SHORT;
import static org.sluiceca.api.validation.service.Attempts.TOKEN;
import static org.sluiceca.api.validation.service.Attempts.assertFailed;
import static org.sluiceca.api.validation.service.Attempts.assertValid;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.api.validation.AddressPolicy;
import org.sluiceca.api.validation.Method;
import org.sluiceca.api.validation.Verdict;

/** http-01 against servers of the test. */
class Http01Test {

  private static final String PATH = "/.well-known/acme-challenge/" + TOKEN;
  private static final String SECRET = "secret-of-another-machine";

  private final List<RawServer> servers = new CopyOnWriteArrayList<>();
  private final List<RawServer.Request> requests = new CopyOnWriteArrayList<>();
  private NameServer dns;

  @BeforeEach
  void start() throws IOException {
    dns = new NameServer().a(NAME, "127.0.0.1");
  }

  @AfterEach
  void stop() throws IOException {
    dns.close();
    for (RawServer server : servers) {
      server.close();
    }
  }

  private int serve(RawServer.Conversation conversation) throws IOException {
    return serveOn("127.0.0.1", conversation);
  }

  private int serveOn(String address, RawServer.Conversation conversation) throws IOException {
    RawServer server =
        RawServer.on(
            address,
            socket -> {
              requests.add(RawServer.Request.read(socket));
              conversation.with(socket);
            });
    servers.add(server);
    return server.port();
  }

  private static RawServer.Conversation ok(String body) {
    return socket ->
        RawServer.send(socket, "HTTP/1.1 200 OK", "Content-Length: " + body.length(), "", body);
  }

  private static void redirect(Socket socket, int status, String location) throws IOException {
    RawServer.send(
        socket,
        "HTTP/1.1 " + status + " Found",
        "Location: " + location,
        "Content-Length: 0",
        "",
        "");
  }

  private Attempts attempts(int port) {
    return new Attempts().resolver(dns).httpPort(port);
  }

  private Verdict validate(int port) {
    return attempts(port).validate(Method.HTTP_01, NAME);
  }

  @Test
  void right_valid() throws IOException {
    int port = serve(ok(KEY_AUTHORIZATION));

    assertValid(validate(port));
    assertThat(requests).hasSize(1);
    assertThat(requests.getFirst().line()).isEqualTo("GET " + PATH + " HTTP/1.1");
    assertThat(requests.getFirst().fields())
        .containsEntry("host", NAME + ":" + port)
        .doesNotContainKeys("upgrade", "cookie", "accept-encoding", "authorization");
    assertThat(dns.questions()).containsExactlyInAnyOrder("A " + NAME, "AAAA " + NAME);
  }

  @Test
  void right_withWhiteSpaceAtTheEnd_valid() throws IOException {
    assertValid(validate(serve(ok(KEY_AUTHORIZATION + " \t\r\n\n"))));
  }

  @Test
  void right_inChunksOrUntilTheEndOfTheConnection_valid() throws IOException {
    int chunks =
        serve(
            socket ->
                RawServer.send(
                    socket,
                    "HTTP/1.1 200 OK",
                    "Transfer-Encoding: chunked",
                    "",
                    Integer.toHexString(KEY_AUTHORIZATION.length()),
                    KEY_AUTHORIZATION,
                    "0",
                    "",
                    ""));
    int end =
        serve(
            socket ->
                RawServer.send(
                    socket, "HTTP/1.0 200 OK", "Content-Encoding: gzip", "", KEY_AUTHORIZATION));

    assertValid(validate(chunks));
    assertValid(validate(end));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        TOKEN,
        TOKEN + ".other",
        " " + KEY_AUTHORIZATION,
        KEY_AUTHORIZATION + "x",
        KEY_AUTHORIZATION + "\n" + KEY_AUTHORIZATION,
        SECRET
      })
  void wrongBody_incorrectResponse(String body) throws IOException {
    Verdict verdict = validate(serve(ok(body)));

    assertFailed(verdict, Verdict.Kind.INCORRECT_RESPONSE, "127.0.0.1 port ");
    assertThat(verdict.toString()).doesNotContain(SECRET);
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 206, 300, 304, 305, 400, 404, 500, 599})
  void otherStatus_unauthorized(int status) throws IOException {
    int port =
        serve(
            socket ->
                RawServer.send(
                    socket,
                    "HTTP/1.1 " + status + " " + SECRET,
                    "Location: /elsewhere",
                    "Content-Length: " + KEY_AUTHORIZATION.length(),
                    "",
                    KEY_AUTHORIZATION));

    Verdict verdict = validate(port);

    assertFailed(verdict, Verdict.Kind.UNAUTHORIZED, "" + status);
    assertThat(verdict.toString()).doesNotContain(SECRET);
    assertThat(requests).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void redirect_toAnotherName_lookedUpAndFollowed(int status) throws IOException {
    dns.a("other.example.net", "127.0.0.1");
    AtomicInteger port = new AtomicInteger();
    port.set(
        serve(
            socket -> {
              if (requests.size() == 1) {
                redirect(socket, status, "http://other.example.net:" + port + "/x?y=z");
              } else {
                ok(KEY_AUTHORIZATION).with(socket);
              }
            }));

    assertValid(validate(port.get()));
    assertThat(requests.getLast().line()).isEqualTo("GET /x?y=z HTTP/1.1");
    assertThat(requests.getLast().fields())
        .containsEntry("host", "other.example.net:" + port.get());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://" + NAME + ":81/",
        "https://" + NAME + ":8443/",
        "http://user@" + NAME + "/",
        "ftp://" + NAME + "/",
        "file:///etc/passwd"
      })
  void redirect_elsewhere_unauthorizedWithoutRequest(String location) throws IOException {
    Verdict verdict = validate(serve(socket -> redirect(socket, 302, location)));

    assertFailed(verdict, Verdict.Kind.UNAUTHORIZED, "redirect 1 of " + NAME);
    assertThat(requests).hasSize(1);
  }

  @Test
  void redirect_withoutLocation_unauthorized() throws IOException {
    int port = serve(s -> RawServer.send(s, "HTTP/1.1 302 Found", "Content-Length: 0", "", ""));

    assertFailed(validate(port), Verdict.Kind.UNAUTHORIZED, "redirect 1 of ");
  }

  /** By address, by name, and by a name that a resolver of the client's choice gives. */
  @ParameterizedTest
  @CsvSource({
    "169.254.169.254",
    "[fd00:ec2::254]",
    "[::ffff:7f00:1]",
    "[fe80::1]",
    "0.0.0.0",
    "metadata.example.net",
    "mapped.example.net"
  })
  void redirect_toRefusedAddress_connectionAndNoWordOfIt(String host) throws IOException {
    dns.a("metadata.example.net", "169.254.169.254");
    dns.aaaa("mapped.example.net", "64:ff9b::a9fe:a9fe");
    AtomicInteger port = new AtomicInteger();
    port.set(serve(socket -> redirect(socket, 302, "http://" + host + ":" + port + "/")));

    Verdict verdict = validate(port.get());

    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.Failed.class,
            failed -> assertThat(failed.detail()).startsWith("redirect 1 ").doesNotContain(host));
    assertThat(requests).hasSize(1);
  }

  @Test
  void redirectLoop_unauthorizedAfterTen() throws IOException {
    int port = serve(socket -> redirect(socket, 302, PATH));

    assertFailed(validate(port), Verdict.Kind.UNAUTHORIZED, "more than 10");
    assertThat(requests).hasSize(11);
  }

  @Test
  void redirects_ten_valid() throws IOException {
    int port =
        serve(
            socket -> {
              if (requests.size() <= 10) {
                redirect(socket, 302, "/" + requests.size());
              } else {
                ok(KEY_AUTHORIZATION).with(socket);
              }
            });

    assertValid(validate(port));
  }

  @Test
  void redirectToHttps_certificateNotVerified_valid() throws IOException {
    AtomicInteger tlsPort = new AtomicInteger();
    try (AcmeTlsServer tls =
        AcmeTlsServer.start(
            AcmeCertificate.of("other.example.net").build(),
            null,
            socket -> {
              requests.add(RawServer.Request.read(socket));
              ok(KEY_AUTHORIZATION).with(socket);
            })) {
      tlsPort.set(tls.port());
      int port = serve(s -> redirect(s, 301, "https://" + NAME + ":" + tlsPort + "/x"));

      assertValid(attempts(port).tlsPort(tlsPort.get()).validate(Method.HTTP_01, NAME));
      assertThat(tls.serverNames()).containsExactly(NAME);
      assertThat(requests).hasSize(2);
    }
  }

  @Test
  void drippingBody_endsAtTheDeadline() throws IOException {
    int port =
        serve(
            socket -> {
              RawServer.send(socket, "HTTP/1.1 200 OK", "Content-Length: 60000", "", "");
              drip(socket);
            });

    assertEndsAtTheDeadline(port);
  }

  @Test
  void drippingHeaders_endAtTheDeadline() throws IOException {
    assertEndsAtTheDeadline(
        serve(
            socket -> {
              RawServer.send(socket, "HTTP/1.1 200 OK", "X: ");
              drip(socket);
            }));
  }

  @Test
  void endlessInterimAnswers_endAtTheDeadline() throws IOException {
    assertEndsAtTheDeadline(
        serve(
            socket -> {
              while (true) {
                RawServer.send(socket, "HTTP/1.1 103 Early Hints", "", "");
              }
            }));
  }

  @Test
  void silence_endsAtTheDeadline() throws IOException {
    assertEndsAtTheDeadline(serve(socket -> socket.getInputStream().read()));
  }

  /** For a minute at least, so that a validator without a limit fails instead of hanging. */
  private static void drip(Socket socket) throws IOException {
    socket.setSoTimeout(100);
    for (int i = 0; i < 600; i++) {
      RawServer.send(socket, "x");
      try {
        socket.getInputStream().read(); // Waits; the validator sends no more.
      } catch (SocketTimeoutException _) {
        // The next octet is due.
      }
    }
  }

  private void assertEndsAtTheDeadline(int port) {
    long start = System.nanoTime();
    Verdict verdict = attempts(port).deadline(SHORT).validate(Method.HTTP_01, NAME);

    assertFailed(verdict, Verdict.Kind.CONNECTION, "within 2 s");
    assertThat(System.nanoTime() - start).isBetween(1_900_000_000L, 30_000_000_000L);
  }

  @Test
  void hugeBody_incorrectResponseWithoutReadingItAll() throws IOException {
    int port =
        serve(
            socket -> {
              RawServer.send(socket, "HTTP/1.1 200 OK", "Content-Length: 10000000000", "", "");
              String block = " ".repeat(100_000);
              RawServer.send(socket, KEY_AUTHORIZATION);
              while (true) {
                RawServer.send(socket, block);
              }
            });

    assertFailed(validate(port), Verdict.Kind.INCORRECT_RESPONSE, "more than 65536 octets");
  }

  @Test
  void bodyAsLongAsIsRead_valid() throws IOException {
    int spaces = 65_536 - KEY_AUTHORIZATION.length();

    assertValid(validate(serve(ok(KEY_AUTHORIZATION + " ".repeat(spaces)))));
    assertFailed(
        validate(serve(ok(KEY_AUTHORIZATION + " ".repeat(spaces + 1)))),
        Verdict.Kind.INCORRECT_RESPONSE);
  }

  @Test
  void hugeHeaders_connection() throws IOException {
    int longLine =
        serve(s -> RawServer.send(s, "HTTP/1.1 200 OK", "X: " + "x".repeat(9_000), "", ""));
    int many =
        serve(
            s -> {
              RawServer.send(s, "HTTP/1.1 200 OK", "");
              while (true) {
                RawServer.send(s, "X: x", "");
              }
            });

    assertFailed(validate(longLine), Verdict.Kind.CONNECTION, "HTTP/1.1");
    assertFailed(validate(many), Verdict.Kind.CONNECTION, "HTTP/1.1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "SSH-2.0-OpenSSH_9.6\r\n",
        "HTTP/1.1 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: TLS/1.2\r\n\r\n"
      })
  void noHttp_failed(String answer) throws IOException {
    Verdict verdict = validate(serve(socket -> RawServer.send(socket, answer)));

    assertThat(verdict).isInstanceOf(Verdict.Failed.class);
    assertThat(verdict.toString()).doesNotContain("SSH");
  }

  @Test
  void nothingListens_connection() {
    assertFailed(
        validate(Attempts.UNUSED_PORT),
        Verdict.Kind.CONNECTION,
        "127.0.0.1 port " + Attempts.UNUSED_PORT,
        "refused");
  }

  @Test
  void version6First_thenVersion4() throws IOException {
    dns.aaaa(NAME, "::1");
    int port = serve(ok(KEY_AUTHORIZATION));

    assertValid(validate(port));
  }

  @Test
  void twoOfOneVersion_secondTried() throws IOException {
    dns.clear(NAME);
    dns.a(NAME, "127.0.0.2").a(NAME, "127.0.0.1");
    int port = serve(ok(KEY_AUTHORIZATION));

    assertValid(validate(port));
    dns.clear(NAME);
    dns.a(NAME, "127.0.0.2").a(NAME, "127.0.0.3").a(NAME, "127.0.0.1");
    assertFailed(validate(port), Verdict.Kind.CONNECTION, "127.0.0.3");
  }

  @Test
  void refusedAddress_noConnection() throws IOException {
    int port = serve(ok(KEY_AUTHORIZATION));
    AddressPolicy policy = AddressPolicy.of(AddressPolicy.Scope.PRIVATE);

    Verdict verdict = attempts(port).addresses(policy).validate(Method.HTTP_01, NAME);

    assertFailed(verdict, Verdict.Kind.CONNECTION, "127.0.0.1", "loopback");
    assertThat(requests).isEmpty();
  }

  /** An AAAA record may bear IPv4-mapped octets, of which Java makes an IPv4 address. */
  @Test
  void mappedAddress_noConnection() throws IOException {
    int port = serve(ok(KEY_AUTHORIZATION));
    dns.clear(NAME);
    dns.aaaa(NAME, HexFormat.of().parseHex("00000000000000000000ffff7f000001"));
    AddressPolicy policy = AddressPolicy.of(AddressPolicy.Scope.PRIVATE);

    Verdict verdict = attempts(port).addresses(policy).validate(Method.HTTP_01, NAME);

    assertFailed(verdict, Verdict.Kind.CONNECTION, "does not connect");
    assertThat(requests).isEmpty();
  }

  @Test
  void firstResolverSilent_waitedForOnce() throws IOException {
    int port = serve(ok(KEY_AUTHORIZATION));
    try (NameServer silent = new NameServer()) {
      silent.reply((query, isTcp) -> null);

      assertValid(
          new Attempts()
              .resolver(silent)
              .resolver(dns)
              .httpPort(port)
              .validate(Method.HTTP_01, NAME));
      assertThat(silent.questions()).containsExactly("A " + NAME);
    }
  }

  /** The name has another address at the second look-up: there is none of the same hop. */
  @Test
  void rebinding_oneLookUpAHop_andTheSecondHopIsRefused() throws IOException {
    AtomicInteger lookUps = new AtomicInteger();
    NameServer later = dns;
    dns.reply(
        (query, isTcp) -> {
          if (query.getQuestion().getType() == 1 && lookUps.incrementAndGet() == 2) {
            later.clear(NAME);
            later.a(NAME, "169.254.169.254");
          }
          return later.fromZone(query, isTcp);
        });
    int port = serve(socket -> redirect(socket, 302, "/again"));

    Verdict verdict = validate(port);

    assertFailed(verdict, Verdict.Kind.CONNECTION, "redirect 1");
    assertThat(lookUps).hasValue(2);
    assertThat(requests).hasSize(1);
  }

  @Test
  void unknownName_dns() throws IOException {
    assertFailed(
        attempts(serve(ok(KEY_AUTHORIZATION))).validate(Method.HTTP_01, "none.example.org"),
        Verdict.Kind.DNS,
        "none.example.org",
        "NXDOMAIN");
  }

  @Test
  void twoResolvers_addressesOnWhichBothAgreeAlone() throws IOException {
    int port = serve(ok(KEY_AUTHORIZATION));
    try (NameServer other = new NameServer().a(NAME, "127.0.0.9")) {
      Attempts attempts = attempts(port).resolver(other).allMustAgree();

      assertFailed(attempts.validate(Method.HTTP_01, NAME), Verdict.Kind.DNS, "agree");
      other.a(NAME, "127.0.0.1");
      assertValid(attempts.validate(Method.HTTP_01, NAME));
    }
  }

  @Test
  void addressAsIdentifier_noLookUp() throws IOException {
    int port = serve(ok(KEY_AUTHORIZATION));

    assertValid(attempts(port).validate(Method.HTTP_01, "127.0.0.1"));
    assertThat(requests.getFirst().fields()).containsEntry("host", "127.0.0.1:" + port);
    assertThat(dns.questions()).isEmpty();
    assertFailed(
        attempts(port).validate(Method.HTTP_01, "169.254.169.254"),
        Verdict.Kind.CONNECTION,
        "169.254.169.254");
  }
}
