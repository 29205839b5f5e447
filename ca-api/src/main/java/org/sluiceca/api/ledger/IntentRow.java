package org.sluiceca.api.ledger;

import java.util.Optional;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.LedgerStore.IntentAnswer;
import org.sluiceca.core.time.Deadline;

/** An intent to record. The answer is empty if its serial number stands for another intent. */
final class IntentRow extends PendingRow<Optional<IntentAnswer>> {

  private final Intent intent;
  private final ClaimTerms terms;

  IntentRow(Intent intent, ClaimTerms terms, Deadline deadline) {
    super(intent.serialNumber(), deadline);
    this.intent = intent;
    this.terms = terms;
  }

  Intent intent() {
    return intent;
  }

  ClaimTerms terms() {
    return terms;
  }
}
