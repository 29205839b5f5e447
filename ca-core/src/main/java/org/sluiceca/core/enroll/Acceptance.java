package org.sluiceca.core.enroll;

import org.sluiceca.core.admit.AdmissionDecision;
import org.sluiceca.core.admit.LinePermit;
import org.sluiceca.core.failure.Rejection;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.RecordedIntent;

/** What {@link Enrollment#accept} came to. */
public sealed interface Acceptance {

  /**
   * The intent is durable, its signature was asked for, and {@link Enrollment#finish} ends it. The
   * caller must give {@code place} back.
   */
  record Accepted(PendingFinish pending, LinePermit place) implements Acceptance {

    /** The intent. */
    public RecordedIntent intent() {
      return pending.intent();
    }
  }

  /** An order is durable in the backlog, from where a node takes it when the line has room. */
  record Ordered(Intent intent) implements Acceptance {}

  /** The same request came before; this is what became of it, an issued certificate. */
  record Replayed(LedgerEntry first) implements Acceptance {}

  /** The same request came before and is not finished yet. */
  record InProgress(LedgerEntry first) implements Acceptance {}

  /** Refused for cause; nothing was recorded. */
  record Rejected(Rejection rejection) implements Acceptance {}

  /** Refused for load; nothing was parsed or recorded. */
  record Shed(AdmissionDecision.Shed decision) implements Acceptance {}
}
