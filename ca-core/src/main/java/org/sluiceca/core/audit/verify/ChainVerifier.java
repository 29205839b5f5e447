package org.sluiceca.core.audit.verify;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.audit.ChainHead;
import org.sluiceca.core.x509.OctetString;

/**
 * Judges the rows of all chains, in the order of chain and sequence: each by its own hash, by the
 * row before it, and by the checkpoints that cover it. Holds one row at a time. For one thread.
 */
public final class ChainVerifier {

  /**
   * How much older than the youngest checkpoint an uncovered row may be: checkpoints are taken each
   * minute, clocks of nodes differ by seconds, and a burst of new chains takes several checkpoints.
   */
  static final Duration UNCOVERED_MAX = Duration.ofHours(1);

  private final CoveredHeads covered;
  private final Consumer<Finding> findings;

  private String chain = "";
  private long last;
  private OctetString lastHash = ChainHead.nothing();
  private boolean isUncovered;
  private long rows;
  private long chains;

  ChainVerifier(CoveredHeads covered, Consumer<Finding> findings) {
    this.covered = covered;
    this.findings = findings;
  }

  /** Takes the next row. */
  public void row(AuditRow row) {
    if (chains == 0 || !row.chain().equals(chain)) {
      endChain();
      begin(row.chain());
    }
    rows++;
    if (!row.ownHash().equals(row.hash())) {
      findings.accept(new Finding.RowChanged(chain, row.sequence()));
    }
    if (row.sequence() <= last) {
      // An export alone can have that: the database gives rows in order.
      findings.accept(new Finding.RowOutOfOrder(chain, row.sequence(), last));
      return;
    }
    if (row.sequence() != last + 1) {
      findings.accept(new Finding.RowsMissing(chain, last + 1, row.sequence() - 1));
    } else if (!row.previous().equals(lastHash)) {
      findings.accept(new Finding.RowReplaced(chain, Math.max(1, last)));
    }
    Optional<CoveredHeads.Covered> head = covered.at(chain, row.sequence());
    if (head.isPresent() && !head.get().hash().equals(row.hash())) {
      findings.accept(new Finding.RowRewritten(chain, row.sequence(), head.get().checkpoint()));
    }
    judgeAge(row);
    last = row.sequence();
    lastHash = row.hash();
  }

  /** Ends the rows: what checkpoints cover and was not there is missing. */
  public void end() {
    endChain();
    for (String missing : covered.unvisited().stream().sorted().toList()) {
      begin(missing);
      endChain();
    }
  }

  /** Returns how many rows were taken. */
  public long rows() {
    return rows;
  }

  /** Returns how many chains there were, those that are missing as a whole among them. */
  public long chains() {
    return chains;
  }

  private void begin(String name) {
    chain = name;
    last = 0;
    lastHash = ChainHead.nothing();
    isUncovered = false;
    chains++;
    covered.visited(name);
  }

  private void endChain() {
    if (chains == 0) {
      return;
    }
    long highest = covered.highest(chain);
    if (highest > last) {
      long checkpoint = covered.at(chain, highest).orElseThrow().checkpoint();
      findings.accept(new Finding.TailCut(chain, last + 1, highest, checkpoint));
    }
  }

  /** The first such row of a chain is named; those after it have the same fate. */
  private void judgeAge(AuditRow row) {
    if (isUncovered || covered.newest() == 0 || row.sequence() <= covered.highest(chain)) {
      return;
    }
    Instant youngest = covered.newestTakenAt().minus(UNCOVERED_MAX);
    if (row.recordedAt().isBefore(youngest)) {
      isUncovered = true;
      findings.accept(new Finding.RowUncovered(chain, row.sequence(), covered.newest()));
    }
  }
}
