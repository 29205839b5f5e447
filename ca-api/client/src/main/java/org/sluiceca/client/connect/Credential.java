package org.sluiceca.client.connect;

import java.nio.file.Path;
import java.util.Optional;

/** How the client shows who it is. */
public sealed interface Credential {

  /**
   * A bearer token (RFC 6750).
   *
   * @param value the token itself, never printed
   * @param file where it was read from; empty if from no file
   */
  record Token(String value, Optional<Path> file) implements Credential {

    /** A token of no file. */
    public Token(String value) {
      this(value, Optional.empty());
    }

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
