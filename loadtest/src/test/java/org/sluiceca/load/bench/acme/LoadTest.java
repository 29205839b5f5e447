package org.sluiceca.load.bench.acme;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.load.acme.ProofPages;
import org.sluiceca.load.drive.StubNodes;

@Timeout(60)
class LoadTest {

  private static final InetAddress HERE = InetAddress.getLoopbackAddress();

  /** The order is never valid. Returns whether it was a poll of it. */
  private static boolean answer(HttpExchange exchange) throws IOException {
    byte[] _ = exchange.getRequestBody().readAllBytes();
    String base = "https://" + exchange.getRequestHeaders().getFirst("Host");
    String path = exchange.getRequestURI().getPath();
    boolean isNew = path.startsWith("/new-");
    String order =
        "{\"status\":\"%s\",\"finalize\":\"%s/finalize\"}"
            .formatted(isNew ? "ready" : "processing", base);
    byte[] body = order.getBytes(StandardCharsets.US_ASCII);
    boolean isHead = exchange.getRequestMethod().equals("HEAD");
    exchange.getResponseHeaders().set("Replay-Nonce", "n");
    exchange.getResponseHeaders().set("Location", base + "/order");
    exchange.sendResponseHeaders(isNew ? 201 : 200, isHead ? -1 : body.length);
    if (!isHead) {
      exchange.getResponseBody().write(body);
    }
    exchange.close();
    return path.equals("/order");
  }

  @Test
  void stop_clientThatPolls_endsALoadOfAnHour(@TempDir Path folder) throws Exception {
    SSLContext tls = StubNodes.tls(folder.resolve("stub.p12"));
    HttpsServer ca = HttpsServer.create(new InetSocketAddress(HERE, 0), 0);
    ca.setHttpsConfigurator(new HttpsConfigurator(tls));
    URI url = URI.create("https://localhost:" + ca.getAddress().getPort());
    Authority authority =
        new Authority(
            tls.getSocketFactory(),
            url.resolve("/nonce"),
            url.resolve("/new-account"),
            url.resolve("/new-order"),
            false,
            1,
            Optional.empty());
    try (ProofPages proofs = new ProofPages(HERE, 0);
        Client client = new Client(authority, proofs)) {
      Load load = new Load(List.of("AA"), List.of(client), new AtomicInteger());
      AtomicInteger polls = new AtomicInteger();
      ca.createContext(
          "/",
          exchange -> {
            if (answer(exchange) && polls.incrementAndGet() == 2) {
              load.stop();
            }
          });
      ca.start();
      client.begin();

      assertThatThrownBy(() -> load.run(Duration.ofHours(1))).hasMessage("nothing was issued");
    } finally {
      ca.stop(0);
    }
  }
}
