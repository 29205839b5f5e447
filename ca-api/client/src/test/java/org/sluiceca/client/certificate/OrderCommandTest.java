package org.sluiceca.client.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.client.Main;
import org.sluiceca.client.http.LoopbackService;
import org.sluiceca.client.key.KeyKind;
import org.sluiceca.client.key.PemFiles;

class OrderCommandTest {
  private static final String PENDING =
      "200 Retry-After=1 {\"id\":\"2a\",\"status\":\"pending\",\"position\":12,\"etaSeconds\":0.6}";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
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
  void order_eachState_inWords() throws Exception {
    server.answers(PENDING);
    server.answers("200 - {\"id\":\"2a\",\"status\":\"pending\"}");
    server.answers("200 - {\"id\":\"2a\",\"status\":\"issued\",\"certificate\":\"/x\"}");
    server.answers("200 - {\"id\":\"2a\",\"status\":\"failed\",\"detail\":\"no \\u001b token\"}");
    server.answers("200 - {\"status\":\"other\"}");

    for (int i = 0; i < 4; i++) {
      assertThat(order("2A")).isZero();
    }
    assertThat(order("2a")).isEqualTo(1);

    assertThat(out.toString())
        .isEqualTo(
            """
            order 2a is pending, 12 before it, issued in about 1 s
            order 2a is pending
            order 2a is issued: sluice get 2a
            order 2a failed: no ? token
            """);
    assertThat(server.seen()).allMatch(seen -> seen.startsWith("GET /v1/orders/2a "));
  }

  @Test
  void order_await_theChainWhenItIsIssued() throws Exception {
    server.answers(PENDING);
    server.answers("200 - {\"id\":\"2a\",\"status\":\"issued\"}");
    server.answers("200 - " + pem() + "more");

    assertThat(order("2a", "--await")).isZero();

    assertThat(PemFiles.certificates(out.toString(), "out")).hasSize(1);
    assertThat(out.toString()).endsWith("-----END CERTIFICATE-----\n");
  }

  @Test
  void order_awaitIssuedOne_asksOnceAndPrintsOneDocument() throws Exception {
    server.answers("200 - {\"id\":\"2a\",\"status\":\"issued\"}");
    server.answers("200 - {\"serial\":\"2a\"}");

    assertThat(order("2a", "--await", "--json")).isZero();

    assertThat(out.toString().replaceAll("\\s", "")).isEqualTo("{\"serial\":\"2a\"}");
    assertThat(server.seen()).hasSize(2);
  }

  @Test
  void order_awaitFailedOne_failsWithTheReason() throws Exception {
    server.answers("200 - {\"id\":\"2a\",\"status\":\"failed\",\"detail\":\"cancelled\"}");

    assertThat(order("2a", "--await")).isEqualTo(1);

    assertThat(err.toString()).contains("order 2a failed: cancelled");
  }

  @Test
  void order_cancel_deletesAndSaysWhatTheServiceAnswers() throws Exception {
    server.answers("200 - {\"id\":\"2a\",\"status\":\"failed\",\"detail\":\"cancelled\"}");
    server.answers("409 - {\"title\":\"Conflict\",\"detail\":\"it is issued\"}");

    assertThat(order("2a", "--cancel")).isZero();
    assertThat(order("2a", "--cancel")).isEqualTo(1);

    assertThat(out.toString()).isEqualTo("order 2a is cancelled\n");
    assertThat(err.toString()).contains("409 Conflict: it is issued");
    assertThat(server.seen()).allMatch(seen -> seen.startsWith("DELETE /v1/orders/2a "));
  }

  @Test
  void order_badCommandLine_nothingIsSent() throws Exception {
    assertThat(order("2a", "--await", "--cancel")).isEqualTo(2);
    assertThat(order("../x")).isEqualTo(2);

    assertThat(err.toString().lines()).hasSize(2);
    assertThat(server.seen()).isEmpty();
  }

  private int order(String... words) throws Exception {
    Path token = Files.writeString(folder.resolve("web.token"), "web\n");
    List<String> all = new ArrayList<>(List.of("order", "--token-file", token.toString()));
    all.addAll(List.of("--url", server.url().toString(), "--ca-file", server.root().toString()));
    all.addAll(List.of(words));
    return Main.run(new PrintWriter(out), new PrintWriter(err), all.toArray(String[]::new));
  }

  private static String pem() throws Exception {
    return PemFiles.block(
        "CERTIFICATE", LoopbackService.certificate(KeyKind.EC_P256.generate()).getEncoded());
  }
}
