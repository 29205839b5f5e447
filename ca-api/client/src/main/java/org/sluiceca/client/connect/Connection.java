package org.sluiceca.client.connect;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.proxy.Proxies;

/**
 * Where the service is, and as whom the client asks.
 *
 * @param urls of the nodes, tried in turn; at least one, each {@code https://host[:port]}
 * @param credential for the purpose of this command
 * @param caFile the certificates that may have signed the service's own, PEM; otherwise the
 *     system's
 * @param proxies that lead to the nodes
 */
public record Connection(
    List<URI> urls, Credential credential, Optional<Path> caFile, Proxies proxies) {
  /** How many nodes one connection may name. */
  static final int URLS_MAX = 64;

  private static final int PORT_MAX = 65_535;
  private static final Pattern BASE = Pattern.compile("https://[^/?#@\\s]+/?");

  /** Copies the URLs. */
  public Connection {
    urls = List.copyOf(urls);
    if (urls.isEmpty() || urls.size() > URLS_MAX) {
      throw Failure.usage("a connection has 1 to " + URLS_MAX + " URLs");
    }
  }

  /** By the proxies of this process's environment. */
  public Connection(List<URI> urls, Credential credential, Optional<Path> caFile) {
    this(urls, credential, caFile, Proxies.ofEnvironment());
  }

  /** The same nodes, asked by another credential. */
  public Connection as(Credential other) {
    return new Connection(urls, other, caFile, proxies);
  }

  /** One of the nodes alone. */
  public Connection at(URI url) {
    return new Connection(List.of(url), credential, caFile, proxies);
  }

  /**
   * The base of a node's URLs, without the slash at its end. A token never crosses a network in the
   * clear.
   */
  public static URI base(String url, String from) {
    if (!BASE.matcher(url).matches()) {
      throw Failure.usage(from + " is https://host or https://host:port, not '" + url + "'");
    }
    try {
      URI base = URI.create(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
      if (base.getHost() != null && base.getPort() <= PORT_MAX) {
        return base;
      }
    } catch (IllegalArgumentException e) {
      // Said below: it has no host that DNS or TLS know.
    }
    throw Failure.usage(from + " has no host name or port that can be used: '" + url + "'");
  }
}
