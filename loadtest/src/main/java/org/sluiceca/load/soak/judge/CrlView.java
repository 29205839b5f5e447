package org.sluiceca.load.soak.judge;

import java.time.Instant;
import java.util.BitSet;
import java.util.OptionalLong;

/**
 * What a CRL says, in short. Not to be changed.
 *
 * @param issuedAt when its entries were read: thisUpdate and the CA's allowance for late clocks
 * @param base the number in its deltaCRLIndicator; none if it is complete
 * @param digest of its octets
 * @param revoked by the numbers that {@link ExpectedState} gave
 * @param removed removeFromCRL (RFC 5280 5.3.1)
 */
public record CrlView(
    long number,
    OptionalLong base,
    Instant thisUpdate,
    Instant issuedAt,
    Instant nextUpdate,
    String digest,
    BitSet revoked,
    BitSet removed) {

  /** Returns whether it is a delta CRL (RFC 5280 5.2.4). */
  public boolean isDelta() {
    return base.isPresent();
  }

  /** Returns what a complete CRL and this delta say together (RFC 5280 5.2.4). */
  BitSet over(CrlView complete) {
    BitSet both = (BitSet) complete.revoked.clone();
    both.or(revoked);
    both.andNot(removed);
    return both;
  }
}
