package org.sluiceca.api.validation.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sluiceca.api.validation.service.Attempts.NAME;
import static org.sluiceca.api.validation.service.Attempts.SHORT;
import static org.sluiceca.api.validation.service.Attempts.assertFailed;
import static org.sluiceca.api.validation.service.Attempts.assertValid;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.api.validation.AddressPolicy;
import org.sluiceca.api.validation.Method;
import org.sluiceca.api.validation.Sha256;
import org.sluiceca.api.validation.Verdict;

/** tls-alpn-01 against TLS servers of the test. */
class TlsAlpn01Test {

  private static final String PROTOCOL = "acme-tls/1";

  private NameServer dns;

  @BeforeEach
  void start() throws IOException {
    dns = new NameServer().a(NAME, "127.0.0.1");
  }

  @AfterEach
  void stop() throws IOException {
    dns.close();
  }

  private Attempts attempts(int port) {
    return new Attempts().resolver(dns).tlsPort(port);
  }

  private Verdict validate(AcmeCertificate certificate) throws IOException {
    return validate(certificate, PROTOCOL, NAME);
  }

  private Verdict validate(AcmeCertificate certificate, @Nullable String protocol, String name)
      throws IOException {
    try (AcmeTlsServer server = AcmeTlsServer.start(certificate.build(), protocol, _ -> {})) {
      return attempts(server.port()).validate(Method.TLS_ALPN_01, name);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void right_valid(String version) throws IOException {
    try (AcmeTlsServer server =
        AcmeTlsServer.start(
            AcmeCertificate.of(NAME).build(), PROTOCOL, List.of(version), s -> readToEnd(s))) {
      assertValid(attempts(server.port()).validate(Method.TLS_ALPN_01, NAME));
    }
  }

  private static void readToEnd(Socket socket) throws IOException {
    socket.getInputStream().readAllBytes();
  }

  @Test
  void right_nameInOtherCase_valid() throws IOException {
    assertValid(validate(AcmeCertificate.of(NAME.toUpperCase(Locale.ROOT))));
  }

  /** Lengths in DER of one, two and three octets: 253 characters are the longest name. */
  @Test
  void right_longNames_valid() throws IOException {
    String label = "a".repeat(61) + ".";
    for (String name :
        List.of(
            label + "example.org",
            label.repeat(2) + "example.org",
            label.repeat(3) + "b".repeat(55) + ".example.org")) {
      dns.a(name, "127.0.0.1");
      assertValid(validate(AcmeCertificate.of(name), PROTOCOL, name));
    }
  }

  @Test
  void address_right_validWithReverseNameAsSni() throws IOException {
    try (AcmeTlsServer server =
        AcmeTlsServer.start(
            AcmeCertificate.of().address("127.0.0.1").build(),
            PROTOCOL,
            TlsAlpn01Test::readToEnd)) {
      assertValid(attempts(server.port()).validate(Method.TLS_ALPN_01, "127.0.0.1"));
      assertThat(server.serverNames()).containsExactly("1.0.0.127.in-addr.arpa");
    }
    assertThat(dns.questions()).isEmpty();
  }

  @Test
  void address_otherOrAsName_incorrectResponse() throws IOException {
    assertFailed(
        validate(AcmeCertificate.of().address("127.0.0.2"), PROTOCOL, "127.0.0.1"),
        Verdict.Kind.INCORRECT_RESPONSE,
        "subjectAltName");
    assertFailed(
        validate(AcmeCertificate.of("127.0.0.1"), PROTOCOL, "127.0.0.1"),
        Verdict.Kind.INCORRECT_RESPONSE,
        "subjectAltName");
  }

  @Test
  void otherNames_incorrectResponse() throws IOException {
    for (AcmeCertificate certificate :
        List.of(
            AcmeCertificate.of(NAME, "other.example.org"),
            AcmeCertificate.of(NAME, NAME),
            AcmeCertificate.of("other.example.org"),
            AcmeCertificate.of("*.example.org"),
            AcmeCertificate.of(NAME).address("127.0.0.1"),
            AcmeCertificate.of().mail(NAME),
            AcmeCertificate.of())) {
      assertFailed(
          validate(certificate),
          Verdict.Kind.INCORRECT_RESPONSE,
          "subjectAltName is not " + NAME + " alone");
    }
  }

  @Test
  void identifierOfAnotherKeyAuthorization_incorrectResponse() throws IOException {
    byte[] digest = Sha256.of(Attempts.KEY_AUTHORIZATION.getBytes(StandardCharsets.US_ASCII));
    byte[] longer = Arrays.copyOf(AcmeCertificate.derOf(digest), 35);
    for (AcmeCertificate certificate :
        List.of(
            AcmeCertificate.of(NAME).keyAuthorization(Attempts.TOKEN + ".other"),
            AcmeCertificate.of(NAME).identifier(digest),
            AcmeCertificate.of(NAME).identifier(longer),
            AcmeCertificate.of(NAME).identifier(AcmeCertificate.derOf(new byte[0])))) {
      assertFailed(validate(certificate), Verdict.Kind.INCORRECT_RESPONSE, "acmeIdentifier");
    }
  }

  @Test
  void identifierMissingOrNotCritical_incorrectResponse() throws IOException {
    assertFailed(
        validate(AcmeCertificate.of(NAME).withoutIdentifier()),
        Verdict.Kind.INCORRECT_RESPONSE,
        "no extension acmeIdentifier");
    assertFailed(
        validate(AcmeCertificate.of(NAME).notCritical()),
        Verdict.Kind.INCORRECT_RESPONSE,
        "not critical");
  }

  @Test
  void notSelfSigned_incorrectResponse() throws IOException {
    assertFailed(
        validate(AcmeCertificate.of(NAME).signedByAnotherKey()),
        Verdict.Kind.INCORRECT_RESPONSE,
        "self-signed");
    assertFailed(
        validate(AcmeCertificate.of(NAME).issuer("CN=other")),
        Verdict.Kind.INCORRECT_RESPONSE,
        "self-signed");
  }

  @Test
  void alpnIgnored_tls() throws IOException {
    assertFailed(
        validate(AcmeCertificate.of(NAME), null, NAME), Verdict.Kind.TLS, "ALPN acme-tls/1");
    assertFailed(validate(AcmeCertificate.of(NAME), "", NAME), Verdict.Kind.TLS, "ALPN acme-tls/1");
  }

  @Test
  void alpnOther_tls() throws IOException {
    assertFailed(validate(AcmeCertificate.of(NAME), "h2", NAME), Verdict.Kind.TLS, "ALPN");
  }

  @Test
  void noTls_tls() throws IOException {
    try (RawServer server =
        RawServer.on("127.0.0.1", socket -> RawServer.send(socket, "HTTP/1.1 400 Bad", "", ""))) {
      assertFailed(
          attempts(server.port()).validate(Method.TLS_ALPN_01, NAME),
          Verdict.Kind.TLS,
          "127.0.0.1 port " + server.port());
    }
  }

  @Test
  void silence_tlsAtTheDeadline() throws IOException {
    try (RawServer server = RawServer.on("127.0.0.1", TlsAlpn01Test::readToEnd)) {
      long start = System.nanoTime();
      Verdict verdict = attempts(server.port()).deadline(SHORT).validate(Method.TLS_ALPN_01, NAME);

      assertFailed(verdict, Verdict.Kind.TLS, "within 2 s");
      assertThat(System.nanoTime() - start).isBetween(1_900_000_000L, 30_000_000_000L);
    }
  }

  /** One record of TLS that never ends: each octet would begin the socket's own limit again. */
  @Test
  void drippingHandshake_tlsAtTheDeadline() throws IOException {
    try (RawServer server =
        RawServer.on(
            "127.0.0.1",
            socket -> {
              socket.setSoTimeout(100);
              socket.getOutputStream().write(new byte[] {22, 3, 3, 0x3F, 0});
              for (int i = 0; i < 600; i++) {
                socket.getOutputStream().write(2);
                socket.getOutputStream().flush();
                try {
                  readToEnd(socket);
                } catch (SocketTimeoutException _) {
                  // The next octet is due.
                }
              }
            })) {
      long start = System.nanoTime();
      Verdict verdict = attempts(server.port()).deadline(SHORT).validate(Method.TLS_ALPN_01, NAME);

      assertFailed(verdict, Verdict.Kind.TLS, "within 2 s");
      assertThat(System.nanoTime() - start).isBetween(1_900_000_000L, 30_000_000_000L);
    }
  }

  @Test
  void nothingListens_connection() {
    assertFailed(
        attempts(Attempts.UNUSED_PORT).validate(Method.TLS_ALPN_01, NAME),
        Verdict.Kind.CONNECTION,
        "refused");
  }

  @Test
  void refusedAddress_connection() throws IOException {
    try (AcmeTlsServer server =
        AcmeTlsServer.start(AcmeCertificate.of(NAME).build(), PROTOCOL, _ -> {})) {
      Attempts attempts =
          attempts(server.port()).addresses(AddressPolicy.of(AddressPolicy.Scope.PRIVATE));

      assertFailed(
          attempts.validate(Method.TLS_ALPN_01, NAME), Verdict.Kind.CONNECTION, "loopback");
      assertThat(server.serverNames()).isEmpty();
    }
  }

  @Test
  void version6First_thenVersion4() throws IOException {
    dns.aaaa(NAME, "::1");

    assertValid(validate(AcmeCertificate.of(NAME)));
  }

  /** A session of an earlier attempt would bring its certificate along. */
  @Test
  void eachAttempt_shakesHandsInFull() throws IOException {
    try (AcmeTlsServer server =
        AcmeTlsServer.start(
            AcmeCertificate.of(NAME).build(),
            PROTOCOL,
            List.of("TLSv1.2"),
            TlsAlpn01Test::readToEnd)) {
      assertValid(attempts(server.port()).validate(Method.TLS_ALPN_01, NAME));
      assertValid(attempts(server.port()).validate(Method.TLS_ALPN_01, NAME));

      assertThat(server.sessions()).hasSize(2).doesNotHaveDuplicates();
    }
  }
}
