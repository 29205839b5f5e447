package org.sluiceca.client.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.client.Main;
import org.sluiceca.client.key.KeyKind;

/** What was done to an exported file is found by the command, offline. */
class AuditVerifyTest {
  /** Of the export's lines, from 0: two checkpoints, four rows of each chain, the end. */
  private static final int ROW_2 = 3;

  @TempDir private Path folder;

  private record Ended(int code, List<String> out, String err) {}

  private static Ended run(Stream<String> words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(out), new PrintWriter(err), words.toArray(String[]::new));
    return new Ended(code, out.toString().lines().toList(), err.toString());
  }

  private Ended verify(TrailFixture trail, List<String> lines, String... more) throws Exception {
    Path file = folder.resolve("trail.ndjson");
    Files.writeString(file, lines.stream().map(l -> l + "\n").collect(Collectors.joining()));
    return run(
        Stream.concat(
            Stream.of("audit", "verify", "--key", trail.keyFile(folder).toString(), "" + file),
            Stream.of(more)));
  }

  @Test
  void verify_soundExport_ok() throws Exception {
    TrailFixture trail = new TrailFixture();
    Path checkpoints = trail.checkpointFiles(folder, 2);

    Ended ended = verify(trail, trail.lines(), "--checkpoints", checkpoints.toString());

    assertThat(ended.out())
        .containsExactly(
            "8 rows in 2 chains, 2 checkpoints (the last signed one 2), 2 exported: ok");
    assertThat(ended.err()).isEmpty();
    assertThat(ended.code()).isZero();
  }

  @Test
  void verify_lineRemoved_named() throws Exception {
    TrailFixture trail = new TrailFixture();
    List<String> lines = trail.lines();
    lines.remove(ROW_2);

    Ended ended = verify(trail, lines);

    assertThat(ended.out().getFirst()).isEqualTo("chain node-0.a row 2: missing, up to row 2");
    assertThat(ended.out().getLast()).endsWith("2 findings");
    assertThat(ended.code()).isEqualTo(1);
  }

  @Test
  void verify_lineChanged_named() throws Exception {
    TrailFixture trail = new TrailFixture();
    List<String> lines = trail.lines();
    lines.set(ROW_2, lines.get(ROW_2).replace("alice", "mallory"));

    Ended ended = verify(trail, lines);

    assertThat(ended.out().getFirst())
        .isEqualTo("chain node-0.a row 2: changed: its hash is not that of its content");
    assertThat(ended.code()).isEqualTo(1);
  }

  /** Who rewrites the file can compute its hashes as well. */
  @Test
  void verify_noSignedCheckpoint_isAFinding() throws Exception {
    TrailFixture trail = new TrailFixture();
    trail.checkpoints.clear();

    Ended ended = verify(trail, trail.lines(), "--quiet");

    assertThat(ended.out().getFirst()).contains("nothing holds its rows");
    assertThat(ended.code()).isEqualTo(1);
  }

  /** What is not hashed must not stand in a line. */
  @Test
  void verify_memberTwiceOrMoreThanEight_isNoLine() throws Exception {
    for (String planted :
        List.of("\"actor\":\"mallory\",\"actor\"", "\"reviewed\":\"yes\",\"actor\"")) {
      TrailFixture trail = new TrailFixture();
      List<String> lines = trail.lines();
      lines.set(ROW_2, lines.get(ROW_2).replace("\"actor\"", planted));

      Ended ended = verify(trail, lines);

      assertThat(ended.out()).anyMatch(line -> line.contains("is no line of an exported trail"));
      assertThat(ended.code()).isEqualTo(1);
    }
  }

  @Test
  void verify_linesSwapped_named() throws Exception {
    TrailFixture trail = new TrailFixture();
    List<String> lines = trail.lines();
    Collections.swap(lines, ROW_2, ROW_2 + 1);

    Ended ended = verify(trail, lines);

    assertThat(ended.out()).contains("chain node-0.a row 2: out of order: it stands after row 3");
    assertThat(ended.code()).isEqualTo(1);
  }

  @Test
  void verify_endCutOff_named() throws Exception {
    TrailFixture trail = new TrailFixture();
    List<String> lines = trail.lines();

    Ended ended = verify(trail, lines.subList(0, lines.size() - 2));

    assertThat(ended.out().getFirst()).contains("the file has no end");
    assertThat(ended.out().get(1))
        .isEqualTo(
            "chain node-1.b row 4: cut off, up to row 4 at least, which checkpoint 2 covers");
    assertThat(ended.code()).isEqualTo(1);
  }

  @Test
  void verify_checkpointOfAnotherKey_named() throws Exception {
    TrailFixture trail = new TrailFixture();
    trail.checkpoint(KeyKind.EC_P256.generate(), trail.rows.getLast().head());

    Ended ended = verify(trail, trail.lines());

    assertThat(ended.out().getFirst())
        .isEqualTo("checkpoint 3: the signature in the export is not by the audit key");
    assertThat(ended.code()).isEqualTo(1);
  }

  @Test
  void verify_exportOfAnOlderState_foundByTheFilesOfCheckpoints() throws Exception {
    TrailFixture trail = new TrailFixture();
    Path files = trail.checkpointFiles(folder, 2);
    trail.checkpoints.removeLast();
    trail.rows.subList(4, 8).clear();

    Ended ended = verify(trail, trail.lines(), "--checkpoints", files.toString());

    assertThat(ended.out())
        .startsWith(
            "checkpoint 2: missing",
            "chain node-1.b row 1: cut off, up to row 4 at least, which checkpoint 2 covers");
    assertThat(ended.err()).contains("is younger than the export");
    assertThat(ended.code()).isEqualTo(1);
  }

  @Test
  void verify_withoutKey_saysSo() throws Exception {
    TrailFixture trail = new TrailFixture();
    Path file = Files.write(folder.resolve("trail.ndjson"), trail.lines());

    Ended ended = run(Stream.of("audit", "verify", file.toString()));

    assertThat(ended.err()).contains("without --key no signature was verified");
    assertThat(ended.code()).isZero();
  }

  @Test
  void verify_filesThatAreNone_fail() throws Exception {
    TrailFixture trail = new TrailFixture();

    assertThat(verify(trail, List.of()).code()).isEqualTo(1);
    assertThat(verify(trail, List.of("{}", "[", "x".repeat(5_000_000))).code()).isEqualTo(1);
    assertThat(verify(trail, trail.lines(), "--checkpoints", folder.resolve("no").toString()).err())
        .contains("cannot be read");
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertThat(verify(trail, trail.lines(), "--checkpoints", empty.toString()).err())
        .contains("has no file");
    Ended noKey = run(Stream.of("audit", "verify", "--key", "" + empty, "" + empty));
    assertThat(noKey.code()).isEqualTo(1);
    assertThat(run(Stream.of("audit", "verify")).code()).isEqualTo(2);
    assertThat(run(Stream.of("audit", "verify", folder.resolve("none").toString())).err())
        .contains("cannot be read");
  }
}
