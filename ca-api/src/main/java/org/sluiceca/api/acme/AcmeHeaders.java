package org.sluiceca.api.acme;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.acme.endpoint.AcmeEndpoints;
import org.sluiceca.api.acme.endpoint.AcmeUrls;
import org.sluiceca.api.acme.nonce.Nonces;
import org.sluiceca.core.failure.CaUnavailable;
import org.springframework.http.HttpHeaders;

/** Header fields of every answer of an endpoint (RFC 8555 6.5, 7.1). Thread-safe. */
public final class AcmeHeaders {

  private static final String PATH = "/acme/";
  private static final String REPLAY_NONCE = "Replay-Nonce";

  private final AcmeUrls urls;
  private final AcmeEndpoints endpoints;
  private final Nonces nonces;

  public AcmeHeaders(AcmeUrls urls, AcmeEndpoints endpoints, Nonces nonces) {
    this.urls = urls;
    this.endpoints = endpoints;
    this.nonces = nonces;
  }

  /** Returns whether a request is one of ACME, at an endpoint of this node or not. */
  static boolean isAcme(HttpServletRequest http) {
    return path(http).startsWith(PATH);
  }

  /** Returns the fields of an endpoint, with a fresh nonce. */
  HttpHeaders of(AcmeEndpoint endpoint) {
    HttpHeaders headers = new HttpHeaders();
    headers.set(REPLAY_NONCE, nonces.next());
    headers.set(HttpHeaders.CACHE_CONTROL, "no-store");
    headers.add(HttpHeaders.LINK, index(endpoint));
    return headers;
  }

  /** Returns the link that every resource but the directory has. */
  String index(AcmeEndpoint endpoint) {
    return "<" + urls.directory(endpoint.name()) + ">;rel=\"index\"";
  }

  /**
   * Returns the fields of an error. None where the path names no endpoint of this node, and where
   * the database does not answer to a node that has just started and knows no epoch.
   */
  HttpHeaders ofError(HttpServletRequest http) {
    try {
      return endpoint(http).map(this::of).orElseGet(HttpHeaders::new);
    } catch (CaUnavailable e) {
      return new HttpHeaders();
    }
  }

  private Optional<AcmeEndpoint> endpoint(HttpServletRequest http) {
    String[] path = path(http).split("/", 4);
    return path.length < 3 ? Optional.empty() : endpoints.find(path[2]);
  }

  /** A request that a filter ended is forwarded: its own path is that of before. */
  private static String path(HttpServletRequest http) {
    return http.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) instanceof String before
        ? before
        : http.getRequestURI();
  }
}
