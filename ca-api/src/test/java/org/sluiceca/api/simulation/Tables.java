package org.sluiceca.api.simulation;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.sluiceca.core.intent.Claim;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.LedgerStore.IntentAnswer;
import org.sluiceca.core.intent.LedgerStore.OutcomeAnswer;
import org.sluiceca.core.intent.LedgerStore.TakenOver;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.x509.SerialNumber;

/** The database as a ledger's code sees it: one node's connections to it. */
public interface Tables {

  /** An intent to insert. */
  record IntentWrite(Intent intent, ClaimTerms terms) {}

  /** An outcome to insert. */
  record OutcomeWrite(SerialNumber serialNumber, Outcome outcome, Claim claim) {}

  /**
   * What a transaction came to, in the order of its rows; an empty answer says that a serial number
   * stands for another intent, or for none.
   */
  record Answers(List<Optional<IntentAnswer>> intents, List<Optional<OutcomeAnswer>> outcomes) {}

  /** Writes rows in one transaction. */
  Answers commit(List<IntentWrite> intents, List<OutcomeWrite> outcomes) throws SQLException;

  /** Reads one entry. */
  Optional<LedgerEntry> find(SerialNumber serialNumber) throws SQLException;

  /** One pass of recovery. */
  List<TakenOver> claimExpired(ClaimTerms terms, int max) throws SQLException;
}
