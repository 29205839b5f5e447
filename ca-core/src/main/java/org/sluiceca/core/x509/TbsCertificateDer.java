package org.sluiceca.core.x509;

/** A DER-encoded TBSCertificate (RFC 5280 4.1): the exact bytes that the issuer's key signs. */
public final class TbsCertificateDer extends EncodedDer {

  private TbsCertificateDer(byte[] bytes) {
    super(bytes);
  }

  /** Wraps a copy of {@code bytes} without looking into them. */
  public static TbsCertificateDer of(byte[] bytes) {
    return new TbsCertificateDer(bytes);
  }
}
