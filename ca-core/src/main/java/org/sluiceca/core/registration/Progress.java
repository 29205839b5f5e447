package org.sluiceca.core.registration;

import java.time.Duration;
import org.sluiceca.core.intent.LedgerEntry;

/** What the client of a request learns. */
public sealed interface Progress {

  /** Names are not proven yet. */
  record Awaiting() implements Progress {}

  /** The CSR is missing. */
  record Ready() implements Progress {}

  /**
   * The CSR is durable, and there is no outcome yet.
   *
   * @param pollAfter when to ask again
   */
  record Processing(Duration pollAfter) implements Progress {}

  /** There is a certificate. */
  record Issued(LedgerEntry entry) implements Progress {}

  /** There will be none. */
  record Refused(Refusal refusal) implements Progress {}

  /** Its time was over before the CSR came. */
  record Expired() implements Progress {}
}
