package org.sluiceca.core.audit.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.audit.AuditEvent;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.audit.ChainHead;
import org.sluiceca.core.audit.ExportForm;
import org.sluiceca.core.audit.verify.ExportReading.Line;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.OctetString;

/** What was done to an exported file is found, with the chain and the row named. */
class ExportVerifierTest {

  private static final Instant AT = Instant.parse("2026-05-05T10:00:00Z");

  /** Three checkpoints, six rows of node-0.a, four of node-1.b, and the end. */
  private static final int ROW_1 = 3;

  private static List<AuditRow> export(Trail trail) {
    List<AuditRow> lines = new ArrayList<>();
    for (Trail.Stored c : trail.checkpoints) {
      lines.add(
          ExportForm.row(
              new ExportForm.Stored(c.number(), c.encoded(), Optional.ofNullable(c.signature()))));
    }
    trail.rows.stream()
        .sorted(Comparator.comparing(AuditRow::chain).thenComparingLong(AuditRow::sequence))
        .forEach(lines::add);
    return ended(lines, trail.checkpoints.size(), trail.rows.size());
  }

  private static List<AuditRow> ended(List<AuditRow> lines, long checkpoints, long rows) {
    lines.add(ExportForm.end(AT, new ExportForm.Counts(checkpoints, rows, false)));
    return lines;
  }

  private static ExportReading reading(String name, List<AuditRow> rows, List<Finding> found) {
    Iterator<Line> lines =
        IntStream.range(0, rows.size())
            .mapToObj(i -> new Line(i + 1L, Optional.of(rows.get(i))))
            .iterator();
    return new ExportReading(name, lines, found::add);
  }

  @SafeVarargs
  private static List<String> found(List<AuditRow>... files) {
    List<Finding> found = new ArrayList<>();
    CheckpointVerifier checkpoints =
        new CheckpointVerifier(
            Optional.of(Trail.KEY.publicKey()),
            new BouncyCastleVerifier(),
            "the export",
            found::add);
    List<ExportReading> readings = new ArrayList<>();
    for (List<AuditRow> file : files) {
      readings.add(reading("file-" + (readings.size() + 1), file, found));
    }
    new ExportVerifier(checkpoints, found::add).verify(readings);
    return found.stream().map(Finding::text).toList();
  }

  @Test
  void verify_soundExport_nothingFound() {
    List<AuditRow> export = export(Trail.sound());

    assertThat(found(export)).isEmpty();
    assertThat(found(export, export)).isEmpty();
  }

  @Test
  void verify_eachLineRemoved_found() {
    List<AuditRow> export = export(Trail.sound());
    for (int i = 0; i < export.size(); i++) {
      List<AuditRow> cut = new ArrayList<>(export);
      cut.remove(i);

      assertThat(found(cut)).as("without line %d", i + 1).isNotEmpty();
    }
    List<AuditRow> cut = new ArrayList<>(export);
    cut.remove(ROW_1 + 3);
    assertThat(found(cut))
        .containsExactly(
            "chain node-0.a row 4: missing, up to row 4",
            "file-1 line 13: the export had 10 rows and 3 checkpoints, the file has 9 rows and 3"
                + " checkpoints");
  }

  @Test
  void verify_eachPairOfLinesSwapped_found() {
    List<AuditRow> export = export(Trail.sound());
    for (int i = 0; i + 1 < export.size(); i++) {
      List<AuditRow> swapped = new ArrayList<>(export);
      Collections.swap(swapped, i, i + 1);

      assertThat(found(swapped)).as("line %d swapped with the next", i + 1).isNotEmpty();
    }
    List<AuditRow> swapped = new ArrayList<>(export);
    Collections.swap(swapped, ROW_1 + 1, ROW_1 + 2);
    assertThat(found(swapped))
        .containsExactly(
            "chain node-0.a row 2: missing, up to row 2",
            "chain node-0.a row 2: out of order: it stands after row 3");
  }

  @Test
  void verify_eachEndCutOff_found() {
    List<AuditRow> export = export(Trail.sound());
    for (int length = 0; length < export.size(); length++) {
      assertThat(found(export.subList(0, length)))
          .as("the first %d lines", length)
          .anyMatch(text -> text.contains("the file has no end"));
    }
    assertThat(found(export.subList(0, ROW_1 + 8)))
        .containsExactly(
            "file-1 line 11: the file has no end: it was cut off, or the export did not finish",
            "chain node-1.b row 3: cut off, up to row 4 at least, which checkpoint 2 covers");
  }

  /** A second copy of a chain could go on otherwise behind what checkpoints cover. */
  @Test
  void verify_chainTwice_found() {
    Trail trail = Trail.sound();
    List<AuditRow> export = export(trail);
    List<AuditRow> twice = new ArrayList<>(export.subList(0, export.size() - 1));
    List<AuditRow> first = twice.stream().filter(row -> row.chain().equals("node-0.a")).toList();
    twice.addAll(first);

    assertThat(found(ended(twice, 3, 10 + first.size())))
        .hasSize(first.size())
        .allMatch(text -> text.endsWith("chain node-0.a stands after chain node-1.b"));
  }

