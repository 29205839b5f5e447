package org.sluiceca.core.syntax;

import java.net.Inet6Address;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;

/** The syntax of a uniformResourceIdentifier name (RFC 5280 4.2.1.6, RFC 3986). */
public final class UriNames {

  /** SPIFFE IDs, the longest in use here, have at most 2048; certificates of such size are not. */
  private static final int LENGTH_MAX = 512;

  /** RFC 3986 3: a scheme, then only characters that a URI may hold. */
  private static final Pattern CHARACTERS =
      Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]{1,31}:[A-Za-z0-9._~:/?#\\[\\]@!$&'()*+,;=%-]+");

  /** RFC 3986 3.2.2: four decimal octets without leading zeros. */
  private static final Pattern IPV4 =
      Pattern.compile("(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\\.(?!$)|$)){4}");

  /** RFC 9110 4.2, RFC 6455 3, SPIFFE-ID 2: without an authority, readers differ about the host. */
  private static final Pattern NEEDS_AUTHORITY =
      Pattern.compile("(?i)(?:https?|wss?|ftp|spiffe):(?!//).*");

  /**
   * RFC 3986 6.2.2.3: a segment "." or "..", also with octets in percent-encoding. Readers that
   * remove it and readers that do not see two names.
   */
  private static final Pattern DOT_SEGMENT =
      Pattern.compile("(?i)[^?#]*[:/](?:\\.|%2e){1,2}(?:[/?#].*)?");

  private static final int PORT_MAX = 65_535;

  private UriNames() {}

  /**
   * Returns whether {@code text} is an absolute URI that names a definite entity: where it has an
   * authority, this is a host name or an address, perhaps with a port. User information names an
   * entity other than the host and is refused, and so are dot segments in a path.
   */
  public static boolean isAbsoluteUri(String text) {
    if (text.length() > LENGTH_MAX
        || !CHARACTERS.matcher(text).matches()
        || NEEDS_AUTHORITY.matcher(text).matches()
        || DOT_SEGMENT.matcher(text).matches()) {
      return false;
    }
    try {
      URI uri = new URI(text);
      String rest = uri.getRawSchemeSpecificPart();
      if (!rest.startsWith("//")) {
        return !rest.isEmpty();
      }
      // Without a host, java.net.URI has read an authority that it cannot take apart.
      return uri.getHost() != null
          && uri.getRawUserInfo() == null
          && uri.getPort() <= PORT_MAX
          && isHost(uri.getHost());
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static boolean isHost(String host) {
    if (!host.startsWith("[")) {
      return IPV4.matcher(host).matches() || DnsNames.isHostName(host);
    }
    // A zone (RFC 6874) means something on one machine only.
    if (host.indexOf('%') >= 0) {
      return false;
    }
    try {
      return Inet6Address.ofLiteral(host).getAddress().length == 16;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
