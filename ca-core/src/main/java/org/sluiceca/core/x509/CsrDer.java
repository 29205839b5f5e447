package org.sluiceca.core.x509;

/** A DER-encoded CertificationRequest (RFC 2986 4.2), as received and not yet trusted. */
public final class CsrDer extends EncodedDer {

  private CsrDer(byte[] bytes) {
    super(bytes);
  }

  /** Wraps a copy of {@code bytes} without looking into them. */
  public static CsrDer of(byte[] bytes) {
    return new CsrDer(bytes);
  }
}