  /** With another end that fits: checkpoints cover what is missing. */
  @Test
  void verify_tailCutAndEndReplaced_found() {
    List<AuditRow> cut = new ArrayList<>(export(Trail.sound()).subList(0, ROW_1 + 9));

    assertThat(found(ended(cut, 3, 9)))
        .containsExactly(
            "chain node-1.b row 4: cut off, up to row 4 at least, which checkpoint 2 covers");
  }

  @Test
  void verify_rowChanged_found() {
    Trail trail = Trail.sound();
    trail.change("node-0.a", 2, row -> withActor(row, "mallory"));

    assertThat(found(export(trail)))
        .containsExactly("chain node-0.a row 2: changed: its hash is not that of its content");

    trail.change("node-0.a", 2, Trail::rehashed);
    assertThat(found(export(trail)))
        .containsExactly("chain node-0.a row 2: replaced: the next row continues another one");
  }

  private static AuditRow withActor(AuditRow row, String actor) {
    return new AuditRow(
        row.chain(),
        row.sequence(),
        row.recordedAt(),
        row.kind(),
        actor,
        row.content(),
        row.previous(),
        row.hash());
  }

  @Test
  void verify_checkpointOfAnotherKey_found() {
    Trail trail = Trail.sound();
    trail.grow("node-0.a", 1, "row");
    trail.checkpoint(Trail.FOREIGN);

    assertThat(found(export(trail)))
        .containsExactly("checkpoint 4: the signature in the export is not by the audit key");
  }

  @Test
  void verify_everythingRewritten_foundByExportedCheckpoints() {
    Trail rewritten = Trail.grown("other");
    List<Finding> found = new ArrayList<>();
    CheckpointVerifier checkpoints =
        new CheckpointVerifier(
            Optional.of(Trail.KEY.publicKey()), new BouncyCastleVerifier(), "it", found::add);
    Trail.sound().exports.forEach(checkpoints::exported);
    new ExportVerifier(checkpoints, found::add)
        .verify(List.of(reading("file", export(rewritten), found)));

    assertThat(found).contains(new Finding.CheckpointRewritten(1, "checkpoint-1.json"));
  }

  @Test
  void verify_checkpointLineChanged_found() {
    List<AuditRow> export = export(Trail.sound());
    AuditRow second = export.get(1);
    export.set(1, withActor(second, "mallory"));

    assertThat(found(export)).startsWith("checkpoint 2: changed: it cannot be read");
  }

  @Test
  void verify_splitInTwoFiles_mergedAndComparedWhereTheyOverlap() {
    Trail trail = Trail.sound();
    List<AuditRow> whole = export(trail);
    List<AuditRow> first = ended(new ArrayList<>(whole.subList(0, ROW_1 + 5)), 3, 5);
    List<AuditRow> second = ended(new ArrayList<>(whole.subList(ROW_1 + 3, ROW_1 + 10)), 0, 7);

    assertThat(found(first, second)).isEmpty();
    assertThat(found(second, first)).isEmpty();

    second.set(1, withActor(second.get(1), "mallory"));
    assertThat(found(first, second))
        .containsExactly("chain node-0.a row 5: not the same in file-1 and in file-2");
  }

  @Test
  void verify_foreignLines_found() {
    List<Finding> found = new ArrayList<>();
    List<Line> lines = List.of(new Line(1, Optional.empty()), new Line(2, Optional.empty()));
    CheckpointVerifier checkpoints =
        new CheckpointVerifier(Optional.empty(), new BouncyCastleVerifier(), "it", found::add);

    new ExportVerifier(checkpoints, found::add)
        .verify(List.of(new ExportReading("file", lines.iterator(), found::add)));

    assertThat(found)
        .extracting(Finding::text)
        .containsExactly(
            "file line 1: is no line of an exported trail",
            "file line 2: is no line of an exported trail",
            "file line 2: the file has no end: it was cut off, or the export did not finish");
  }

  @Test
  void verify_linesAfterTheEnd_found() {
    List<AuditRow> export = export(Trail.sound());
    AuditRow next = new Trail().head("node-2.c").next(event());
    export.add(next);

    assertThat(found(export)).containsExactly("file-1 line 15: stands after the end of the export");
  }

  private static AuditEvent event() {
    return new AuditEvent(AT, "test", "alice", "{}");
  }

  @Test
  void form_anyCheckpoint_readsBack() {
    Trail trail = Trail.sound();
    Trail.Stored one = trail.checkpoints.getFirst();
    for (var signature :
        List.of(Optional.ofNullable(one.signature()), Optional.<OctetString>empty())) {
      ExportForm.Stored stored = new ExportForm.Stored(1, one.encoded(), signature);
      assertThat(ExportForm.stored(ExportForm.row(stored))).contains(stored);
    }
    ExportForm.Stored garbled = new ExportForm.Stored(7, ChainHead.nothing(), Optional.empty());
    assertThat(ExportForm.stored(ExportForm.row(garbled))).contains(garbled);
    assertThat(HexFormat.of().parseHex(ExportForm.row(garbled).hash().toString())).hasSize(32);
  }
}
