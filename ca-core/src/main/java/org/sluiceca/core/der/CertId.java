package org.sluiceca.core.der;

import org.sluiceca.core.x509.OctetString;

/**
 * Which certificate an OCSP request asks about (RFC 6960 4.1.1).
 *
 * @param hashAlgorithm the OID of the hash, dotted
 * @param hasNull whether the hash's parameters are NULL, not absent; the response repeats it, since
 *     clients compare whole CertIDs
 * @param serialNumber the integer's content octets, most significant first
 */
public record CertId(
    String hashAlgorithm,
    boolean hasNull,
    OctetString issuerNameHash,
    OctetString issuerKeyHash,
    OctetString serialNumber) {

  /** RFC 3279 2.1, which RFC 5019 2.1.1 demands of clients. */
  public static final String SHA_1 = "1.3.14.3.2.26";

  /** RFC 5754 2.2. */
  public static final String SHA_256 = "2.16.840.1.101.3.4.2.1";
}
