package org.sluiceca.core.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.audit.ChainHead;
import org.sluiceca.core.audit.Checkpoint;
import org.sluiceca.core.audit.CheckpointStore;
import org.sluiceca.core.x509.OctetString;

/** Keeps checkpoints, and the rows that they cover, in memory. Thread-safe. */
public final class InMemoryCheckpointStore implements CheckpointStore {

  private final TreeMap<Long, OctetString> checkpoints = new TreeMap<>();
  private final TreeMap<Long, OctetString> signatures = new TreeMap<>();
  private final List<AuditRow> rows = new ArrayList<>();

  /** Adds a row as a node's writer would. */
  public synchronized void append(AuditRow row) {
    rows.add(row);
  }

  /** Removes the rows of a chain from this one on, as the owner of the tables could. */
  public synchronized void remove(String chain, long from) {
    rows.removeIf(row -> row.chain().equals(chain) && row.sequence() >= from);
  }

  /** Adds a signed checkpoint as a program could that writes to the database. */
  public synchronized void forge(long number, OctetString content, OctetString signature) {
    checkpoints.put(number, content);
    signatures.put(number, signature);
  }

  /** Returns the signature that stands for a checkpoint. */
  public synchronized Optional<OctetString> signature(long number) {
    return Optional.ofNullable(signatures.get(number));
  }

  @Override
  public synchronized Optional<Numbered> latest() {
    return Optional.ofNullable(checkpoints.lastEntry()).map(InMemoryCheckpointStore::numbered);
  }

  @Override
  public synchronized List<Signed> signedAfter(long number, int max) {
    return checkpoints.tailMap(number, false).entrySet().stream()
        .filter(entry -> signatures.containsKey(entry.getKey()))
        .limit(max)
        .map(
            entry ->
                new Signed(
                    entry.getKey(),
                    entry.getValue(),
                    Objects.requireNonNull(signatures.get(entry.getKey()))))
        .toList();
  }

  @Override
  public synchronized List<ChainHead> heads() {
    TreeMap<String, ChainHead> heads = new TreeMap<>();
    for (AuditRow row : rows) {
      heads.merge(row.chain(), row.head(), (a, b) -> a.sequence() > b.sequence() ? a : b);
    }
    return List.copyOf(heads.values());
  }

  @Override
  public synchronized boolean record(Checkpoint checkpoint) {
    return checkpoints.putIfAbsent(checkpoint.number(), checkpoint.encoded()) == null;
  }

  @Override
  public synchronized void recordSignature(long number, OctetString signature) {
    signatures.putIfAbsent(number, signature);
  }

  private static Numbered numbered(Map.Entry<Long, OctetString> entry) {
    return new Numbered(entry.getKey(), entry.getValue());
  }
}
