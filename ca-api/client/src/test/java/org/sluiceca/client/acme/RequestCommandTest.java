package org.sluiceca.client.acme;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.client.CommandRun;
import org.sluiceca.client.http.LoopbackService;
import org.sluiceca.client.shell.SchemaFile;

/** All pages of requests are read, and a terminal obeys nothing of what is printed. */
class RequestCommandTest {
  private static final String ID = "fFb2UEsVxYwUs0VsLKCz2Q";
  private static final String REQUEST =
      "{\"id\":\"%s\",\"endpoint\":\"internal\",\"requester\":\"team-a\","
          + "\"account\":\"0h8AAAAAAAAAAAAAAAAAAA\",\"profile\":\"tls-server\","
          + "\"names\":[{\"type\":\"dns\",\"value\":\"www.corp.example\"}],\"state\":\"refused\","
          + "\"createdAt\":\"2026-11-28T12:00:00Z\",\"expiresAt\":\"2026-11-29T12:00:00Z\","
          + "\"refusal\":{\"reason\":\"bad_csr\",\"detail\":\"%s\"}}";

  @TempDir private Path folder;
  private LoopbackService server;
  private CommandRun run;

  @BeforeEach
  void start() throws Exception {
    server = new LoopbackService(folder);
    run = new CommandRun(folder, server);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void list_pages_allRowsAndNothingThatATerminalObeys() {
    server.answers(
        "200 Link=</v1/requests?state=refused&cursor=c1>;rel=\"next\" ["
            + REQUEST.formatted(ID, "a weak\\u001b[2J key")
            + "]");
    server.answers("200 - [" + REQUEST.formatted("second", "none") + "]");

    assertThat(run.call("request", "list", "--state", "refused")).isZero();

    assertThat(server.seen())
        .containsExactly(
            "GET /v1/requests?state=refused Bearer admin null",
            "GET /v1/requests?state=refused&cursor=c1 Bearer admin null");
    assertThat(run.out())
        .containsPattern(ID + " +internal +team-a +refused .* www.corp.example +a weak[?]\\[2J key")
        .containsPattern("second +internal")
        .doesNotContain("\u001b");
  }

  @Test
  void list_json_aLineForEachAsTheSchemaSays() throws Exception {
    server.answers("200 - [" + REQUEST.formatted(ID, "a") + "," + REQUEST.formatted(ID, "b") + "]");

    assertThat(run.call("request", "list", "--json")).isZero();

    assertThat(server.seen()).containsExactly("GET /v1/requests?state=open Bearer admin null");
    assertThat(run.out().lines()).hasSize(2);
    for (String line : run.out().lines().toList()) {
      assertThat(SchemaFile.faults("request-list", line)).isEmpty();
    }
  }

  @Test
  void show_id_itsDocument() throws Exception {
    server.answers("200 - " + REQUEST.formatted(ID, "a"));

    assertThat(run.call("request", "show", ID, "--json")).isZero();

    assertThat(server.seen()).containsExactly("GET /v1/requests/" + ID + " Bearer admin null");
    assertThat(SchemaFile.faults("request-show", run.out())).isEmpty();
  }

  @Test
  void wrongStateOrId_isFoundBeforeAnythingIsSent() {
    assertThat(run.call("request", "list", "--state", "valid")).isEqualTo(2);
    assertThat(run.err()).contains("--state is open, processing or refused, not 'valid'");
    assertThat(run.call("request", "show", "17")).isEqualTo(2);
    assertThat(run.err()).contains("'17' is not the id of a request");
    assertThat(server.seen()).isEmpty();
  }
}
