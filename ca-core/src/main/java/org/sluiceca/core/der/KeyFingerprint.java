package org.sluiceca.core.der;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;
import org.sluiceca.core.x509.TbsCertificateDer;

/**
 * What a public key is recognized by: the SHA-256 of its SubjectPublicKeyInfo. {@link
 * PublicKeyReader} takes one encoding of a key only, so one key has one fingerprint.
 *
 * @param sha256 32 octets
 */
public record KeyFingerprint(OctetString sha256) {

  private static final int OCTETS = 32;

  public KeyFingerprint {
    if (sha256.length() != OCTETS) {
      throw new IllegalArgumentException("a SHA-256 of " + sha256.length() + " octets");
    }
  }

  /** Returns the fingerprint of a key. */
  public static KeyFingerprint of(SubjectPublicKeyInfo key) {
    return hashed(key.encoded());
  }

  /** Returns the fingerprint of the key that a TBSCertificate of this CA certifies. */
  public static KeyFingerprint of(TbsCertificateDer tbs) throws DerException {
    return hashed(CertificateReader.publicKey(tbs));
  }

  private static KeyFingerprint hashed(byte[] octets) {
    try {
      return new KeyFingerprint(
          OctetString.copyOf(MessageDigest.getInstance("SHA-256").digest(octets)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Returns the hash in lower-case hexadecimal. */
  @Override
  public String toString() {
    return sha256.toString();
  }
}
