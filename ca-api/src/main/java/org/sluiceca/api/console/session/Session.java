package org.sluiceca.api.console.session;

import java.time.Instant;
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
 */
public record Session(
    OctetString id,
    String cookie,
    Requester requester,
    Instant createdAt,
    Instant credentialEndsAt) {

  /** Without the secret. */
  @Override
  public String toString() {
    return "Session[" + requester.id() + "]";
  }
}
