package org.sluiceca.core.x509;

/**
 * A DER-encoded Name (RFC 5280 4.1.2.4), kept byte for byte because chains are built by comparing
 * it.
 */
public final class NameDer extends EncodedDer {

  private NameDer(byte[] bytes) {
    super(bytes);
  }

  /** Wraps a copy of {@code bytes} without looking into them. */
  public static NameDer of(byte[] bytes) {
    return new NameDer(bytes);
  }
}
