package org.sluiceca.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.client.connect.Connection;
import org.sluiceca.client.connect.Credential;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;

class ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final StringWriter err = new StringWriter();
  private final Console console = new Console(new PrintWriter(err), new PrintWriter(err));
  @TempDir private Path folder;
  private LoopbackService server;

  @BeforeEach
  void start() throws Exception {
    server = new LoopbackService(folder);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void ask_busyTwice_repeatedAsAskedWithTheTokenEachTime() {
    server.answers("503 Retry-After=1 {\"title\":\"Service Unavailable\"}");
    server.answers("429 Retry-After=0 {\"type\":\"/problems/x\",\"title\":\"Too many\"}");
    server.answers("200 - {\"a\":1}");

    assertThat(ask(MINUTE).json().path("a").asInt()).isEqualTo(1);
    assertThat(server.seen())
        .hasSize(3)
        .allMatch("GET /v1/x?q=a%20b Bearer secret-token null"::equals);
    assertThat(err.toString())
        .contains("the server is busy (503): again in", "Too many (429)")
        .doesNotContain("secret-token");
  }

  @Test
  void ask_laterThanThereIsTime_endsAtOnceWithTheReason() {
    server.answers("429 Retry-After=50 {\"title\":\"Quota\",\"detail\":\"20 a minute\"}");

    failed(Duration.ofSeconds(5), "429 Quota: 20 a minute");
    assertThat(server.seen()).hasSize(1);
  }

  @Test
  void ask_refused_notRepeated() {
    server.answers("409 - {\"title\":\"Conflict\"}");

    failed(MINUTE, "409 Conflict");
  }

  @Test
  void ask_notOurAnswer_saysSo() {
    server.answers("200 - <html>");

    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> ask(MINUTE).json())
        .withMessageContaining("is this the URL of a Sluice service?");
  }

  @Test
  void ask_answerThatNeverEnds_isGivenUp() {
    server.answers("200 - ");
    try (Service service = service(Duration.ofMillis(200), List.of(server.url()))) {
      assertThatExceptionOfType(Failure.class)
          .isThrownBy(() -> service.ask(Call.get("/"), Duration.ofMillis(300)))
          .withMessageContaining("no answer from " + server.url() + " in time");
    }
  }

  @Test
  void ask_firstNodeAway_theNextAndThenNone() throws Exception {
    server.answers("200 - {}");
    URI away = URI.create("https://localhost:" + freePort());

    assertThat(ask(MINUTE, away, server.url()).status()).isEqualTo(200);
    assertThat(err.toString()).contains("nothing answers at " + away + ": trying " + server.url());
    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> ask(MINUTE, away))
        .withMessageContaining("nothing answers at " + away + ": is it up?");
  }

  @Test
  void replyOnce_noConnectionInTime_isSentAgain() throws Exception {
    server.answers("200 - {}");
    try (ServerSocket busy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Service service =
            new Service(
                connection(List.of(URI.create("https://localhost:" + busy.getLocalPort()))),
                MINUTE,
                Duration.ofSeconds(1),
                console)) {
      Thread.startVirtualThread(() -> relayAllButTheFirst(busy));

      assertThat(service.replyOnce(Call.get("/")).status()).isEqualTo(200);
      assertThat(err.toString()).contains("HTTP connect timed out: again in");
    }
  }

  @Test
  void ask_otherRoot_notTrusted() {
    Connection systems =
        new Connection(List.of(server.url()), new Credential.None(), Optional.empty());
    try (Service service = new Service(systems, Duration.ofSeconds(5), console)) {
      assertThatExceptionOfType(Failure.class)
          .isThrownBy(() -> service.ask(Call.get("/")))
          .withMessageContaining("is not trusted");
    }
    assertThat(server.seen()).isEmpty();
  }

  @Test
  void approvals_location_ofOursOrAFailure() {
    server.answers("202 Location=https://x/v1/approvals/00000000-0000-4000-8000-00000000002a {}");
    server.answers("202 Location=/v1/approvals/x;rm {}");
    server.answers("200 - {}");

    assertThat(Approvals.waits(ask(MINUTE), console)).isTrue();
    assertThat(err.toString()).contains("approval show 00000000-0000-4000-8000-00000000002a");
    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> Approvals.waits(ask(MINUTE), console));
    assertThat(Approvals.waits(ask(MINUTE), console)).isFalse();
  }

  private void failed(Duration patience, String says) {
    assertThatExceptionOfType(Failure.class).isThrownBy(() -> ask(patience)).withMessage(says);
  }

  private Reply ask(Duration patience, URI... urls) {
    List<URI> where = urls.length == 0 ? List.of(server.url()) : List.of(urls);
    try (Service service = service(patience, where)) {
      return service.ask(Call.get("/v1/x" + new Query().put("q", "a b").put("none", null)));
    }
  }

  private Service service(Duration patience, List<URI> where) {
    return new Service(connection(where), patience, console);
  }

  private Connection connection(List<URI> where) {
    return new Connection(where, new Credential.Token("secret-token"), Optional.of(server.root()));
  }

  /** The first connection gets no answer, not even to its handshake. Ends with the socket. */
  private void relayAllButTheFirst(ServerSocket from) {
    try (Socket first = from.accept()) {
      while (first.isConnected()) {
        Socket client = from.accept();
        Socket node = new Socket(InetAddress.getLoopbackAddress(), server.url().getPort());
        Thread.startVirtualThread(() -> relay(client, node));
        Thread.startVirtualThread(() -> relay(node, client));
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  private static void relay(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // One of the two is closed.
    }
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
