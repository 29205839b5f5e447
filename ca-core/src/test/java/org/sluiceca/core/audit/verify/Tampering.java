package org.sluiceca.core.audit.verify;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.audit.ChainHead;
import org.sluiceca.core.audit.SignedCheckpoint;
import org.sluiceca.core.x509.OctetString;

/** Every way of changing a trail that is to be found, and exactly what is to be found. */
final class Tampering {

  private static final String A = "node-0.a";
  private static final String B = "node-1.b";

  /** One way. */
  record Way(Consumer<Trail> change, List<Finding> found) {}

  private Tampering() {}

  static Map<String, Way> ways() {
    Map<String, Way> ways = new LinkedHashMap<>();
    fields().forEach((field, change) -> ways.put("row: " + field, changed(change)));
    rows(ways);
    coverage(ways);
    checkpoints(ways);
    databases(ways);
    return ways;
  }

  /** Each field of a row in turn; chain and sequence are where it stands, and come below. */
  private static Map<String, UnaryOperator<AuditRow>> fields() {
    Map<String, UnaryOperator<AuditRow>> fields = new LinkedHashMap<>();
    fields.put("recorded_at", r -> with(r, r.recordedAt().plusNanos(1000), r.kind(), r.actor()));
    fields.put("kind", r -> with(r, r.recordedAt(), "other", r.actor()));
    fields.put("actor", r -> with(r, r.recordedAt(), r.kind(), "other"));
    fields.put("content", r -> withContent(r, "other"));
    return fields;
  }

  private static Way changed(UnaryOperator<AuditRow> change) {
    return new Way(t -> t.change(A, 2, change), List.of(new Finding.RowChanged(A, 2)));
  }

  private static void rows(Map<String, Way> ways) {
    OctetString other = OctetString.copyOf(new byte[32]);
    ways.put(
        "row: hash",
        new Way(
            t -> t.change(A, 2, r -> withHashes(r, r.previous(), other)),
            List.of(new Finding.RowChanged(A, 2), new Finding.RowReplaced(A, 2))));
    ways.put(
        "row: previous",
        new Way(
            t -> t.change(A, 2, r -> withHashes(r, other, r.hash())),
            List.of(new Finding.RowChanged(A, 2), new Finding.RowReplaced(A, 1))));
    ways.put(
        "row: content with its hash",
        new Way(
            t -> t.change(A, 2, r -> Trail.rehashed(withContent(r, "other"))),
            List.of(new Finding.RowReplaced(A, 2))));
    ways.put(
        "row: the last one with its hash",
        new Way(
            t -> t.change(A, 6, r -> Trail.rehashed(withContent(r, "other"))),
            List.of(new Finding.RowRewritten(A, 6, 3))));
    ways.put(
        "row removed from the middle",
        new Way(t -> t.remove(A, 2), List.of(new Finding.RowsMissing(A, 2, 2))));
    ways.put(
        "first rows removed",
        new Way(
            t -> {
              t.remove(A, 1);
              t.remove(A, 2);
            },
            List.of(new Finding.RowsMissing(A, 1, 2))));
    ways.put("contents of two rows swapped", new Way(Tampering::swapContents, swapped(false)));
    ways.put("places of two rows swapped", new Way(Tampering::swapPlaces, swapped(true)));
    ways.put(
        "tail cut",
        new Way(
            t -> {
              t.remove(A, 5);
              t.remove(A, 6);
            },
            List.of(new Finding.TailCut(A, 5, 6, 3))));
    ways.put(
        "chain removed",
        new Way(
            t -> t.rows.removeIf(row -> row.chain().equals(B)),
            List.of(new Finding.TailCut(B, 1, 4, 2))));
    ways.put(
        "chain renamed",
        new Way(
            t -> t.rows.replaceAll(r -> r.chain().equals(B) ? renamed(r) : r),
            List.of(
                new Finding.RowChanged("node-1.c", 1),
                new Finding.RowChanged("node-1.c", 2),
                new Finding.RowChanged("node-1.c", 3),
                new Finding.RowChanged("node-1.c", 4),
                new Finding.TailCut(B, 1, 4, 2))));
  }

  private static void coverage(Map<String, Way> ways) {
    ways.put(
        "chain kept out of the checkpoints",
        new Way(
            t -> {
              t.grow("node-2.c", 2, "row");
              t.passHours(2);
              t.grow(A, 1, "row");
              t.checkpoint(Trail.KEY, List.of(t.head(A)));
            },
            List.of(new Finding.RowUncovered("node-2.c", 1, 4))));
    ways.put(
        "chain kept out of the checkpoints and put into an unsigned one",
        new Way(
            t -> {
              t.grow("node-2.c", 2, "row");
              t.passHours(2);
              t.grow(A, 1, "row");
              t.checkpoint(Trail.KEY, List.of(t.head(A)));
              t.checkpoint(Trail.FOREIGN);
              t.checkpoints.add(unsigned(t.checkpoints.removeLast()));
              t.exports.remove("checkpoint-5.json");
            },
            List.of(new Finding.RowUncovered("node-2.c", 1, 4))));
  }

  private static Trail.Stored unsigned(Trail.Stored checkpoint) {
    return new Trail.Stored(checkpoint.number(), checkpoint.encoded(), null);
  }

