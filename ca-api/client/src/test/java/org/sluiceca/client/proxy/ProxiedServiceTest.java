package org.sluiceca.client.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluiceca.client.connect.Connection;
import org.sluiceca.client.connect.Credential;
import org.sluiceca.client.http.Call;
import org.sluiceca.client.http.LoopbackService;
import org.sluiceca.client.http.Reply;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.http.stream.StreamedCall;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;

/** A service behind a proxy: by usual exchanges, and by those of a batch. */
class ProxiedServiceTest {
  private final StringWriter err = new StringWriter();
  private final Map<String, String> environment = new HashMap<>();
  private final List<Map<String, List<String>>> headers =
      Collections.synchronizedList(new ArrayList<>());
  @TempDir private Path folder;
  private LoopbackService node;
  private ConnectProxy proxy;

  /** The two ways in which the client asks. */
  enum Way {
    USUAL,
    STREAMED
  }

  private static final class Nothing implements StreamedCall {
    @Override
    public byte @Nullable [] next() {
      return null;
    }

    @Override
    public void answer(InputStream body) throws IOException {
      assertThat(body.readAllBytes()).asString(StandardCharsets.US_ASCII).isEqualTo("{}\n");
    }
  }

  @BeforeEach
  void start() throws Exception {
    node = new LoopbackService(folder, this::answer);
    proxy = new ConnectProxy();
    environment.put("https_proxy", "http://localhost:" + proxy.port());
  }

  @AfterEach
  void stop() throws Exception {
    proxy.close();
    node.close();
  }

  private void answer(HttpExchange exchange) throws IOException {
    headers.add(Map.copyOf(exchange.getRequestHeaders()));
    exchange.getRequestBody().readAllBytes();
    exchange.getResponseHeaders().add("Content-Type", "application/x-ndjson");
    exchange.sendResponseHeaders(200, 0);
    exchange.getResponseBody().write("{}\n".getBytes(StandardCharsets.US_ASCII));
    exchange.close();
  }

  /** Its name leads nowhere but by the proxy. */
  private URI behind() {
    return URI.create("https://" + LoopbackService.BEHIND_A_PROXY + ":" + node.url().getPort());
  }

  private int ask(Way way, URI url) {
    return ask(way, url, node);
  }

  private int ask(Way way, URI url, LoopbackService trusted) {
    Connection connection =
        new Connection(
            List.of(url),
            new Credential.Token("bearer"),
            Optional.of(trusted.root()),
            Proxies.of(environment));
    Console console = new Console(new PrintWriter(err), new PrintWriter(err));
    try (Service service = new Service(connection, Duration.ZERO, console)) {
      Reply reply =
          way == Way.USUAL ? service.reply(Call.get("/x")) : service.stream("/x", new Nothing());
      if (Service.isLost(reply)) {
        throw Failure.of(service.refusal(reply));
      }
      return reply.status();
    }
  }

  private void assertFails(Way way, String... says) {
    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> ask(way, behind()))
        .satisfies(
            e ->
                assertThat(e.getMessage() + err)
                    .contains(says)
                    .contains(
                        environment.getOrDefault("https_proxy", "?").replaceFirst("^.*[/@]", ""))
                    .doesNotContain("pass-word", "bearer"));
    assertThat(headers).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void ask_behindAProxy_byATunnelOfWhichOnlyTheNameIsSeen(Way way) {
    assertThat(ask(way, behind())).isEqualTo(200);

    assertThat(proxy.heads())
        .singleElement()
        .asString()
        .startsWith("CONNECT " + behind().getAuthority() + " HTTP/1.1\r\n")
        .doesNotContain("bearer", "Authorization", "/x");
  }

