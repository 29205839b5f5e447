package org.sluiceca.load.scenario.judge;

import java.util.List;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.watch.LedgerRow;

/**
 * What there is of one phase: of a long run no more than two are in memory at a time.
 *
 * @param rows of the requests of this phase
 * @param earlierRows of those of the phase before, which may have been issued in this one
 */
public record Seen(
    Watched watched, List<Exchange> records, List<LedgerRow> rows, List<LedgerRow> earlierRows) {

  /** Copies. */
  public Seen {
    records = List.copyOf(records);
    rows = List.copyOf(rows);
    earlierRows = List.copyOf(earlierRows);
  }
}
