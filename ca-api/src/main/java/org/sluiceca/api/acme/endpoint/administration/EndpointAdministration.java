package org.sluiceca.api.acme.endpoint.administration;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.acme.endpoint.AcmeEndpoints;
import org.sluiceca.api.acme.endpoint.EndpointFiles;
import org.sluiceca.api.acme.endpoint.InvalidEndpoint;
import org.sluiceca.api.acme.endpoint.store.EndpointActivation;
import org.sluiceca.api.acme.endpoint.store.EndpointStore;
import org.sluiceca.api.acme.endpoint.store.StoredEndpoint;
import org.sluiceca.api.acme.endpoint.version.ActiveEndpoints;
import org.sluiceca.api.acme.endpoint.version.EndpointRules;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Digest;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.core.registration.EndpointName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.OctetString;

/**
 * Stores and checks versions of endpoints, and shows what is served; {@link EndpointActivations}
 * activates them. A version is in the audit trail before it is stored. The caller decides which
 * requesters may ask. Thread-safe; every method blocks, for some seconds at most, and throws {@link
 * org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable} when the database does not answer: the
 * version may have been stored then, and asking again is safe.
 */
public final class EndpointAdministration {

  private final EndpointRules rules;
  private final EndpointStore store;
  private final EndpointActivations activations;
  private final AuditTrail trail;
  private final AcmeEndpoints endpoints;
  private final ActiveEndpoints active;

  /** Acts upon the store; {@code active} and {@code endpoints} say what this node serves. */
  public EndpointAdministration(
      EndpointRules rules,
      EndpointStore store,
      EndpointActivations activations,
      AuditTrail trail,
      AcmeEndpoints endpoints,
      ActiveEndpoints active) {
    this.rules = rules;
    this.store = store;
    this.activations = activations;
    this.trail = trail;
    this.endpoints = endpoints;
    this.active = active;
  }

  /**
   * An endpoint as this node sees it.
   *
   * @param served what is served here; empty if it is off or refused
   * @param isStored whether a stored version is active, and not each node's own file
   * @param refused why an active version is out of service here
   */
  public record Seen(
      String name, Optional<AcmeEndpoint> served, boolean isStored, Optional<String> refused) {}

  /** Returns all endpoints that have a file here or a stored version, by name. */
  public List<Seen> all() {
    Set<String> names = new TreeSet<>(store.names());
    rules.files().endpoints().forEach(file -> names.add(file.name().value()));
    ActiveEndpoints.Standing standing = active.standing();
    List<Seen> all = new ArrayList<>();
    for (String name : names) {
      Optional<String> refused = Optional.ofNullable(standing.refused().get(name));
      all.add(
          new Seen(
              name,
              endpoints.find(name),
              refused.isPresent() || standing.stored().contains(name),
              refused));
    }
    return all;
  }

  /** Returns an endpoint as this node sees it. */
  public Seen seen(EndpointName name) {
    ActiveEndpoints.Standing standing = active.standing();
    Optional<String> refused = Optional.ofNullable(standing.refused().get(name.value()));
    return new Seen(
        name.value(),
        endpoints.find(name.value()),
        refused.isPresent() || standing.stored().contains(name.value()),
        refused);
  }

  /** Returns the stored versions of an endpoint, by version. */
  public List<StoredEndpoint> versions(EndpointName name) {
    return store.list(name);
  }

  /** Returns a stored file. */
  public Optional<StoredEndpoint> find(EndpointName name, int version) {
    return store.find(name, version);
  }

  /** Returns the octets of this node's own file, whatever is served. Does not block. */
  public Optional<OctetString> file(EndpointName name) {
    return rules.files().find(name).map(file -> file.content());
  }

  /** Stores a file under the name and version that it states; it is not served yet. */
  public EndpointAnswer add(byte[] content, RequesterId by) {
    AcmeEndpoint endpoint;
    try {
      endpoint = rules.judged(content);
    } catch (InvalidEndpoint e) {
      return new EndpointAnswer.Invalid(e.faults());
    }
    trail.recordDurably(
        new Fact(
            AuditKind.ENDPOINT_ADD,
            by.value(),
            Map.of(
                "endpoint", endpoint.name().value(),
                "version", endpoint.version(),
                "sha256", Digest.sha256(content).toString())));
    EndpointStore.Added added =
        store.add(endpoint.name(), endpoint.version(), OctetString.copyOf(content), by);
    return contradiction(added, endpoint)
        .orElseGet(() -> new EndpointAnswer.Stored(endpoint, added == EndpointStore.Added.ADDED));
  }

  /**
   * Answers what {@link #add} would answer to the same file now: {@link EndpointAnswer.Sound} where
   * it would store it. Stores nothing and leaves nothing in the audit trail, since nothing is done.
   */
  public EndpointAnswer check(byte[] content) {
    AcmeEndpoint endpoint;
    try {
      endpoint = rules.judged(content);
    } catch (InvalidEndpoint e) {
      return new EndpointAnswer.Invalid(e.faults());
    }
    EndpointStore.Added judged =
        store.judge(endpoint.name(), endpoint.version(), OctetString.copyOf(content));
    return contradiction(judged, endpoint)
        .orElseGet(
            () ->
                new EndpointAnswer.Sound(
                    endpoint, judged == EndpointStore.Added.KNOWN, counted(endpoint.name())));
  }

  /** Returns what is active under a name, whether or not this node can serve it now. */
  private Optional<EndpointAnswer.Active> counted(EndpointName name) {
    OptionalInt version =
        activations.current(name).map(EndpointActivation::version).orElse(OptionalInt.empty());
    return version.isPresent()
        ? store.find(name, version.getAsInt()).map(EndpointAdministration::stored)
        : rules
            .files()
            .find(name)
            .map(EndpointFiles.One::endpoint)
            .map(own -> new EndpointAnswer.Active(own.version(), false, Optional.of(own)));
  }

  private static EndpointAnswer.Active stored(StoredEndpoint stored) {
    Optional<AcmeEndpoint> endpoint;
    try {
      endpoint = Optional.of(EndpointFiles.parse(stored.content().octets()));
    } catch (InvalidEndpoint e) {
      // Stored by a release that had other rules: there is nothing to compare with.
      endpoint = Optional.empty();
    }
    return new EndpointAnswer.Active(stored.version(), true, endpoint);
  }

  /** Why a version cannot be stored, if it cannot. */
  private static Optional<EndpointAnswer> contradiction(
      EndpointStore.Added added, AcmeEndpoint endpoint) {
    return switch (added) {
      case ADDED, KNOWN -> Optional.empty();
      case CONTRADICTORY ->
          Optional.of(
              new EndpointAnswer.Contradicted(
                  String.format(
                      Locale.ROOT,
                      "version %d of endpoint %s is another file already: raise the version",
                      endpoint.version(),
                      endpoint.name())));
      case TOO_MANY ->
          Optional.of(
              new EndpointAnswer.Contradicted(
                  String.format(
                      Locale.ROOT,
                      "there are %d versions of this endpoint, or %d of all, or %d endpoints, and"
                          + " no more may be",
                      EndpointStore.VERSIONS_MAX_PER_ENDPOINT,
                      EndpointStore.VERSIONS_MAX,
                      EndpointStore.NAMES_MAX)));
    };
  }
}
