package org.sluiceca.core.der;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.sluiceca.core.x509.OctetString;

/**
 * The fields of a ResponseData (RFC 6960 4.2.1). Instants are written in whole seconds.
 *
 * @param responderKeyHash SHA-1 of the responder's public key (ResponderID byKey)
 * @param isExtendedRevoke whether "revoked" may also mean never issued (4.4.8)
 */
public record OcspResponseFields(
    OctetString responderKeyHash,
    Instant producedAt,
    List<Single> responses,
    Optional<OctetString> nonce,
    boolean isExtendedRevoke) {

  public OcspResponseFields {
    responses = List.copyOf(responses);
  }

  /**
   * What is said of one certificate.
   *
   * @param archiveCutoff since when its like are remembered beyond their end (4.4.4)
   */
  public record Single(
      CertId certId,
      CertStatus status,
      Instant thisUpdate,
      Instant nextUpdate,
      Optional<Instant> archiveCutoff) {}
}
