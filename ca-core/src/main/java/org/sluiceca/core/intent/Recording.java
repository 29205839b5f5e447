package org.sluiceca.core.intent;

/** The answer of step 5. */
public sealed interface Recording {

  /** Durable and claimed: it may be signed. */
  record Recorded(RecordedIntent intent) implements Recording {}

  /** The same requester asked the same before; nothing new was recorded. */
  record Replayed(LedgerEntry first) implements Recording {}

  /** The requester used its key before for another payload; nothing new was recorded. */
  record KeyReused(LedgerEntry first) implements Recording {}
}
