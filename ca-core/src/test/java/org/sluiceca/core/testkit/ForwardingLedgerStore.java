package org.sluiceca.core.testkit;

import java.util.List;
import java.util.Optional;
import org.sluiceca.core.intent.Claim;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.LedgerStore;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.x509.SerialNumber;

/**
 * Hands on to another store but for what is overridden: the stuff that faulty stores are made of.
 */
public class ForwardingLedgerStore implements LedgerStore {

  /** The store that does the work. */
  protected final LedgerStore sound;

  /** Hands on to {@code sound}. */
  public ForwardingLedgerStore(LedgerStore sound) {
    this.sound = sound;
  }

  /** Returns a store that answers every late outcome as if it were the first. */
  public static LedgerStore whereEverybodyWins(LedgerStore sound) {
    return new ForwardingLedgerStore(sound) {
      @Override
      public OutcomeAnswer recordOutcome(
          SerialNumber serialNumber, Outcome outcome, Claim claim, Deadline deadline) {
        OutcomeAnswer answer = sound.recordOutcome(serialNumber, outcome, claim, deadline);
        return answer instanceof OutcomeAnswer.AlreadyDecided
            ? new OutcomeAnswer.Recorded()
            : answer;
      }
    };
  }

  @Override
  public IntentAnswer recordIntent(Intent intent, ClaimTerms terms, Deadline deadline) {
    return sound.recordIntent(intent, terms, deadline);
  }

  @Override
  public OutcomeAnswer recordOutcome(
      SerialNumber serialNumber, Outcome outcome, Claim claim, Deadline deadline) {
    return sound.recordOutcome(serialNumber, outcome, claim, deadline);
  }

  @Override
  public Optional<LedgerEntry> find(SerialNumber serialNumber) {
    return sound.find(serialNumber);
  }

  @Override
  public List<TakenOver> claimExpired(ClaimTerms terms, int max) {
    return sound.claimExpired(terms, max);
  }

  @Override
  public Optional<TakenOver> takeOver(SerialNumber serialNumber, ClaimTerms terms) {
    return sound.takeOver(serialNumber, terms);
  }
}
