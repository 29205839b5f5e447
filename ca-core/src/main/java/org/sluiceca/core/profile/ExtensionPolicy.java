package org.sluiceca.core.profile;

import java.util.OptionalInt;
import java.util.Set;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.KeyUsage;

/**
 * The extensions that a profile puts into its certificates; requests do not decide them.
 *
 * @param keyUsage at least one bit
 * @param extendedKeyUsage empty for none
 * @param isCa whether basicConstraints says cA
 * @param pathLen only of a CA; 0 forbids further CAs below it
 * @param revocation how a relying party learns of revocation
 */
public record ExtensionPolicy(
    Set<KeyUsage> keyUsage,
    Set<ExtendedKeyUsage> extendedKeyUsage,
    boolean isCa,
    OptionalInt pathLen,
    Revocation revocation) {

  /** The sources of revocation information that a certificate names. */
  public enum Revocation {
    /** A CRL distribution point (RFC 5280 4.2.1.13). */
    CRL,
    /** None ever: noRevAvail (RFC 9608), for certificates that expire before a CRL would matter. */
    NEVER_AVAILABLE,
    /** Nothing said: of a trust anchor. */
    UNSTATED
  }

  public ExtensionPolicy {
    keyUsage = Set.copyOf(keyUsage);
    extendedKeyUsage = Set.copyOf(extendedKeyUsage);
    if (keyUsage.isEmpty()) {
      throw new IllegalArgumentException("keyUsage without a bit (RFC 5280 4.2.1.3)");
    }
    // RFC 5280 4.2.1.3 and 4.2.1.9: keyCertSign if and only if cA.
    if (isCa != keyUsage.contains(KeyUsage.KEY_CERT_SIGN)) {
      throw new IllegalArgumentException("keyCertSign and cA contradict each other");
    }
    if (pathLen.isPresent() && (!isCa || pathLen.getAsInt() < 0)) {
      throw new IllegalArgumentException("pathLen of a certificate that is no CA, or negative");
    }
    // RFC 9608 4: noRevAvail must not be in a CA certificate.
    if (isCa && revocation == Revocation.NEVER_AVAILABLE) {
      throw new IllegalArgumentException("noRevAvail in a CA certificate");
    }
  }
}
