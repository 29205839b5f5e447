package org.sluiceca.client.http.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.client.connect.Connection;
import org.sluiceca.client.connect.Credential;
import org.sluiceca.client.http.LoopbackService;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;

class StreamedExchangeTest {
  private final StringWriter err = new StringWriter();
  @TempDir private Path folder;

  /** Sends a second octet only when the answer to the first is there. */
  private static class Dialogue implements StreamedCall {
    private final Semaphore answered = new Semaphore(1);
    private final StringBuilder read = new StringBuilder();
    private int sent;

    @Override
    public byte @Nullable [] next() throws InterruptedException {
      if (sent == 3 || !answered.tryAcquire(30, TimeUnit.SECONDS)) {
        return null;
      }
      sent++;
      return new byte[] {(byte) ('a' + sent)};
    }

    @Override
    public void answer(InputStream body) throws IOException {
      for (int octet = body.read(); octet >= 0; octet = body.read()) {
        read.append((char) octet);
        answered.release();
      }
    }
  }

  @Test
  void stream_eachPartAfterTheAnswerToTheLast_readWhileSent() throws Exception {
    Dialogue dialogue = new Dialogue();
    try (LoopbackService server = echo("application/x-ndjson");
        Service service = service(server, away(), server.url())) {
      assertThat(service.stream("/x", dialogue).status()).isEqualTo(200);
    }

    assertThat(dialogue.read).hasToString("bcd");
    assertThat(err.toString()).contains("trying");
  }

  @Test
  void stream_notLines_saysSo() throws Exception {
    try (LoopbackService server = echo("text/html");
        Service service = service(server, server.url())) {
      assertThatExceptionOfType(Failure.class)
          .isThrownBy(() -> service.stream("/x", new Dialogue()))
          .withMessageContaining("is this the URL of a Sluice service?");
    }
  }

  @Test
  void stream_senderFails_theFailureIsTheCommands() throws Exception {
    StreamedCall failing =
        new Dialogue() {
          @Override
          public byte[] next() {
            throw Failure.of("the disk is away");
          }
        };
    try (LoopbackService server = echo("application/x-ndjson");
        Service service = service(server, server.url())) {
      assertThatExceptionOfType(Failure.class)
          .isThrownBy(() -> service.stream("/x", failing))
          .withMessage("the disk is away");
    }
  }

  @Test
  void stream_otherRootOrNothingThere_fails() throws Exception {
    try (LoopbackService server = echo("application/x-ndjson");
        LoopbackService other = new LoopbackService(folder);
        Service wrong = service(other, server.url());
        Service silent = service(server, away())) {
      assertThatExceptionOfType(Failure.class)
          .isThrownBy(() -> wrong.stream("/x", new Dialogue()))
          .withMessageContaining("is not trusted");
      assertThatExceptionOfType(Failure.class)
          .isThrownBy(() -> silent.stream("/x", new Dialogue()))
          .withMessageContaining("nothing answers at");
    }
  }

  @Test
  void answerBody_chunks_joinedToTheLast() throws IOException {
    assertThat(body("3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n").readAllBytes())
        .asString(StandardCharsets.US_ASCII)
        .isEqualTo("abc0123456789");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "3\r\nab", "3\r\nabc", "3\r\nabcd\r\n", "-1\r\n", "ffffffff\r\n", "x\r\n"})
  void answerBody_brokenOrNoChunks_fails(String text) {
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> body(text).readAllBytes());
  }

  @Test
  void answerBody_endlessSize_fails() {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> body("0".repeat(2_000)).readAllBytes())
        .withMessageContaining("too long");
  }

  private static InputStream body(String text) {
    return new AnswerBody(new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)));
  }

  private LoopbackService echo(String type) throws Exception {
    return new LoopbackService(
        folder,
        exchange -> {
          exchange.getResponseHeaders().add("Content-Type", type);
          exchange.sendResponseHeaders(200, 0);
          InputStream in = exchange.getRequestBody();
          for (int octet = in.read(); octet >= 0; octet = in.read()) {
            exchange.getResponseBody().write(octet);
            exchange.getResponseBody().flush();
          }
          exchange.close();
        });
  }

  private Service service(LoopbackService trusted, URI... urls) {
    Console console = new Console(new PrintWriter(err), new PrintWriter(err));
    return new Service(
        new Connection(List.of(urls), new Credential.Token("secret"), Optional.of(trusted.root())),
        Duration.ofSeconds(5),
        console);
  }

  private static URI away() throws Exception {
    try (ServerSocket socket = new ServerSocket(0)) {
      return URI.create("https://localhost:" + socket.getLocalPort());
    }
  }
}
