package org.sluiceca.api.profile.version;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.platform.PeriodicTask;
import org.sluiceca.api.platform.change.ChangeWatch;
import org.sluiceca.api.platform.change.Rest;
import org.sluiceca.api.platform.change.Topic;
import org.sluiceca.api.profile.store.Activation;
import org.sluiceca.api.profile.store.ActivationStore;
import org.sluiceca.api.profile.store.VersionStore;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.x509.IssuerName;

/**
 * Keeps the node's catalogue of profiles equal to what was activated, by whichever node, without
 * those of retired issuers. Owns one platform thread. A failure leaves the catalogue as it is: a
 * node goes on issuing under the profiles that it has.
 */
public final class ActiveVersions implements AutoCloseable {

  /** One look-up in an index of a handful of rows; an activation is in force within seconds. */
  static final Duration PAUSE = Duration.ofSeconds(2);

  /** The longest rest while nothing changes: the change watch ends it. */
  private static final Duration PAUSE_RESTING = Duration.ofSeconds(30);

  /** A statement's limit; what it read is not used then. */
  private static final Duration STOP_WAIT_MAX = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(ActiveVersions.class);

  private final VersionRules rules;
  private final ActivationStore activations;
  private final JudgedVersions judged;
  private final Supplier<Set<IssuerName>> retiredNow;
  private final ProfileCatalog catalog;

  // Set before the thread starts.
  private Rest rest = Rest.never();
  private final PeriodicTask task =
      new PeriodicTask(
          new PeriodicTask.Terms(
              ActiveVersions.class,
              "profile-watch",
              "activated profiles are not looked at; what issues here stays as it is",
              PAUSE,
              PAUSE,
              STOP_WAIT_MAX),
          isStopping -> step());

  // Written by the constructor, then by the thread alone.
  private volatile Standing standing = new Standing(0, new TreeMap<>(), new TreeMap<>());
  private volatile Set<IssuerName> retired = Set.of();

  // Set before the thread starts.
  private Consumer<CertificateProfile> taken = profile -> {};

  private final List<Runnable> followers = new CopyOnWriteArrayList<>();

  /**
   * How this node stands.
   *
   * @param activation the newest one that this node has looked at
   * @param taken the activations in force here, by profile
   * @param refused why a profile issues nothing here: its newest activation, or its issuer
   */
  public record Standing(
      long activation, SortedMap<String, Activation> taken, SortedMap<String, String> refused) {}

  /**
   * Makes the catalogue of what is activated now. Blocks for some reads.
   *
   * @param retired asks which issuers issue no more, for good; blocks for a read
   * @throws org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable if the database does not
   *     answer: a node that does not know what was activated must not begin to issue
   */
  public ActiveVersions(
      VersionRules rules,
      VersionStore store,
      ActivationStore activations,
      Supplier<Set<IssuerName>> retired) {
    this.rules = rules;
    this.activations = activations;
    this.judged = new JudgedVersions(rules, store::read);
    this.retiredNow = retired;
    this.catalog = new ProfileCatalog(rules.files().versions());
    pass();
  }

  /** Returns the catalogue, which changes. */
  public ProfileCatalog catalog() {
    return catalog;
  }

  /** Returns how this node stands. Does not block. */
  public Standing standing() {
    return standing;
  }

  /** Returns how often the activations could not be read. */
  public long failures() {
    return task.failures();
  }

  /**
   * Starts the thread.
   *
   * @param taken hears of each profile that begins to issue from now on; must not block
   */
  public void start(Consumer<CertificateProfile> taken) {
    this.taken = taken;
    task.start();
  }

  /** Rests from now on while nothing is activated or retired. Before it is started. */
  public void restUntilChanged(ChangeWatch changes) {
    rest = changes.rest(List.of(Topic.PROFILES, Topic.ISSUERS), task::wake);
  }

  /** Runs {@code follower} after each change of the catalogue from now on. It must not block. */
  public void whenReplaced(Runnable follower) {
    followers.add(follower);
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

  /** Takes up what was activated since the last pass, and which issuers were retired. */
  void pass() {
    Set<IssuerName> retiredBefore = retired;
    Set<IssuerName> retiredThen = new HashSet<>(retiredBefore);
    // Nothing takes a retirement back, whatever a row says later.
    retiredThen.addAll(retiredNow.get());
    long newest = rules.isOpen() ? activations.newest() : standing.activation();
    if (newest == standing.activation() && retiredThen.equals(retiredBefore)) {
      return;
    }
    ActivationStore.History history =
        rules.isOpen() ? activations.history() : new ActivationStore.History(List.of(), List.of());
    Resolution resolution =
        Resolution.of(
            rules.files(),
            history.activations(),
            judged.of(history.versions()),
            inForce(),
            retiredThen);
    retired = Set.copyOf(retiredThen);
    Map<String, CertificateProfile> before = new TreeMap<>();
    catalog.all().forEach(p -> before.put(p.name().value(), p));
    catalog.replace(resolution.profiles(), resolution.issuing(), resolution.unavailable());
    Standing last = standing;
    standing = new Standing(newest, resolution.taken(), resolution.refused());
    followers.forEach(Runnable::run);
    resolution.refused().entrySet().stream()
        .filter(e -> !e.getValue().equals(last.refused().get(e.getKey())))
        .forEach(
            e ->
                LOG.error(
                    "profile {} is refused here, and nothing issues under its name: {}",
                    e.getKey(),
                    e.getValue()));
    for (CertificateProfile profile : resolution.issuing()) {
      CertificateProfile old = before.remove(profile.name().value());
      if (old == null || !old.version().equals(profile.version())) {
        LOG.info(
            "profile {} issues by version {} from now on",
            profile.name(),
            profile.version().number());
        taken.accept(profile);
      }
    }
    before.keySet().forEach(name -> LOG.info("profile {} issues no longer", name));
  }

  /** The versions that this node has taken up, and issues by. */
  private List<CertificateProfile> inForce() {
    List<CertificateProfile> versions = new ArrayList<>();
    for (Activation activation : standing.taken().values()) {
      if (activation.version().isPresent()) {
        catalog.find(activation.name(), activation.version().getAsInt()).ifPresent(versions::add);
      }
    }
    return versions;
  }

  /** Ends the thread after its present pass, for which it waits some seconds. */
  @Override
  public void close() {
    task.close();
  }
}
