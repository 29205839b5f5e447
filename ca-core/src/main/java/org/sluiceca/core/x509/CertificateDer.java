package org.sluiceca.core.x509;

/** A DER-encoded Certificate (RFC 5280 4.1). */
public final class CertificateDer extends EncodedDer {

  private CertificateDer(byte[] bytes) {
    super(bytes);
  }

  /** Wraps a copy of {@code bytes} without looking into them. */
  public static CertificateDer of(byte[] bytes) {
    return new CertificateDer(bytes);
  }
}
