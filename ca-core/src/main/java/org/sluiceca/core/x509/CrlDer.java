package org.sluiceca.core.x509;

/** A DER-encoded CertificateList (RFC 5280 5.1). */
public final class CrlDer extends EncodedDer {

  private CrlDer(byte[] bytes) {
    super(bytes);
  }

  /** Wraps a copy of {@code bytes} without looking into them. */
  public static CrlDer of(byte[] bytes) {
    return new CrlDer(bytes);
  }
}
