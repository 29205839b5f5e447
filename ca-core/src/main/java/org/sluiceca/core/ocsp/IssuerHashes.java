package org.sluiceca.core.ocsp;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.core.der.CertId;
import org.sluiceca.core.der.PublicKeyReader;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.x509.OctetString;

/**
 * By which hashes requests name this CA's issuers (RFC 6960 4.1.1): of the issuer's name and key,
 * SHA-1 and SHA-256. Immutable.
 */
public final class IssuerHashes {

  private record Named(String hashAlgorithm, OctetString nameHash, OctetString keyHash) {}

  private final Map<Named, Issuer> issuers = new HashMap<>();

  /** Hashes the names and keys of {@code issuers}, once. */
  public IssuerHashes(Collection<Issuer> issuers) {
    for (Issuer issuer : issuers) {
      put(issuer, CertId.SHA_1, "SHA-1");
      put(issuer, CertId.SHA_256, "SHA-256");
    }
  }

  private void put(Issuer issuer, String oid, String hash) {
    OctetString name = digest(hash, issuer.subject().encoded());
    OctetString key =
        digest(hash, PublicKeyReader.subjectPublicKey(issuer.subjectPublicKeyInfo()).octets());
    if (issuers.put(new Named(oid, name, key), issuer) != null) {
      throw new IllegalArgumentException(
          "issuer " + issuer.name() + " has name and key of another one");
    }
  }

  /** Returns the issuer that a request names; empty if it is none of ours, or by another hash. */
  public Optional<Issuer> find(CertId id) {
    return Optional.ofNullable(
        issuers.get(new Named(id.hashAlgorithm(), id.issuerNameHash(), id.issuerKeyHash())));
  }

  /** SHA-1 names things here; nothing is signed by it. */
  static OctetString digest(String hash, byte[] octets) {
    try {
      return OctetString.copyOf(MessageDigest.getInstance(hash).digest(octets));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has " + hash, e);
    }
  }
}
