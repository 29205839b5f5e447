package org.sluiceca.client.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.client.CommandRun;
import org.sluiceca.client.http.LoopbackService;

/** An export has every page, ends with a line that says so, and goes on where it was cut off. */
class AuditExportTest {
  private static final String NEXT = "Link=</v1/audit?after=r4.node-0.a>;rel=\"next\"";

  @TempDir private Path folder;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private LoopbackService service;

  @SuppressWarnings("NullAway.Init")
  private CommandRun run;

  @SuppressWarnings("NullAway.Init")
  private List<String> lines;

  @BeforeEach
  void start() throws Exception {
    service = new LoopbackService(folder);
    run = new CommandRun(folder, service);
    lines = new TrailFixture().lines();
  }

  @AfterEach
  void stop() {
    service.close();
  }

  private static String body(List<String> lines) {
    return String.join("\n", lines) + "\n";
  }

  private void answersTwoPages() {
    service.answers("200 " + NEXT + " " + body(lines.subList(0, 6)));
    service.answers("200 - " + body(lines.subList(6, 10)));
  }

  private void assertAllButTheEnd(List<String> exported) {
    assertThat(exported.subList(0, exported.size() - 1)).isEqualTo(lines.subList(0, 10));
    assertThat(exported.getLast())
        .contains("\"chain\":\"audit.export-end\"")
        .contains("{\"checkpoints\":2,\"rows\":8,\"filtered\":false}");
  }

  @Test
  void export_twoPages_linesAndTheEnd() {
    answersTwoPages();

    assertThat(run.call("audit", "export")).isZero();

    assertAllButTheEnd(run.out().lines().toList());
    assertThat(service.seen())
        .containsExactly(
            "GET /v1/audit Bearer admin null", "GET /v1/audit?after=r4.node-0.a Bearer admin null");
  }

  @Test
  void export_filters_areInTheQueryAndTheEnd() {
    service.answers("200 - " + body(lines.subList(2, 3)));

    assertThat(
            run.call(
                "audit",
                "export",
                "--from",
                "2026-05-01T02:00:00+02:00",
                "--kind",
                "node.started,node.stopped"))
        .isZero();

    assertThat(service.seen().getFirst())
        .startsWith(
            "GET /v1/audit?from=2026-05-01T00%3A00%3A00Z&kind=node.started%2Cnode.stopped ");
    assertThat(run.out()).contains("\"filtered\":true");
    assertThat(run.call("audit", "export", "--from", "yesterday")).isEqualTo(2);
  }

  @Test
  void export_cutOffAndResumed_sameFile() throws Exception {
    Path file = folder.resolve("trail.ndjson");
    service.answers("200 " + NEXT + " " + body(lines.subList(0, 6)));
    service.answers("403 - {}");
    assertThat(run.call("audit", "export", "--out", file.toString())).isEqualTo(1);
    assertThat(run.err()).contains("is not complete: run the same again with --resume");
    // Half of a line, as after a kill.
    Files.writeString(file, body(lines.subList(0, 5)) + lines.get(5).substring(0, 40));

    assertThat(run.call("audit", "export", "--out", file.toString())).isEqualTo(1);
    assertThat(run.err()).contains("is there already");
    service.answers("200 - " + body(lines.subList(5, 10)));
    assertThat(run.call("audit", "export", "--out", file.toString(), "--resume")).isZero();

    assertAllButTheEnd(Files.readAllLines(file));
    assertThat(service.seen().getLast()).startsWith("GET /v1/audit?after=r3.node-0.a ");
    int requests = service.seen().size();
    assertThat(run.call("audit", "export", "--out", file.toString(), "--resume")).isZero();
    assertThat(service.seen()).hasSize(requests);
    assertThat(run.err()).contains("is complete");
  }

  @Test
  void export_resumedBeforeTheFirstLine_begins() throws Exception {
    Path file = folder.resolve("trail.ndjson");
    answersTwoPages();

    assertThat(run.call("audit", "export", "--out", file.toString(), "--resume")).isZero();

    assertAllButTheEnd(Files.readAllLines(file));
  }

  @Test
  void export_anotherFile_isNotTouched() throws Exception {
    Path file = Files.writeString(folder.resolve("letter.txt"), "Dear auditor,\n");

    assertThat(run.call("audit", "export", "--out", file.toString(), "--resume")).isEqualTo(1);

    assertThat(Files.readString(file)).isEqualTo("Dear auditor,\n");
    assertThat(service.seen()).isEmpty();
  }

  @Test
  void export_hostilePages_fail() {
    service.answers("200 - {\"chain\":7}");
    assertThat(run.call("audit", "export")).isEqualTo(1);
    service.answers(
        "200 Link=<https://elsewhere.example/v1/audit?after=c1>;rel=next " + body(lines));
    assertThat(run.call("audit", "export")).isEqualTo(1);
    service.answers("200 " + NEXT + " " + body(lines.subList(0, 6)));
    service.answers("200 " + NEXT + " " + body(lines.subList(0, 6)));
    assertThat(run.call("audit", "export")).isEqualTo(1);
    assertThat(run.err()).contains("the same page again");
  }
}
