package org.sluiceca.api.validation.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import org.sluiceca.api.validation.ValidationTerms;
import org.sluiceca.core.syntax.DnsNames;
import org.sluiceca.core.x509.IpLiteral;

/**
 * A URL that http-01 may ask for (RFC 8555 8.3).
 *
 * @param uri with scheme, host and port; without userinfo and fragment
 * @param host a name in lower case, or an address without brackets
 */
record Redirect(URI uri, String host) {

  /** A URL for a token needs a tenth of it; a server's own limit is 8,192 or so. */
  private static final int LOCATION_MAX = 2_048;

  /** Returns the first URL. */
  static Redirect first(String host, int port, String path) {
    return new Redirect(URI.create("http://" + authority(host, port, false) + path), host);
  }

  /**
   * Returns where a redirect leads; empty unless it is http on the port of http-01, or https on 443
   * or the port of tls-alpn-01, without userinfo, of a host name or an address in its plain form.
   *
   * @param location of the answer, relative or not
   */
  Optional<Redirect> to(String location, ValidationTerms terms) {
    if (location.length() > LOCATION_MAX) {
      return Optional.empty();
    }
    URI target;
    try {
      target = uri.resolve(new URI(location));
    } catch (URISyntaxException | IllegalArgumentException _) {
      return Optional.empty();
    }
    if (target.getScheme() == null || target.getHost() == null || target.getUserInfo() != null) {
      return Optional.empty();
    }
    boolean isSecured = target.getScheme().equalsIgnoreCase("https");
    if (!isSecured && !target.getScheme().equalsIgnoreCase("http")) {
      return Optional.empty();
    }
    int port =
        target.getPort() >= 0
            ? target.getPort()
            : isSecured ? ValidationTerms.TLS_PORT : ValidationTerms.HTTP_PORT;
    boolean isAllowed =
        isSecured
            ? port == ValidationTerms.TLS_PORT || port == terms.tlsPort()
            : port == terms.httpPort();
    String host = target.getHost().toLowerCase(Locale.ROOT);
    host = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    if (!isAllowed || !(IpLiteral.parse(host).isPresent() || DnsNames.isHostName(host))) {
      return Optional.empty();
    }
    String path = target.getRawPath();
    String query = target.getRawQuery() == null ? "" : "?" + target.getRawQuery();
    return rebuilt(
        (isSecured ? "https://" : "http://")
            + authority(host, port, isSecured)
            + (path == null || path.isEmpty() ? "/" : path)
            + query,
        host);
  }

  private static Optional<Redirect> rebuilt(String text, String host) {
    try {
      return Optional.of(new Redirect(new URI(text), host));
    } catch (URISyntaxException _) {
      return Optional.empty();
    }
  }

  /** The port that a URL leaves out is not sent in the field Host either. */
  private static String authority(String host, int port, boolean isSecured) {
    String bracketed = host.indexOf(':') < 0 ? host : "[" + host + "]";
    return port == (isSecured ? ValidationTerms.TLS_PORT : ValidationTerms.HTTP_PORT)
        ? bracketed
        : bracketed + ":" + port;
  }
}
