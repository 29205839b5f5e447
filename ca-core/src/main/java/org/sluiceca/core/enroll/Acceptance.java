package org.sluiceca.core.enroll;

import org.sluiceca.core.admit.AdmissionDecision;
import org.sluiceca.core.admit.LinePermit;
import org.sluiceca.core.failure.Rejection;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.RecordedIntent;

/** What {@link Enrollment#accept} came to. */
public sealed interface Acceptance extends OrderAcceptance {

  /**
   * A durable promise, which {@link Enrollment#finish} keeps. Whoever holds this must see to it
   * that {@code place} is given back.
   */
  record Accepted(RecordedIntent intent, LinePermit place) implements Acceptance {}

  /** The same request came before; this is what became of it, an issued certificate. */
  record Replayed(LedgerEntry first) implements Acceptance {}

  /** The same request came before and is not finished yet. */
  record InProgress(LedgerEntry first) implements Acceptance {}

  /** Refused for cause; nothing was recorded. */
  record Rejected(Rejection rejection) implements Acceptance {}

  /** Refused for load; nothing was parsed or recorded. */
  record Shed(AdmissionDecision.Shed decision) implements Acceptance {}
}
