package org.sluiceca.core.x509;

/** A DER-encoded TBSCertList (RFC 5280 5.1.2): the exact bytes that the issuer's key signs. */
public final class TbsCertListDer extends EncodedDer {

  private TbsCertListDer(byte[] bytes) {
    super(bytes);
  }

  /** Wraps a copy of {@code bytes} without looking into them. */
  public static TbsCertListDer of(byte[] bytes) {
    return new TbsCertListDer(bytes);
  }
}
