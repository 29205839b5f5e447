package org.sluiceca.load.judge;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.watch.HsmFigures;
import org.sluiceca.load.watch.LedgerRow;

/**
 * All that a run left: what clients received, what the ledger holds, what the HSM showed.
 *
 * @param hsms the looks at each HSM, in the order of time
 * @param clockOffsetNanos what {@link System#nanoTime} is ahead of the nanoseconds since the epoch
 */
public record Evidence(
    List<Exchange> exchanges,
    List<LedgerRow> rows,
    Map<String, List<HsmFigures>> hsms,
    long clockOffsetNanos) {

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** Copies. */
  public Evidence {
    exchanges = List.copyOf(exchanges);
    rows = List.copyOf(rows);
    hsms = Map.copyOf(hsms);
  }

  /** Returns what of it belongs to a phase. */
  List<Exchange> of(String phase) {
    return exchanges.stream().filter(e -> e.request().phase().equals(phase)).toList();
  }

  /** Returns when a row was issued, by {@link System#nanoTime}; only for issued rows. */
  public long issuedNanos(LedgerRow row) {
    Instant at = row.outcome().orElseThrow().at();
    return at.getEpochSecond() * NANOS_PER_SECOND + at.getNano() + clockOffsetNanos;
  }

  /** Returns the issued rows. */
  public List<LedgerRow> issued() {
    return rows.stream().filter(LedgerRow::isIssued).toList();
  }

  Map<String, List<LedgerRow>> rowsByKey() {
    return rows.stream().collect(Collectors.groupingBy(LedgerRow::key));
  }

  /** Returns the offset now; the machine's clocks do not drift apart by a millisecond in a run. */
  public static long clockOffset() {
    Instant now = Instant.now();
    return System.nanoTime() - (now.getEpochSecond() * NANOS_PER_SECOND + now.getNano());
  }
}
