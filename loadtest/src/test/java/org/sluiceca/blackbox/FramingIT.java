package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** How answers are framed: each with its length in one TLS record, but for streams. */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class FramingIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  /** An answer takes milliseconds, and whatever a busy machine adds. */
  private static final int LIMIT_MILLIS = 30_000;

  private static final Duration LIMIT = Duration.ofMillis(LIMIT_MILLIS);

  /** RFC 8446 5.1: a record has at most 2^14 octets. */
  private static final int RECORD_BYTES_MAX = 1 << 14;

  private static final String PKCS10 = "Content-Type: application/pkcs10";

  /** What one record carried. */
  private static RawHttp.Reply firstRecordAfter(Socket socket, String head, byte[] body)
      throws IOException {
    String token = TRIAL.trial().read("enroll.token").strip();
    String request =
        head + "\r\nHost: a\r\nAuthorization: Bearer " + token + "\r\nContent-Length: ";
    socket
        .getOutputStream()
        .write((request + body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().write(body);
    byte[] record = new byte[RECORD_BYTES_MAX];
    // A read gives what one record has, never of two.
    int length = socket.getInputStream().read(record);
    return new RawHttp.Reply(new String(record, 0, length, StandardCharsets.ISO_8859_1), false);
  }

  private static Socket open() throws IOException {
    Trial trial = TRIAL.trial();
    Socket socket = RawHttp.open(trial.https(0), trial.data().resolve("root.pem"));
    socket.setSoTimeout(LIMIT_MILLIS);
    return socket;
  }

  private static Csr csr() {
    return Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, "framing.example.com");
  }

  private static void isWhole(RawHttp.Reply reply, int status) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(status);
    assertThat(reply.header("Transfer-Encoding")).as(reply.text()).isEmpty();
    String body = reply.text().substring(reply.text().indexOf("\r\n\r\n") + 4);
    assertThat(reply.header("Content-Length")).as(reply.text()).isEqualTo("" + body.length());
    assertThat(body).isNotEmpty();
  }

  @Test
  void certificate_anyForm_oneRecordWithItsLength() throws IOException {
    try (Socket socket = open()) {
      for (String form :
          List.of(
              "application/json", "application/pem-certificate-chain", "application/pkix-cert")) {
        String head =
            "POST /v1/certificates?profile=tls-server HTTP/1.1\r\n" + PKCS10 + "\r\nAccept: ";

        isWhole(firstRecordAfter(socket, head + form, csr().der()), 201);
      }
    }
  }

  @Test
  void certificate_requestInJson_oneRecordWithItsLength() throws IOException {
    String json = Answer.json(Map.of("profile", "tls-server", "csr", csr().pemText()));
    try (Socket socket = open()) {
      String head = "POST /v1/certificates HTTP/1.1\r\nContent-Type: application/json";

      isWhole(firstRecordAfter(socket, head, json.getBytes(StandardCharsets.US_ASCII)), 201);
    }
  }

  @Test
  void otherAnswers_oneRecordWithItsLength() throws IOException {
    try (Socket socket = open()) {
      isWhole(firstRecordAfter(socket, "GET /v1/profiles HTTP/1.1", new byte[0]), 200);
      // Not a malformed request: the connection ends after 400.
      isWhole(firstRecordAfter(socket, "GET /v1/nothing HTTP/1.1", new byte[0]), 404);
      isWhole(
          firstRecordAfter(
              socket,
              "POST /v1/certificates?profile=tls-server HTTP/1.1\r\n"
                  + PKCS10
                  + "\r\nPrefer: respond-async",
              csr().der()),
          202);
    }
  }

  @Test
  void head_theLengthThatGetHas() throws IOException {
    try (Socket socket = open()) {
      RawHttp.Reply get = firstRecordAfter(socket, "GET /v1/profiles HTTP/1.1", new byte[0]);
      RawHttp.Reply head = firstRecordAfter(socket, "HEAD /v1/profiles HTTP/1.1", new byte[0]);

      assertThat(head.status()).as(head.text()).isEqualTo(200);
      assertThat(head.text()).endsWith("\r\n\r\n");
      assertThat(head.header("Content-Length")).isEqualTo(get.header("Content-Length"));
    }
  }

  /** Without a version there is no head in which anything could be said. */
  @Test
  void requestWithoutVersion_closedUnanswered() {
    Trial trial = TRIAL.trial();
    for (String line :
        List.of("GET /issuers/issuing.cer\r\n", "GET /v1/profiles\r\n\r\n", "GET /ocspX\r\n")) {
      for (RawHttp.Reply reply :
          List.of(
              RawHttp.send(trial.plain(0), null, line, LIMIT),
              RawHttp.send(trial.https(0), trial.data().resolve("root.pem"), line, LIMIT))) {
        assertThat(reply.text()).as(line).isEmpty();
        assertThat(reply.isClosed()).as(line).isTrue();
      }
    }
  }

  /** Of a route that needs no body: the answer leaves, and the connection ends. */
  @Test
  void get_bodyAnnouncedThatNeverComes_answeredAndClosed() {
    Trial trial = TRIAL.trial();
    for (String path :
        List.of("/ocsp/MAA=", "/issuers/issuing.cer", "/crl/issuing.crl", "/nothing/here")) {
      String request = "GET " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n";
      for (RawHttp.Reply reply :
          List.of(
              RawHttp.send(trial.plain(0), null, request, LIMIT),
              RawHttp.send(trial.https(0), trial.data().resolve("root.pem"), request, LIMIT))) {
        assertThat(reply.status()).as(path + reply.text()).isIn(200, 400, 401, 404, 408);
        assertThat(reply.isClosed()).as(path).isTrue();
        assertThat(reply.text()).as(path).containsOnlyOnce("HTTP/1.1 ");
      }
    }
  }

  /** Before the rest of a body that was not asked for, which is read for 10 s. */
  @Test
  void certificate_restOfBodyUnread_leavesAtOnce() throws IOException {
    Trial trial = TRIAL.trial();
    String path = trial.enroller().enroll("tls-server", csr().der()).is(201).header("Location");
    try (Socket socket = open()) {
      String token = trial.read("enroll.token").strip();
      String head = "GET " + path + " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + token;
      socket
          .getOutputStream()
          .write((head + "\r\nContent-Length: 4\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      byte[] record = new byte[RECORD_BYTES_MAX];

      int length = socket.getInputStream().read(record);

      assertThat(new String(record, 0, length, StandardCharsets.ISO_8859_1))
          .startsWith("HTTP/1.1 200 ")
          .containsIgnoringCase("Transfer-Encoding: chunked");
    }
  }

  @Test
  void batch_streamOfLines_inChunks() throws IOException {
    String line = Answer.json(Map.of("id", "a", "profile", "tls-server", "csr", csr().pemText()));
    try (Socket socket = open()) {
      String head = "POST /v1/certificates:batch HTTP/1.1\r\nContent-Type: application/x-ndjson";

      RawHttp.Reply reply =
          firstRecordAfter(socket, head, (line + "\n").getBytes(StandardCharsets.US_ASCII));

      assertThat(reply.status()).as(reply.text()).isEqualTo(200);
      assertThat(reply.header("Transfer-Encoding")).isEqualTo("chunked");
      assertThat(reply.header("Content-Length")).isEmpty();
    }
  }
}
