package org.sluiceca.api.issuer.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;

/**
 * An issuer as the database knows it: its certificates, and where its key is.
 *
 * @param subjectPublicKeyInfo the DER encoding, to be compared with the token's key
 * @param certificate the newest; all of an issuer have one subject and one key
 * @param chain the certificates above its own, trust anchor last; empty for a root
 */
public record RegisteredIssuer(
    IssuerName name,
    OctetString subjectPublicKeyInfo,
    CertificateDer certificate,
    List<CertificateDer> chain,
    Key key,
    State state,
    Origin origin) {

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

  /**
   * Where it comes from.
   *
   * @param installedBy empty for the ceremony
   * @param first its first certificate, whatever came after it
   * @param renewals how many certificates it had after its first
   * @param createdAt the database's time
   */
  public record Origin(
      Optional<RequesterId> installedBy, CertificateDer first, int renewals, Instant createdAt) {}

  /** Returns its certificate and those above it, trust anchor last. */
  public List<CertificateDer> certificates() {
    List<CertificateDer> all = new ArrayList<>(List.of(certificate));
    all.addAll(chain);
    return List.copyOf(all);
  }

  /** Whether the issuer signs. */
  public enum State {
    ACTIVE,
    RETIRED
  }
}
