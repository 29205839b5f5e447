package org.sluiceca.api.acme.endpoint;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The endpoints that this node serves now. They change while it runs; a request that has found its
 * endpoint keeps it to its end. Thread-safe; no method blocks.
 */
public final class AcmeEndpoints {

  private volatile State state;

  private record State(SortedMap<String, AcmeEndpoint> served, SortedMap<String, String> refused) {}

  /** Serves these. */
  public AcmeEndpoints(Collection<AcmeEndpoint> all) {
    this.state = state(all, Map.of());
  }

  private static State state(Collection<AcmeEndpoint> all, Map<String, String> refused) {
    SortedMap<String, AcmeEndpoint> served = new TreeMap<>();
    for (AcmeEndpoint endpoint : all) {
      if (served.put(endpoint.name().value(), endpoint) != null) {
        throw new IllegalArgumentException("two endpoints have the name " + endpoint.name());
      }
    }
    return new State(served, new TreeMap<>(refused));
  }

  /**
   * Serves these from now on, and no others.
   *
   * @param refused why an endpoint is out of service on this node, by name
   */
  public void replace(Collection<AcmeEndpoint> all, Map<String, String> refused) {
    state = state(all, refused);
  }

  /** Returns the endpoint of a name, if it is served here. */
  public Optional<AcmeEndpoint> find(String name) {
    return Optional.ofNullable(state.served().get(name));
  }

  /** Returns all that are served here, by name. */
  public Collection<AcmeEndpoint> all() {
    return List.copyOf(state.served().values());
  }

  /** Returns why an endpoint is out of service here, though it is active. */
  public Optional<String> refused(String name) {
    return Optional.ofNullable(state.refused().get(name));
  }
}