  private static void checkpoints(Map<String, Way> ways) {
    ways.put(
        "checkpoint removed",
        new Way(t -> t.checkpoints.remove(1), List.of(new Finding.CheckpointMissing(2, 2))));
    ways.put(
        "newest checkpoint removed",
        new Way(t -> t.checkpoints.removeLast(), List.of(new Finding.CheckpointMissing(3, 3))));
    ways.put(
        "checkpoint garbled, never exported",
        new Way(
            t -> {
              t.exports.clear();
              t.checkpoints.set(1, new Trail.Stored(2, OctetString.copyOf(new byte[] {1}), null));
            },
            List.of(new Finding.CheckpointUnreadable(2), new Finding.CheckpointReplaced(2))));
    ways.put(
        "checkpoint signed by another key, never exported",
        new Way(
            t -> {
              t.exports.clear();
              t.checkpoints.removeLast();
              t.checkpoint(Trail.FOREIGN);
              t.exports.clear();
            },
            List.of(new Finding.CheckpointForeign(3, "the database"))));
    ways.put(
        "export signed by another key",
        new Way(
            t -> {
              Trail forged = Trail.sound();
              forged.checkpoints.removeLast();
              forged.checkpoint(Trail.FOREIGN);
              t.exports.put("checkpoint-3.json", last(forged));
            },
            List.of(new Finding.CheckpointForeign(3, "checkpoint-3.json"))));
    ways.put(
        "export garbled",
        new Way(
            t ->
                t.exports.put(
                    "checkpoint-3.json",
                    new SignedCheckpoint(ChainHead.nothing(), ChainHead.nothing())),
            List.of(new Finding.ExportUnreadable("checkpoint-3.json"))));
  }

  private static void databases(Map<String, Way> ways) {
    ways.put(
        "rolled back to an older state with its checkpoints",
        new Way(
            t -> {
              for (int row = 4; row <= 6; row++) {
                t.remove(A, row);
              }
              t.checkpoints.removeLast();
            },
            List.of(new Finding.CheckpointMissing(3, 3), new Finding.TailCut(A, 4, 6, 3))));
    ways.put(
        "emptied",
        new Way(
            t -> {
              t.rows.clear();
              t.checkpoints.clear();
            },
            List.of(
                new Finding.CheckpointMissing(1, 3),
                new Finding.TailCut(A, 1, 6, 3),
                new Finding.TailCut(B, 1, 4, 2))));
    ways.put(
        "rewritten with right hashes, signed by the audit key",
        new Way(
            t -> {
              Trail rewritten = Trail.grown("forged");
              t.rows.clear();
              t.rows.addAll(rewritten.rows);
              t.checkpoints.clear();
              t.checkpoints.addAll(rewritten.checkpoints);
            },
            List.of(
                new Finding.CheckpointRewritten(1, "checkpoint-1.json"),
                new Finding.CheckpointRewritten(2, "checkpoint-2.json"),
                new Finding.CheckpointRewritten(3, "checkpoint-3.json"),
                new Finding.RowRewritten(A, 3, 1),
                new Finding.RowRewritten(A, 6, 3),
                new Finding.RowRewritten(B, 2, 1),
                new Finding.RowRewritten(B, 4, 2))));
    ways.put(
        "one chain rewritten from its fourth row on, checkpoints removed",
        new Way(
            t -> {
              for (int row = 4; row <= 6; row++) {
                t.remove(A, row);
              }
              t.grow(A, 3, "forged");
              t.checkpoints.clear();
            },
            List.of(new Finding.CheckpointMissing(1, 3), new Finding.RowRewritten(A, 6, 3))));
  }

  private static SignedCheckpoint last(Trail trail) {
    return java.util.Objects.requireNonNull(trail.exports.get("checkpoint-3.json"));
  }

  private static void swapContents(Trail trail) {
    String second = trail.row(B, 2).content();
    String third = trail.row(B, 3).content();
    trail.change(B, 2, r -> withContent(r, third));
    trail.change(B, 3, r -> withContent(r, second));
  }

  private static void swapPlaces(Trail trail) {
    AuditRow second = trail.row(B, 2);
    AuditRow third = trail.row(B, 3);
    trail.remove(B, 2);
    trail.remove(B, 3);
    trail.rows.add(at(second, 3));
    trail.rows.add(at(third, 2));
  }

  /** With their places hashes go, too: then neighbours and the checkpoint disagree as well. */
  private static List<Finding> swapped(boolean withHashes) {
    return withHashes
        ? List.of(
            new Finding.RowChanged(B, 2),
            new Finding.RowReplaced(B, 1),
            new Finding.RowRewritten(B, 2, 1),
            new Finding.RowChanged(B, 3),
            new Finding.RowReplaced(B, 2),
            new Finding.RowReplaced(B, 3))
        : List.of(new Finding.RowChanged(B, 2), new Finding.RowChanged(B, 3));
  }

  private static AuditRow at(AuditRow row, long sequence) {
    return new AuditRow(
        row.chain(),
        sequence,
        row.recordedAt(),
        row.kind(),
        row.actor(),
        row.content(),
        row.previous(),
        row.hash());
  }

  private static AuditRow renamed(AuditRow row) {
    return new AuditRow(
        "node-1.c",
        row.sequence(),
        row.recordedAt(),
        row.kind(),
        row.actor(),
        row.content(),
        row.previous(),
        row.hash());
  }

  private static AuditRow with(
      AuditRow row, java.time.Instant recordedAt, String kind, String actor) {
    return new AuditRow(
        row.chain(),
        row.sequence(),
        recordedAt,
        kind,
        actor,
        row.content(),
        row.previous(),
        row.hash());
  }

  private static AuditRow withContent(AuditRow row, String content) {
    return new AuditRow(
        row.chain(),
        row.sequence(),
        row.recordedAt(),
        row.kind(),
        row.actor(),
        content,
        row.previous(),
        row.hash());
  }

  private static AuditRow withHashes(AuditRow row, OctetString previous, OctetString hash) {
    return new AuditRow(
        row.chain(),
        row.sequence(),
        row.recordedAt(),
        row.kind(),
        row.actor(),
        row.content(),
        previous,
        hash);
  }
}
