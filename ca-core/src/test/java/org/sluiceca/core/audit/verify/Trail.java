package org.sluiceca.core.audit.verify;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.audit.AuditEvent;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.audit.ChainHead;
import org.sluiceca.core.audit.Checkpoint;
import org.sluiceca.core.audit.RecordedCheckpoint;
import org.sluiceca.core.audit.SignedCheckpoint;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.OctetString;

/**
 * A small audit trail to tamper with: what a database holds, and what was exported of it. Time goes
 * on by a minute with each row.
 */
final class Trail {

  static final SoftwareKey KEY = SoftwareKey.named("issuer-ec-p256");
  static final SoftwareKey FOREIGN = SoftwareKey.named("ec-p256");

  private static final Instant START = Instant.parse("2026-05-04T10:00:00Z");
  private static final long MINUTE = 60;

  /** As the database keeps it. */
  record Stored(long number, OctetString encoded, @Nullable OctetString signature) {}

  final List<AuditRow> rows = new ArrayList<>();
  final List<Stored> checkpoints = new ArrayList<>();
  final Map<String, SignedCheckpoint> exports = new TreeMap<>();
  private Instant now = START;

  /**
   * Two chains, of six rows and of four, and three checkpoints, exported: the first covers three
   * and two rows, the second all four of node-1, the third all six of node-0.
   */
  static Trail sound() {
    return grown("row");
  }

  /** The same with other contents: those of an attacker who rewrites everything. */
  static Trail grown(String content) {
    Trail trail = new Trail();
    trail.grow("node-0.a", 3, content);
    trail.grow("node-1.b", 2, content);
    trail.checkpoint(KEY);
    trail.grow("node-1.b", 2, content);
    trail.checkpoint(KEY);
    trail.grow("node-0.a", 3, content);
    trail.checkpoint(KEY);
    return trail;
  }

  Trail copy() {
    Trail copy = new Trail();
    copy.rows.addAll(rows);
    copy.checkpoints.addAll(checkpoints);
    copy.exports.putAll(exports);
    copy.now = now;
    return copy;
  }

  void grow(String chain, int count, String content) {
    for (int i = 0; i < count; i++) {
      now = now.plusSeconds(MINUTE);
      ChainHead head = head(chain);
      rows.add(head.next(new AuditEvent(now, "test", "alice", content + head.sequence())));
    }
  }

  void passHours(int hours) {
    now = now.plusSeconds(hours * 60L * MINUTE);
  }

  ChainHead head(String chain) {
    return rows.stream()
        .filter(row -> row.chain().equals(chain))
        .max(Comparator.comparingLong(AuditRow::sequence))
        .map(AuditRow::head)
        .orElse(ChainHead.start(chain));
  }

  void checkpoint(SoftwareKey key) {
    checkpoint(
        key, rows.stream().map(AuditRow::chain).distinct().sorted().map(this::head).toList());
  }

  void checkpoint(SoftwareKey key, List<ChainHead> heads) {
    OctetString previous =
        checkpoints.isEmpty()
            ? ChainHead.nothing()
            : Checkpoint.hash(checkpoints.getLast().encoded());
    Checkpoint next = new Checkpoint(checkpoints.size() + 1, previous, now, heads);
    OctetString signature = key.sign(RecordedCheckpoint.ALGORITHM, next.encoded());
    checkpoints.add(new Stored(next.number(), next.encoded(), signature));
    exports.put(
        String.format(Locale.ROOT, "checkpoint-%d.json", next.number()),
        new SignedCheckpoint(next.encoded(), signature));
  }

  AuditRow row(String chain, long sequence) {
    return rows.stream()
        .filter(row -> row.chain().equals(chain) && row.sequence() == sequence)
        .findFirst()
        .orElseThrow();
  }

  void change(String chain, long sequence, UnaryOperator<AuditRow> change) {
    rows.replaceAll(
        row -> row.chain().equals(chain) && row.sequence() == sequence ? change.apply(row) : row);
  }

  void remove(String chain, long sequence) {
    rows.remove(row(chain, sequence));
  }

  /** With the hash that the other fields now have. */
  static AuditRow rehashed(AuditRow row) {
    return new AuditRow(
        row.chain(),
        row.sequence(),
        row.recordedAt(),
        row.kind(),
        row.actor(),
        row.content(),
        row.previous(),
        row.ownHash());
  }

  /** What the verifier finds: in the order in which a database gives rows. */
  void verify(Consumer<Finding> findings) {
    CheckpointVerifier verifier =
        new CheckpointVerifier(Optional.of(KEY.publicKey()), new BouncyCastleVerifier(), findings);
    exports.forEach(verifier::exported);
    checkpoints.stream()
        .sorted(Comparator.comparingLong(Stored::number))
        .forEach(c -> verifier.stored(c.number(), c.encoded(), Optional.ofNullable(c.signature())));
    ChainVerifier chains = verifier.rows();
    rows.stream()
        .sorted(Comparator.comparing(AuditRow::chain).thenComparingLong(AuditRow::sequence))
        .forEach(chains::row);
    chains.end();
  }

  List<Finding> findings() {
    List<Finding> found = new ArrayList<>();
    verify(found::add);
    return found;
  }
}
