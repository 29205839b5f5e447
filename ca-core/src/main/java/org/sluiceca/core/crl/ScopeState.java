package org.sluiceca.core.crl;

import java.time.Instant;
import java.util.Optional;
import org.sluiceca.core.revoke.CrlScope;

/**
 * Where a scope stands, as the schedule sees it. All instants are the database's.
 *
 * @param newest the signed complete CRL with the highest number
 * @param reservedAt when a higher number was reserved whose CRL is not signed, or not yet
 * @param pending the events that are not on the newest complete CRL
 * @param delta the newest delta CRL
 */
public record ScopeState(
    CrlScope scope,
    Instant now,
    Optional<Newest> newest,
    Optional<Instant> reservedAt,
    Optional<Pending> pending,
    Optional<Delta> delta) {

  /** The newest signed CRL. */
  public record Newest(
      long number, Instant issuedAt, Instant nextUpdate, Instant recordedAt, int entries) {}

  /**
   * The signed delta CRL with the highest number.
   *
   * @param pending the events that it does not know of
   */
  public record Delta(Newest newest, Optional<Pending> pending) {}

  /**
   * Events that relying parties do not know of.
   *
   * @param since when the first of them was recorded
   * @param isCompromise whether one of them says that others may have the key
   */
  public record Pending(Instant since, boolean isCompromise) {}
}
