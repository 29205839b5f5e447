package org.sluiceca.api.certificate.store;

import java.time.Instant;
import org.sluiceca.core.x509.OctetString;

/**
 * Where a page of a search ended; the next begins after it. Says something only to the search that
 * it came from, which uses what its order needs.
 *
 * @param name the name by which it was found, or empty
 * @param requester of the certificate with this name, or empty
 * @param issuedAt in microseconds, or the epoch
 * @param serialNumber 19 octets
 */
public record Position(String name, String requester, Instant issuedAt, OctetString serialNumber) {

  /** Returns the week in which the certificate at this position expires. */
  int expiryWeek() {
    byte[] octets = serialNumber.octets();
    return (octets[1] & 0xFF) << 8 | (octets[2] & 0xFF);
  }
}