  @ParameterizedTest
  @EnumSource
  void ask_user_goesToTheProxyAlone(Way way) {
    environment.put("https_proxy", "http://me:pass-word@localhost:" + proxy.port());

    assertThat(ask(way, behind())).isEqualTo(200);

    assertThat(proxy.heads())
        .singleElement()
        .asString()
        .contains("Proxy-Authorization: Basic bWU6cGFzcy13b3Jk\r\n");
    assertThat(headers.getFirst().keySet())
        .contains("Authorization")
        .doesNotContain("Proxy-authorization");
  }

  @ParameterizedTest
  @EnumSource
  void ask_proxyRefusesOrWantsAUser_saysWhichVariable(Way way) {
    proxy.answers(
        String.join(
            "\r\n",
            "HTTP/1.1 407 Proxy Authentication Required",
            "Proxy-Authenticate: Basic realm=\"x\"",
            "Content-Length: 0",
            "",
            ""));
    assertFails(way, "asks for a user: https_proxy=http://USER:PASSWORD@localhost");

    environment.put("https_proxy", "http://me:pass-word@localhost:" + proxy.port());
    assertFails(way, "refuses the user or the password that https_proxy names");
    assertThat(proxy.heads()).hasSize(2);
  }

  static Stream<String> faults() {
    return Stream.of(
        "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: http://evil.example/\r\nContent-Length: 0\r\n\r\n",
        "SSH-2.0-OpenSSH_9.6\r\n\r\n",
        "\u0015\u0003\u0001\u0000\u0002\u0002P",
        "HTTP/1.1 200 OK\r\n" + "X: y\r\n".repeat(100_000),
        "HTTP/1.1 200 OK\r\n\r\nthis is no TLS");
  }

  @ParameterizedTest
  @MethodSource("faults")
  void ask_proxyAnswersSomethingElse_failsAndNamesIt(String answer) {
    proxy.answers(answer);

    assertFails(Way.USUAL, "no answer from", "by the proxy");
    assertFails(Way.STREAMED, "no answer from", "by the proxy");
  }

  /** The tunnel is the proxy's; what is in it is not. */
  @ParameterizedTest
  @EnumSource
  void ask_anotherNodeAtItsEnd_isNotTrusted(Way way) throws Exception {
    try (LoopbackService other = new LoopbackService(folder)) {
      assertThatExceptionOfType(Failure.class)
          .isThrownBy(() -> ask(way, behind(), other))
          .withMessageContaining("is not trusted");
    }
    URI wrongName = URI.create("https://ca.sluice.invalid:" + node.url().getPort());
    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> ask(way, wrongName))
        .withMessageContaining("is not trusted");
    assertThat(headers).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void ask_loopbackOrNoProxy_directly(Way way) throws Exception {
    try (ServerSocket closed = new ServerSocket(0)) {
      environment.put("https_proxy", "http://localhost:" + closed.getLocalPort());
    }
    assertThat(ask(way, node.url())).isEqualTo(200);
    environment.put("https_proxy", "http://localhost:" + proxy.port());
    environment.put("no_proxy", "sluice.test");
    assertThatExceptionOfType(Failure.class)
        .isThrownBy(() -> ask(way, behind()))
        .withMessageContaining("nothing answers at");
    assertThat(proxy.heads()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void ask_noProxyThere_saysWhich(Way way) throws Exception {
    // Bound and not listening: nothing answers there, and no other process gets the port meanwhile.
    try (Socket silent = new Socket()) {
      silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      environment.put("https_proxy", "http://127.0.0.1:" + silent.getLocalPort());

      assertFails(way, "nothing answers at", "by the proxy", "are both up?");
    }
  }

  @Test
  void open_proxyHangs_endsInTime() {
    proxy.answers("");

    assertThatExceptionOfType(ConnectException.class)
        .isThrownBy(() -> Tunnel.open(behind(), Proxies.of(environment), Duration.ofMillis(200)));
  }

  @Test
  void ask_proxyHangs_failsAndNamesIt() {
    proxy.answers("");

    assertFails(Way.USUAL, "by the proxy");
  }
}
