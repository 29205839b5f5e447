package org.sluiceca.core.crl;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertListDer;

/**
 * A CRL before it is signed.
 *
 * @param number cRLNumber (RFC 5280 5.2.3)
 * @param after the highest number of the scope when its entries were read; 0 for none
 * @param terms what the schedule goes by
 * @param kind complete or a delta, with what later ones must know of it
 */
public record PlannedCrl(
    CrlScope scope,
    long number,
    long after,
    SignatureAlgorithm signatureAlgorithm,
    TbsCertListDer tbsCertList,
    Terms terms,
    Kind kind) {

  /** Complete, or a delta to one that is. */
  public sealed interface Kind {

    /**
     * Complete for its scope. Which entries had left decides what a delta to it takes away.
     *
     * @param expiredBefore entries of certificates that ended before this were left out
     * @param knownRevision but not those of events after this revision
     * @param distributionPoint the URI in its issuingDistributionPoint, which a delta must have as
     *     well (RFC 5280 5.2.4)
     */
    record Complete(Instant expiredBefore, long knownRevision, Optional<String> distributionPoint)
        implements Kind {}

    /**
     * The difference to a complete CRL that was signed before.
     *
     * @param baseNumber of that CRL, lower than its own
     */
    record Delta(long baseNumber) implements Kind {}
  }

  public PlannedCrl {
    if (kind instanceof Kind.Delta delta && delta.baseNumber() >= number) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "delta CRL %d cannot be to %d", number, delta.baseNumber()));
    }
  }

  /** Returns the number of the CRL that it is a delta to; empty if it is complete. */
  public OptionalLong base() {
    return switch (kind) {
      case Kind.Complete complete -> OptionalLong.empty();
      case Kind.Delta delta -> OptionalLong.of(delta.baseNumber());
    };
  }

  /**
   * What the schedule goes by.
   *
   * @param revision of the scope when its entries were read
   * @param issuedAt when its entries were read, in whole seconds of the database's clock; the
   *     thisUpdate that relying parties see lies before that by the allowance for late clocks
   * @param isScheduled whether it came in its turn, so that entries of expired certificates have
   *     been on it once more (RFC 5280 3.3)
   */
  public record Terms(
      long revision, boolean isScheduled, Instant issuedAt, Instant nextUpdate, int entries) {}
}
