package org.sluiceca.core.crl;

import java.time.Instant;
import org.sluiceca.core.revoke.CrlScope;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertListDer;

/**
 * A CRL before it is signed.
 *
 * @param number cRLNumber (RFC 5280 5.2.3)
 * @param after the highest number of the scope when its entries were read; 0 for none
 * @param terms what the schedule goes by
 */
public record PlannedCrl(
    CrlScope scope,
    long number,
    long after,
    SignatureAlgorithm signatureAlgorithm,
    TbsCertListDer tbsCertList,
    Terms terms) {

  /**
   * What the schedule goes by.
   *
   * @param revision of the scope when its entries were read
   * @param isScheduled whether it came in its turn, so that entries of expired certificates have
   *     been on it once more (RFC 5280 3.3)
   */
  public record Terms(
      long revision, boolean isScheduled, Instant thisUpdate, Instant nextUpdate, int entries) {}
}
