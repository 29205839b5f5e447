package org.sluiceca.core.intent;

import java.time.Duration;
import java.time.Instant;

/**
 * A pending intent taken over from an owner that let its claim run out, or out of the backlog. Both
 * instants are the database's: a node's clock may have been set, and what recovery gives up is lost
 * for good.
 *
 * @param untouched whether no node owned it before, so that no node can have signed it
 */
public record ExpiredIntent(
    RecordedIntent intent, Instant recordedAt, Instant takenAt, boolean untouched) {

  /** Returns how long ago it was recorded. */
  Duration age() {
    return Duration.between(recordedAt, takenAt);
  }
}
