package org.sluiceca.api.ledger;

import java.time.Instant;
import java.util.List;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;

/**
 * An issuer as the database knows it: its certificates, and where its key is.
 *
 * @param subjectPublicKeyInfo the DER encoding, to be compared with the token's key
 * @param chain the certificates above its own, trust anchor last; empty for a root
 * @param createdAt the database's time
 */
public record RegisteredIssuer(
    IssuerName name,
    OctetString subjectPublicKeyInfo,
    CertificateDer certificate,
    List<CertificateDer> chain,
    Key key,
    State state,
    Instant createdAt) {

  public RegisteredIssuer {
    chain = List.copyOf(chain);
  }

  /**
   * Where the private key is (PKCS#11).
   *
   * @param ckaId the CKA_ID of the key pair
   * @param algorithm the key's algorithm as the ceremony names it, such as {@code ec-p256}
   * @param tokenLabel the CK_TOKEN_INFO label, at most 32 characters
   */
  public record Key(OctetString ckaId, String algorithm, String tokenLabel) {}

  /** Whether the issuer signs. */
  public enum State {
    ACTIVE,
    RETIRED
  }
}
