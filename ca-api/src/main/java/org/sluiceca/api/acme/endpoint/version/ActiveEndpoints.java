package org.sluiceca.api.acme.endpoint.version;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.acme.endpoint.AcmeEndpoint;
import org.sluiceca.api.acme.endpoint.AcmeEndpoints;
import org.sluiceca.api.acme.endpoint.store.EndpointActivation;
import org.sluiceca.api.acme.endpoint.store.EndpointActivationStore;
import org.sluiceca.api.acme.endpoint.store.EndpointActivationStore.Active;
import org.sluiceca.api.acme.endpoint.version.EndpointResolution.Judged;
import org.sluiceca.api.platform.PeriodicTask;
import org.sluiceca.api.platform.change.ChangeWatch;
import org.sluiceca.api.platform.change.Rest;
import org.sluiceca.api.platform.change.Topic;

/**
 * Keeps the node's endpoints equal to what was activated, by whichever node. Owns one platform
 * thread. A failure of the database leaves them as they are.
 */
public final class ActiveEndpoints implements AutoCloseable {

  /** One look-up in an index of a few rows; an activation counts within seconds. */
  static final Duration PAUSE = Duration.ofSeconds(2);

  /** The longest rest while nothing changes: the change watch ends it. */
  private static final Duration PAUSE_RESTING = Duration.ofSeconds(30);

  private static final Duration STOP_WAIT_MAX = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(ActiveEndpoints.class);

  private final EndpointRules rules;
  private final EndpointActivationStore activations;
  private final AcmeEndpoints endpoints;
  private final Function<byte[], AcmeEndpoint> reader;

  // Set before the thread starts.
  private Rest rest = Rest.never();
  private final PeriodicTask task =
      new PeriodicTask(
          new PeriodicTask.Terms(
              ActiveEndpoints.class,
              "endpoint-watch",
              "activated endpoints are not looked at; what is served here stays as it is",
              PAUSE,
              PAUSE,
              STOP_WAIT_MAX),
          isStopping -> step());

  // Written by the constructor, then by the thread alone.
  private List<Judged> active = List.of();
  private volatile Standing standing = new Standing(0, Set.of(), new TreeMap<>());

  /**
   * How this node stands.
   *
   * @param activation the newest one that this node has looked at, 0 for none
   * @param stored the names of the endpoints that are served by a stored version
   * @param refused why an active endpoint is out of service here, by name
   */
  public record Standing(long activation, Set<String> stored, SortedMap<String, String> refused) {}

  /**
   * Serves what is active now. Blocks for some reads.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable if the database does not
   *     answer: a node that does not know what is active must not begin to serve
   */
  public ActiveEndpoints(
      EndpointRules rules, EndpointActivationStore activations, AcmeEndpoints endpoints) {
    this(rules, activations, endpoints, rules::read);
  }

  /** Reads the content of stored versions by {@code reader}. */
  ActiveEndpoints(
      EndpointRules rules,
      EndpointActivationStore activations,
      AcmeEndpoints endpoints,
      Function<byte[], AcmeEndpoint> reader) {
    this.rules = rules;
    this.activations = activations;
    this.endpoints = endpoints;
    this.reader = reader;
    pass();
  }

  /**
   * Returns the endpoints that this keeps. A loop that takes them from here begins after the first
   * pass, so that it never works by a file that an activated version has replaced.
   */
  public AcmeEndpoints endpoints() {
    return endpoints;
  }

  /** Returns how this node stands. Does not block. */
  public Standing standing() {
    return standing;
  }

  /** Returns how often the activations could not be read. */
  public long failures() {
    return task.failures();
  }

  /** Starts the thread. */
  public void start() {
    task.start();
  }

  /** Rests from now on while nothing is activated. Before it is started. */
  public void restUntilChanged(ChangeWatch changes) {
    rest = changes.rest(List.of(Topic.ENDPOINTS, Topic.PROFILES, Topic.ISSUERS), task::wake);
  }

  /** Has it look now. Does not wait. */
  public void wake() {
    task.wake();
  }

  /** Looks once; returns how long to wait. Of the owned thread, or in its place. */
  Duration step() {
    rest.begin();
    pass();
    return rest.pause(PAUSE, PAUSE_RESTING);
  }

  /** Takes up what was activated since the last pass, and which profiles issue now. */
  void pass() {
    long newest = activations.newest();
    if (newest != standing.activation()) {
      active = activations.all().stream().map(this::judge).toList();
    }
    EndpointResolution resolution =
        EndpointResolution.of(rules.files().endpoints(), active, rules::unavailable);
    report(resolution);
    endpoints.replace(resolution.served(), resolution.refused());
    standing = new Standing(newest, Set.copyOf(resolution.stored()), resolution.refused());
  }

  private Judged judge(Active one) {
    EndpointActivation activation = one.activation();
    if (activation.version().isEmpty()) {
      return new Judged(activation, Optional.empty(), "");
    }
    if (one.content().isEmpty()) {
      return new Judged(activation, Optional.empty(), "the version is not stored");
    }
    try {
      AcmeEndpoint endpoint = reader.apply(one.content().get().octets());
      return endpoint.name().equals(activation.name())
              && endpoint.version() == activation.version().getAsInt()
          ? new Judged(activation, Optional.of(endpoint), "")
          : new Judged(
              activation,
              Optional.empty(),
              "it is stored under another name or version than it states");
    } catch (IllegalArgumentException e) {
      return new Judged(activation, Optional.empty(), String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      // Of one endpoint alone: the others must stay in service.
      LOG.error("the file of endpoint {} was not read", activation.name(), e);
      return new Judged(
          activation,
          Optional.empty(),
          "its file was not read for a fault of this node ("
              + e.getClass().getSimpleName()
              + "), which its log has");
    }
  }

  private boolean losesPerspectives(AcmeEndpoint endpoint) {
    return !hasPerspectives(endpoint)
        && rules
            .files()
            .find(endpoint.name())
            .filter(file -> hasPerspectives(file.endpoint()))
            .isPresent();
  }

  private static boolean hasPerspectives(AcmeEndpoint endpoint) {
    return endpoint
        .proofs()
        .filter(proofs -> !proofs.terms().perspectives().all().isEmpty())
        .isPresent();
  }

  private void report(EndpointResolution resolution) {
    Map<String, String> last = standing.refused();
    resolution.refused().entrySet().stream()
        .filter(e -> !e.getValue().equals(last.get(e.getKey())))
        .forEach(
            e -> LOG.error("endpoint {} is out of service here: {}", e.getKey(), e.getValue()));
    Collection<AcmeEndpoint> before = endpoints.all();
    resolution.served().stream()
        .filter(endpoint -> !before.contains(endpoint))
        .forEach(
            endpoint -> {
              LOG.info(
                  "endpoint {} is served by version {} from now on",
                  endpoint.name(),
                  endpoint.version());
              if (losesPerspectives(endpoint)) {
                LOG.warn(
                    "endpoint {} has no perspectives now, since its version {} replaces this node's"
                        + " file, which has some",
                    endpoint.name(),
                    endpoint.version());
              }
            });
    Set<String> served =
        Set.copyOf(resolution.served().stream().map(e -> e.name().value()).toList());
    before.stream()
        .filter(endpoint -> !served.contains(endpoint.name().value()))
        .forEach(endpoint -> LOG.info("endpoint {} is served no longer", endpoint.name()));
  }

  /** Ends the thread after its present pass, for which it waits some seconds. */
  @Override
  public void close() {
    task.close();
  }
}
