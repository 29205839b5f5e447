package org.sluiceca.core.request;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.sluiceca.core.x509.OctetString;

/**
 * Hashes what a client asked for, so that a repetition can be distinguished from another request.
 */
public final class PayloadHash {

  private PayloadHash() {}

  /**
   * SHA-256 over the profile's name, a zero octet (no name holds one), the CSR, and the certificate
   * that is to be replaced, if any; both tell their own length.
   */
  public static OctetString of(EnrollmentRequest request) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      sha256.update(request.profile().value().getBytes(StandardCharsets.US_ASCII));
      sha256.update((byte) 0);
      sha256.update(request.csr().encoded());
      if (request.occasion() instanceof Occasion.Renewal(var replaced)) {
        sha256.update(replaced.encoded());
      }
      return OctetString.copyOf(sha256.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
