package org.sluiceca.api.revocation.crl;

import java.nio.file.Path;
import java.time.Instant;
import org.sluiceca.core.crl.PlannedCrl;

/**
 * A CRL in a file.
 *
 * @param number cRLNumber
 * @param octets the file's length
 */
record PublishedCrl(long number, Instant issuedAt, Instant nextUpdate, Path file, long octets) {

  static PublishedCrl of(PlannedCrl crl, Path file, long octets) {
    return new PublishedCrl(
        crl.number(), crl.terms().issuedAt(), crl.terms().nextUpdate(), file, octets);
  }
}
