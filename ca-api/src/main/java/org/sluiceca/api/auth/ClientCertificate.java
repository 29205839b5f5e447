package org.sluiceca.api.auth;

import jakarta.servlet.http.HttpServletRequest;
import java.security.cert.X509Certificate;
import java.util.Optional;

/**
 * The client certificate of a request's connection, whose path TLS has verified. Of headers none
 * counts: a proxy that ends TLS hides it.
 */
public final class ClientCertificate {

  private static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";

  private ClientCertificate() {}

  /** Returns the certificate; empty if the client presented none. */
  public static Optional<X509Certificate> of(HttpServletRequest request) {
    return request.getAttribute(CERTIFICATES) instanceof X509Certificate[] chain && chain.length > 0
        ? Optional.of(chain[0])
        : Optional.empty();
  }
}
