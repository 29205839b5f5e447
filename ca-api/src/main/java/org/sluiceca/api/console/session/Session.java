package org.sluiceca.api.console.session;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.x509.OctetString;

/**
 * A session at one request.
 *
 * @param id SHA-256 of its cookie
 * @param cookie the secret, from which the tokens of its forms are made
 * @param requester with the roles and profiles that its credential gives now
 * @param createdAt when it signed in
 * @param credentialEndsAt when the credential expires, and the session with it
 * @param certificate that the connection had, if a client certificate is the session's credential
 */
public record Session(
    OctetString id,
    String cookie,
    Requester requester,
    Instant createdAt,
    Instant credentialEndsAt,
    Optional<X509Certificate> certificate) {

  /** A session by a token. */
  public Session(
      OctetString id,
      String cookie,
      Requester requester,
      Instant createdAt,
      Instant credentialEndsAt) {
    this(id, cookie, requester, createdAt, credentialEndsAt, Optional.empty());
  }

  /** Returns the same on a connection that presents its certificate, with which it ends as well. */
  Session on(X509Certificate presented) {
    Instant notAfter = presented.getNotAfter().toInstant();
    return new Session(
        id,
        cookie,
        requester,
        createdAt,
        notAfter.isBefore(credentialEndsAt) ? notAfter : credentialEndsAt,
        Optional.of(presented));
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "Session[" + requester.id() + "]";
  }
}
