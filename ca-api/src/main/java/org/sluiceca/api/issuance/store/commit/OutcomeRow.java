package org.sluiceca.api.issuance.store.commit;

import java.util.Optional;
import org.sluiceca.core.intent.Claim;
import org.sluiceca.core.intent.LedgerStore.OutcomeAnswer;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.x509.SerialNumber;

/** An outcome to record. The answer is empty if no intent has its serial number. */
public final class OutcomeRow extends PendingRow<Optional<OutcomeAnswer>> {

  private final Outcome outcome;
  private final Claim claim;

  public OutcomeRow(SerialNumber serialNumber, Outcome outcome, Claim claim, Deadline deadline) {
    super(serialNumber, deadline);
    this.outcome = outcome;
    this.claim = claim;
  }

  public Outcome outcome() {
    return outcome;
  }

  public Claim claim() {
    return claim;
  }
}
