package org.sluiceca.api.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.sluiceca.api.ledger.CredentialStore;
import org.sluiceca.api.ledger.RegisteredCredential;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.Requester.Authentication;
import org.sluiceca.core.x509.OctetString;

/**
 * Finds the requester behind a credential. Only hashes are compared and stored: of a token its
 * SHA-256 (it has 256 random bits, so there is nothing to guess), of a client certificate that of
 * its SubjectPublicKeyInfo, never its subject. Thread-safe; blocks for one query at most.
 */
public final class Authenticator {

  /** How long a revoked credential may still be believed by a node that has just seen it. */
  private static final Duration BELIEVED = Duration.ofSeconds(5);

  /** 10,000 answers of some 300 bytes: 3 MB, and no flood of bad tokens can grow it. */
  private static final long ANSWERS_MAX = 10_000;

  private record Key(RegisteredCredential.Kind kind, OctetString sha256) {}

  private final CredentialStore credentials;
  private final InstantSource clock;
  private final Cache<Key, Optional<RegisteredCredential>> answers =
      Caffeine.newBuilder().maximumSize(ANSWERS_MAX).expireAfterWrite(BELIEVED).build();

  /** Looks credentials up in {@code credentials}. */
  public Authenticator(CredentialStore credentials, InstantSource clock) {
    this.credentials = credentials;
    this.clock = clock;
  }

  /** Returns the requester with this bearer token, if it is registered and valid now. */
  public Optional<Requester> byToken(String token) {
    return find(
        new Key(RegisteredCredential.Kind.TOKEN, Tokens.hash(token)), Authentication.BEARER_TOKEN);
  }

  /**
   * Returns the requester with this client certificate, which the TLS layer has verified, if its
   * key is registered and valid now.
   */
  public Optional<Requester> byCertificate(X509Certificate certificate) {
    // The handshake that verified it may be long ago: connections are kept, sessions resumed.
    if (clock.instant().isAfter(certificate.getNotAfter().toInstant())) {
      return Optional.empty();
    }
    return find(
        new Key(
            RegisteredCredential.Kind.CERTIFICATE, sha256(certificate.getPublicKey().getEncoded())),
        Authentication.CLIENT_CERTIFICATE);
  }

  /** Returns the hash under which a secret or a key is registered. */
  public static OctetString sha256(byte[] bytes) {
    try {
      return OctetString.copyOf(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private Optional<Requester> find(Key key, Authentication authentication) {
    Optional<RegisteredCredential> known = answers.getIfPresent(key);
    if (known == null) {
      // Not inside the cache's compute: a query must not hold its lock.
      known = credentials.find(key.kind(), key.sha256());
      answers.put(key, known);
    }
    return known
        .filter(c -> c.isValidAt(clock.instant()))
        .map(
            c ->
                new Requester(
                    c.requester(), authentication, c.grant().roles(), c.grant().profiles()));
  }
}
