package org.sluiceca.client.proxy;

import org.jspecify.annotations.Nullable;

/**
 * A proxy that is asked for a tunnel.
 *
 * @param host a name, or an address without brackets
 * @param port 1 to 65535
 * @param authorization the value of Proxy-Authorization, Basic (RFC 7617), never printed; null if
 *     no user is named
 * @param source the variable or the property that names it
 */
public record Via(String host, int port, @Nullable String authorization, String source) {

  /** What to say where it answers 407. */
  public String refusal() {
    return authorization == null
        ? this + " asks for a user: " + variable() + "=http://USER:PASSWORD@" + address()
        : this + " refuses the user or the password that " + source + " names";
  }

  /** Java's property takes no user. */
  private String variable() {
    return source.contains(".") ? "https_proxy" : source;
  }

  private String address() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  /** For messages: without user and password. */
  @Override
  public String toString() {
    return "the proxy " + address() + " (" + source + ")";
  }
}
