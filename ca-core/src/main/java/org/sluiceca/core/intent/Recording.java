package org.sluiceca.core.intent;

/** The answer of step 5. */
public sealed interface Recording {

  /** Durable and claimed: it may be signed. */
  record Recorded(RecordedIntent intent) implements Recording {}

  /** The answer of step 5 for an order that goes into the backlog. */
  sealed interface OfOrder {}

  /** Durable in the backlog: the node that takes it from there may sign it. */
  record Ordered(Intent intent) implements OfOrder {}

  /** Nothing new was recorded. */
  sealed interface Unrecorded extends Recording, OfOrder {}

  /** A revocation reported the certificate's key as compromised. */
  record KeyCompromised() implements Unrecorded {}

  /** The same requester asked the same before. */
  record Replayed(LedgerEntry first) implements Unrecorded {}

  /** The requester used its key before for another payload. */
  record KeyReused(LedgerEntry first) implements Unrecorded {}
}
