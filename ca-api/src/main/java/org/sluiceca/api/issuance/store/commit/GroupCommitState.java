package org.sluiceca.api.issuance.store.commit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.sluiceca.core.x509.SerialNumber;

/**
 * The machine of the group commit: which rows wait, and which make the next batch. Pure: no thread,
 * no clock. Owned by {@link GroupCommit}, which guards it.
 */
public final class GroupCommitState {

  private final int waitingMax;
  private final int batchMax;
  // In the order of arrival; a set, so that a row is withdrawn without a search.
  private final Set<PendingRow<?>> waiting = new LinkedHashSet<>();

  public GroupCommitState(int waitingMax, int batchMax) {
    this.waitingMax = waitingMax;
    this.batchMax = batchMax;
  }

  /**
   * The rows that a writer takes at once.
   *
   * @param rows to be written in one transaction; no two of one serial number
   * @param expired rows whose deadlines passed while they waited: certainly not executed
   */
  record Batch(List<PendingRow<?>> rows, List<PendingRow<?>> expired) {}

  /** Adds a row, or returns false if as many wait as may. */
  boolean offer(PendingRow<?> row) {
    return waiting.size() < waitingMax && waiting.add(row);
  }

  /** Takes a row back, or returns false if a writer has taken it already. */
  boolean withdraw(PendingRow<?> row) {
    return waiting.remove(row);
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  int size() {
    return waiting.size();
  }

  /**
   * Takes the rows that waited longest. Of several rows of one serial number the first goes, the
   * others wait for the next batches: so each in order learns what stands.
   */
  Batch take(long nowNanos) {
    List<PendingRow<?>> rows = new ArrayList<>();
    List<PendingRow<?>> expired = new ArrayList<>();
    Set<SerialNumber> serialNumbers = new HashSet<>();
    Iterator<PendingRow<?>> oldestFirst = waiting.iterator();
    while (rows.size() < batchMax && oldestFirst.hasNext()) {
      PendingRow<?> row = oldestFirst.next();
      if (row.deadline().hasPassed(() -> nowNanos)) {
        expired.add(row);
        oldestFirst.remove();
      } else if (serialNumbers.add(row.serialNumber())) {
        rows.add(row);
        oldestFirst.remove();
      }
    }
    return new Batch(rows, expired);
  }
}
