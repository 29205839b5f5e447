package org.sluiceca.load.acme;

import java.security.cert.X509Certificate;
import java.util.Arrays;

/** The name of a certificate in renewal information (RFC 9773 4.1). */
public final class CertificateId {

  private static final String AUTHORITY_KEY_IDENTIFIER = "2.5.29.35";

  /** In certificates of this CA the key identifier is a SHA-1 hash, and ends the extension. */
  private static final int KEY_IDENTIFIER_OCTETS = 20;

  private CertificateId() {}

  /** Returns the name of a certificate of this CA. */
  public static String of(X509Certificate certificate) {
    byte[] authority = certificate.getExtensionValue(AUTHORITY_KEY_IDENTIFIER);
    int from = authority.length - KEY_IDENTIFIER_OCTETS;
    return Jws.encoded(Arrays.copyOfRange(authority, from, authority.length))
        + "."
        + Jws.encoded(certificate.getSerialNumber().toByteArray());
  }
}
