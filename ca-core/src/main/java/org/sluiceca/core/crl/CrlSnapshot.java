package org.sluiceca.core.crl;

import java.time.Instant;
import java.util.Optional;

/**
 * What a scope was at one moment, all read together.
 *
 * @param now the database's time
 * @param lastNumber the highest number that any CRL of the scope reserved; 0 for none
 * @param revision how many events the scope had
 * @param lastScheduled the last signed complete CRL that came in its turn
 * @param isOnly whether its issuer has no other scope, so that the CRL is complete
 */
public record CrlSnapshot(
    Instant now,
    long lastNumber,
    long revision,
    Optional<Scheduled> lastScheduled,
    boolean isOnly) {

  /**
   * A signed complete CRL that came in its turn: what it knew of and what had ended before it
   * leaves the next ones, and deltas are to it.
   *
   * @param made how it was made; empty if by a version that did not record it
   */
  public record Scheduled(
      long number,
      long revision,
      Instant issuedAt,
      Instant nextUpdate,
      Optional<PlannedCrl.Kind.Complete> made) {}
}
