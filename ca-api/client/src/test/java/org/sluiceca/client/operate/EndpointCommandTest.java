package org.sluiceca.client.operate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.sluiceca.client.OneNodeTest;
import org.sluiceca.client.shell.SchemaFile;

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
  void check_soundFile_saysWhatItWouldChange() throws Exception {
    String file = Files.writeString(folder.resolve("internal.yaml"), "name: internal\n").toString();
    String checked =
        "{\"name\":\"internal\",\"version\":4,\"stored\":false,\"sha256\":\""
            + "c0".repeat(32)
            + "\","
            + "\"active\":{\"source\":\"stored\",\"version\":3},\"changes\":["
            + "{\"key\":\"profiles\",\"before\":\"p\",\"after\":\"p, q\"},"
            + "{\"key\":\"requester\",\"before\":\"web \\u001b[2J\"}]}";
    server.answers("200 - " + checked);

    assertThat(run.call("endpoint", "check", file)).isZero();

    assertThat(server.seen()).containsExactly("POST /v1/endpoints:check Bearer admin null");
    assertThat(server.bodies()).containsExactly("name: internal\n");
    assertThat(run.out())
        .contains(
            file + ": could be stored as internal version 4",
            "  it changes, against the active version 3:")
        .containsPattern("profiles +p +p, q")
        .containsPattern("requester +web \\?\\[2J +-");

    server.answers("200 - " + checked);
    assertThat(run.call("endpoint", "check", "--json", file)).isZero();
    assertThat(lastLine()).contains("\"sound\":true,\"endpoint\":{\"name\":\"internal\"");
    assertThat(SchemaFile.faults("endpoint-check", lastLine())).isEmpty();
  }

  private String lastLine() {
    return run.out().lines().toList().getLast();
  }

  @Test
  void check_nothingActive_orNothingChanged() throws Exception {
    String file = Files.writeString(folder.resolve("internal.yaml"), "name: internal\n").toString();
    server.answers(
        "200 - {\"name\":\"internal\",\"version\":4,\"stored\":false,\"changes\":["
            + "{\"key\":\"profiles\",\"after\":\"p\"}]}");
    server.answers(
        "200 - {\"name\":\"internal\",\"version\":4,\"stored\":true,"
            + "\"active\":{\"source\":\"file\",\"version\":1},\"changes\":[]}");

    assertThat(run.call("endpoint", "check", file, file)).isZero();

    assertThat(run.out())
        .contains(
            "  nothing is active under this name; it would have:",
            ": stored already as internal version 4",
            "  it changes nothing against the file of the node asked, version 1\n")
        .containsPattern("profiles +- +p");
  }

  @Test
  void check_severalFaults_aLineEach() throws Exception {
    String file = Files.writeString(folder.resolve("internal.yaml"), "name: internal\n").toString();
    server.answers(
        "422 - {\"type\":\"/problems/invalid-endpoint\",\"title\":\"t\",\"status\":422,"
            + "\"detail\":\"one; two\",\"faults\":[\"one\",\"two\"]}");

    assertThat(run.call("endpoint", "check", "--json", file)).isEqualTo(1);

    assertThat(run.err()).contains(file + ": one\n", file + ": two\n");
    assertThat(lastLine()).contains("\"sound\":false", "\"faults\":[\"one\",\"two\"]");
    assertThat(SchemaFile.faults("endpoint-check", lastLine())).isEmpty();

    // The version is another file already: that is one line, and no list.
    server.answers(
        "409 - {\"type\":\"/problems/conflict\",\"title\":\"t\",\"detail\":\"another file\"}");
    assertThat(run.call("endpoint", "check", "--json", file)).isEqualTo(1);
    assertThat(run.err()).contains(file + ": another file\n");
    assertThat(lastLine()).doesNotContain("faults");
    assertThat(SchemaFile.faults("endpoint-check", lastLine())).isEmpty();

    server.answers("404 - {\"detail\":\"\"}");
    assertThat(run.call("endpoint", "check", file)).isEqualTo(1);
    assertThat(run.err()).contains("older than this client");
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
