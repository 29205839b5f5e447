package org.sluiceca.api.acme.endpoint.version;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.acme.endpoint.store.EndpointActivation;

/**
 * This node's view of everything that is active: a function of its files and the rows, so that a
 * restart changes nothing. The newest activation of a name counts; an endpoint whose active version
 * this node must refuse is out of service here, because a version that was replaced on purpose must
 * not be served unnoticed.
 *
 * @param served one of each name
 * @param stored the names of those that are served by a stored version
 * @param refused why an active version is out of service, by name
 */
record EndpointResolution(
    Collection<AcmeEndpoint> served, Collection<String> stored, SortedMap<String, String> refused) {

  /**
   * An active version as this node sees it.
   *
   * @param endpoint empty if it is no version that this node may serve, or the activation is of
   *     each node's own file
   * @param fault why it may not be served; empty if it may
   */
  record Judged(EndpointActivation activation, Optional<AcmeEndpoint> endpoint, String fault) {}

  /**
   * Decides what is served.
   *
   * @param files this node's own
   * @param active the newest activation of each name
   * @param unavailable says why an endpoint cannot be served now, if it cannot
   */
  static EndpointResolution of(
      Collection<AcmeEndpoint> files,
      Collection<Judged> active,
      Function<AcmeEndpoint, Optional<String>> unavailable) {
    SortedMap<String, AcmeEndpoint> served = new TreeMap<>();
    files.forEach(file -> served.put(file.name().value(), file));
    SortedMap<String, String> refused = new TreeMap<>();
    SortedMap<String, AcmeEndpoint> stored = new TreeMap<>();
    for (Judged judged : active) {
      if (judged.activation().version().isEmpty()) {
        continue;
      }
      String name = judged.activation().name().value();
      served.remove(name);
      Optional<String> fault =
          judged.endpoint().map(unavailable).orElseGet(() -> Optional.of(judged.fault()));
      if (fault.isPresent()) {
        refused.put(name, fault.get());
      } else {
        stored.put(name, judged.endpoint().orElseThrow());
      }
    }
    served.putAll(stored);
    return new EndpointResolution(
        List.copyOf(served.values()), List.copyOf(stored.keySet()), refused);
  }
}
