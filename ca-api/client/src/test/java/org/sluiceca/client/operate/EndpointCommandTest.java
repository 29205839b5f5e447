package org.sluiceca.client.operate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.sluiceca.client.OneNodeTest;

class EndpointCommandTest extends OneNodeTest {

  @Test
  void add_stored_saysHowItIsServed() throws Exception {
    Path file = Files.writeString(folder.resolve("internal.yaml"), "name: internal\n");
    server.answers("201 - {\"name\":\"internal\",\"version\":3,\"sha256\":\"c0\"}");

    assertThat(run.call("endpoint", "add", file.toString())).isZero();

    assertThat(server.seen()).containsExactly("POST /v1/endpoints Bearer admin null");
    assertThat(run.err()).contains("sluice endpoint activate internal 3");
  }

  @Test
  void list_servedRefusedAndOff() {
    server.answers(
        "200 - [{\"name\":\"a\",\"state\":\"served\",\"version\":2,\"source\":\"stored\","
            + "\"bindingRequired\":false,\"requester\":\"web\",\"profiles\":[\"p\",\"q\"],"
            + "\"methods\":[\"dns-01\"]},"
            + "{\"name\":\"b\",\"state\":\"refused\",\"refused\":\"no profile p\"},"
            + "{\"name\":\"c\",\"state\":\"off\"}]");

    assertThat(run.call("endpoint", "list")).isZero();

    assertThat(run.out())
        .containsPattern("a +served +2 +stored +any, as web +dns-01 +p,q")
        .containsPattern("b +refused: no profile p +- +- +- +- +-")
        .containsPattern("c +off +- ");
  }

  @Test
  void show_aVersion_withoutWhatATerminalObeys() {
    server.answers("200 - name: internal\nprotocol: acme \u001b[2J\n");

    assertThat(run.call("endpoint", "show", "internal", "3")).isZero();

    assertThat(server.seen())
        .containsExactly("GET /v1/endpoints/internal/versions/3 Bearer admin null");
    assertThat(run.out()).isEqualTo("name: internal\nprotocol: acme ?[2J\n");
  }

  @Test
  void activate_namesTheActivationThatItFollows() {
    server.answers(
        "200 - {\"active\":{\"activation\":7},\"endpoint\":{\"name\":\"internal\"},"
            + "\"versions\":[]}");
    server.answers("200 - {\"activation\":8}");

    assertThat(run.call("endpoint", "activate", "internal", "3")).isZero();

    assertThat(server.seen())
        .containsExactly(
            "GET /v1/endpoints/internal/versions Bearer admin null",
            "PUT /v1/endpoints/internal/active Bearer admin null");
    assertThat(run.call("endpoint", "activate", "internal", "0")).isEqualTo(2);
    assertThat(run.call("endpoint", "activate", "Internal", "1")).isEqualTo(2);
  }
}
