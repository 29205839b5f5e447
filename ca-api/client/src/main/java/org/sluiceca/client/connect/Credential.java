package org.sluiceca.client.connect;

import java.nio.file.Path;

/** How the client shows who it is. */
public sealed interface Credential {

  /**
   * A bearer token (RFC 6750).
   *
   * @param value the token itself, never printed
   */
  record Token(String value) implements Credential {
    @Override
    public String toString() {
      return "a token";
    }
  }

  /**
   * A TLS client certificate.
   *
   * @param certificate a PEM file, with its chain if the service needs one
   * @param key its private key, a PEM file
   */
  record ClientCertificate(Path certificate, Path key) implements Credential {}

  /** None: what is public, and renewals that the certificate's own key proves. */
  record None() implements Credential {}
}
