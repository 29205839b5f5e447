package org.sluiceca.core.x509;

/** A SubjectPublicKeyInfo (RFC 5280 4.1.2.7): its encoding and the key that was read from it. */
public final class SubjectPublicKeyInfo extends EncodedDer {

  private final SubjectPublicKey key;

  private SubjectPublicKeyInfo(byte[] bytes, SubjectPublicKey key) {
    super(bytes);
    this.key = key;
  }

  /** Pairs an encoding with its decoded key; only {@code der} may claim that the two agree. */
  public static SubjectPublicKeyInfo of(byte[] bytes, SubjectPublicKey key) {
    return new SubjectPublicKeyInfo(bytes, key);
  }

  /** Returns the decoded public key. */
  public SubjectPublicKey key() {
    return key;
  }
}
