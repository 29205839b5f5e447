package org.sluiceca.client.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.sluiceca.client.Main;
import org.sluiceca.client.OneNodeTest;
import org.sluiceca.client.connect.Connection;
import org.sluiceca.client.connect.Credential;
import org.sluiceca.client.http.LoopbackService;
import org.sluiceca.client.http.Service;
import org.sluiceca.client.output.Console;

class WatchCommandTest extends OneNodeTest {
  private static final String OK = "200 - " + ObserveTest.CAPACITY;
  private static final String NEVER = "200 - ";
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final StringWriter text = new StringWriter();
  private final Console console = new Console(new PrintWriter(text), new PrintWriter(text));

  @Test
  void watch_rounds_oneBelowTheOther() {
    server.answers(OK);
    server.answers("503 Retry-After=0 {\"title\":\"Sat\\u001burated\"}");

    assertThat(run.call("watch", "--count", "2", "--every", "1s", "--timeout", "60")).isZero();

    List<String> lines = run.out().lines().toList();
    assertThat(lines).hasSize(7).element(3).isEqualTo("");
    assertThat(lines.get(0)).endsWith("1 of 1 nodes answer; " + backlog());
    assertThat(lines.get(1)).startsWith("NODE ").endsWith("CAPACITY/S  SAYS");
    assertThat(lines.get(2).split(" {2,}"))
        .containsExactly(
            server.url().toString(),
            "-",
            "-",
            "12/244",
            "1/2",
            "0.25 s",
            "1 of 2 ready",
            "7/16",
            "1250.0",
            "ok");
    assertThat(lines.get(4)).endsWith("0 of 1 nodes answer; backlog unknown");
    assertThat(lines.get(6)).endsWith("503 Sat?urated");
    assertThat(run.printed()).doesNotContain("\u001b");
    assertThat(server.seen()).hasSize(2);
  }

  @Test
  void watch_json_aLineEachRound() {
    server.answers(OK);
    server.answers("401 - {\"title\":\"Who?\"}");

    assertThat(run.call("watch", "--count", "2", "--every", "1s", "--timeout", "60", "--json"))
        .isZero();

    List<String> lines = run.out().lines().toList();
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0)).contains("\"capacity\":{\"lanes\":[");
    assertThat(lines.get(1)).contains("{\"url\":\"" + server.url() + "\",\"fault\":\"401 Who?\"}");
  }

  @Test
  void ask_nodes_atTheSameTime() throws Exception {
    // Each answers only after all were asked.
    CountDownLatch together = new CountDownLatch(3);
    List<LoopbackService> all =
        List.of(server, new LoopbackService(folder), new LoopbackService(folder));
    for (LoopbackService one : all) {
      one.answersTogether(together);
      one.answers(OK);
    }

    try (NodeRounds rounds = new NodeRounds(all.stream().map(this::service).toList())) {
      assertThat(rounds.ask(MINUTE))
          .extracting(NodeRounds.Answer::fault)
          .containsExactly("", "", "");
    }
    all.forEach(LoopbackService::close);
  }

  @Test
  void ask_nodeThatDoesNotAnswer_isGivenUpAndAskedAgain() {
    // The first opens the connection, so that the time of the second is that of the answer alone.
    server.answers(OK);
    server.answers(NEVER);
    for (int i = 0; i < 60; i++) {
      server.answers(OK);
    }

    try (NodeRounds rounds = new NodeRounds(List.of(service(server)))) {
      assertThat(rounds.ask(MINUTE).getFirst().fault()).isEmpty();

      String fault = rounds.ask(Duration.ofSeconds(1)).getFirst().fault();
      assertThat(fault).startsWith("no answer ");

      String later = fault;
      for (int i = 0; i < 60 && !later.isEmpty(); i++) {
        later = rounds.ask(Duration.ofSeconds(1)).getFirst().fault();
      }
      assertThat(later).isEmpty();
    }
  }

  @Test
  void ask_notAnAnswerOfANode_saysSo() {
    server.answers("200 - {\"lanes\":[],\"hsms\":{}}");
    try (NodeRounds rounds = new NodeRounds(List.of(service(server)))) {
      assertThat(rounds.ask(MINUTE).getFirst().fault())
          .isEqualTo("the answer is not that of a Sluice node");
    }
  }

  @Test
  void show_terminal_inThePlaceOfTheLinesBefore() {
    Screen screen = new Screen(console, true);

    screen.show(List.of("a\u001b[31m", "b"));
    screen.show(List.of("c"));

    assertThat(text.toString())
        .isEqualTo(
            "\u001b[2J\u001b[Ha?[31m\u001b[K\nb\u001b[K\n\u001b[J\u001b[Hc\u001b[K\n\u001b[J");
  }

  @Test
  void watch_signal_endsWithExitCode0() throws Exception {
    server.answers(OK);
    Path token = Files.writeString(folder.resolve("t"), "web\n");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "watch",
                "--every",
                "3600s",
                "--url",
                server.url().toString(),
                "--ca-file",
                server.root().toString(),
                "--token-file",
                token.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      assertThat(lines.readLine()).contains("nodes answer");

      // SIGTERM, which Java can send; SIGINT takes the same way. Process.destroy would close the
      // pipe as well, and a round that cannot be printed ends the command with exit code 1.
      assertThat(process.toHandle().destroy()).isTrue();

      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  private static String backlog() {
    return "backlog of all nodes: 120000 orders, 640.0/s, ETA 187.50 s";
  }

  private Service service(LoopbackService node) {
    return new Service(
        new Connection(List.of(node.url()), new Credential.Token("web"), Optional.of(node.root())),
        Duration.ZERO,
        console);
  }
}
