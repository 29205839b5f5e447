package org.sluiceca.core.der;

import java.util.List;
import java.util.Optional;
import org.sluiceca.core.x509.OctetString;

/**
 * An OCSP request (RFC 6960 4.1) as it was read. Its signature, if there is one, was not looked at.
 *
 * @param certIds at least one, in the order of the request
 */
public record OcspRequest(List<CertId> certIds, Optional<Nonce> nonce) {

  public OcspRequest {
    certIds = List.copyOf(certIds);
  }

  /**
   * What the response is to repeat (RFC 9654 2.1).
   *
   * @param value 1 to 128 octets
   * @param isCritical whether a response without it is of no use to the client
   */
  public record Nonce(OctetString value, boolean isCritical) {}
}
