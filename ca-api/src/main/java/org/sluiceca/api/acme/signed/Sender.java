package org.sluiceca.api.acme.signed;

import java.util.Optional;
import org.sluiceca.core.registration.EndpointName;

/**
 * From where a request comes, as far as that is known before it is verified: whose turn it uses.
 */
public sealed interface Sender {

  /**
   * A network, whichever endpoint it asks: with a turn at each, it would have as many as there are
   * endpoints.
   *
   * @param name such as {@code 192.0.2.0/24}
   */
  record Network(String name) implements Sender {}

  /**
   * A configured proxy, behind which are clients of many networks.
   *
   * @param endpoint that it asks, so that those of one endpoint leave room for others'
   */
  record Proxy(EndpointName endpoint) implements Sender {}

  /** Returns whose turn a request uses. */
  static Sender of(EndpointName endpoint, Optional<String> network) {
    return network.<Sender>map(Network::new).orElseGet(() -> new Proxy(endpoint));
  }

  /** Returns the network; empty for a proxy. */
  default Optional<String> network() {
    return this instanceof Network(String name) ? Optional.of(name) : Optional.empty();
  }
}
