package org.sluiceca.api.auth;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
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

  private final Lookups lookups;
  private final InstantSource clock;

  /** Looks credentials up in {@code credentials}. */
  public Authenticator(CredentialStore credentials, InstantSource clock) {
    this(new Lookups(credentials::find), clock);
  }

  Authenticator(Lookups lookups, InstantSource clock) {
    this.lookups = lookups;
    this.clock = clock;
  }

  /** Returns the requester with this bearer token, if it is registered and valid now. */
  public Optional<Requester> byToken(String token) {
    return find(
        new Lookups.Key(RegisteredCredential.Kind.TOKEN, Tokens.hash(token)),
        Authentication.BEARER_TOKEN);
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
        new Lookups.Key(
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

  private Optional<Requester> find(Lookups.Key key, Authentication authentication) {
    return lookups
        .find(key)
        .filter(c -> c.isValidAt(clock.instant()))
        .map(
            c ->
                new Requester(
                    c.requester(), authentication, c.grant().roles(), c.grant().profiles()));
  }
}
