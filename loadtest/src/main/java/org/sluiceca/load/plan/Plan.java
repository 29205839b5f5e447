package org.sluiceca.load.plan;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.page.Text;

/**
 * A plan of load.
 *
 * @param hsms at least one; loads are times of the first one's rate
 * @param queueBound the HSM's queue that is wanted after a happening
 * @param wan between clients and nodes; empty for the loopback interface alone
 * @param needs what this version of the CA lacks to run it; empty if nothing
 * @param page a file next to the plan that {@code PlanPage} fills in; empty if there is none
 * @param gatling what is said of Gatling; empty if this program sends
 * @param phases at least one; the first may be for warming up
 */
public record Plan(
    String name,
    String title,
    NodePlan nodes,
    List<HsmPlan> hsms,
    Client client,
    double queueBound,
    Optional<WanPlan> wan,
    String needs,
    String page,
    Optional<GatlingPlan> gatling,
    List<Phase> phases) {

  /** A name that no file's phase has. */
  public static final String WARM_UP = "warm-up";

  /** Distinct keys: a key seen before is cheaper in some libraries. */
  public static final int REQUESTS_MIN = 2_000;

  /** As many as a node takes (docs/CONFIGURATION.md). */
  private static final int SESSIONS_MAX = 256;

  /** The requester that all clients of a crowd are. */
  public static final String CROWD = "crowd";

  /** Validates. */
  public Plan {
    hsms = List.copyOf(hsms);
    phases = List.copyOf(phases);
    if (hsms.stream().map(HsmPlan::name).distinct().count() != hsms.size()) {
      throw new InputException("two HSMs of one name");
    }
    if (phases.stream().map(Phase::name).distinct().count() != phases.size()) {
      throw new InputException("two phases of one name");
    }
    checkNames(hsms, phases);
    checkProfiles(nodes, phases);
    nodes.checkKeys(hsms);
    if (gatling.isPresent()) {
      gatling.get().check(hsms, client, phases);
    }
    check(gatling.isEmpty() || wan.isEmpty(), "with Gatling there is no WAN");
    check(gatling.isEmpty() || needs.isEmpty(), "this version cannot run it: " + needs);
  }

  private static void checkNames(List<HsmPlan> hsms, List<Phase> phases) {
    List<String> names = hsms.stream().map(HsmPlan::name).toList();
    for (Phase phase : phases) {
      check(names.containsAll(phase.hsms()), phase.name() + ".hsms: not among " + names);
      for (FaultEvent fault : phase.faults()) {
        check(
            hsmOf(fault, hsms)
                .filter(hsm -> !names.contains(hsm) || order(fault, hsms).size() < 2)
                .isEmpty(),
            "which of " + names + ", and what: " + fault.what());
      }
      for (Goal goal : phase.goals()) {
        goal.check(phase, phases, names);
      }
    }
  }

  /** A requester's measures are of one issuer. */
  private static void checkProfiles(NodePlan nodes, List<Phase> phases) {
    Map<String, String> profiles = new HashMap<>(Map.of(CROWD, Offer.PROFILE));
    for (Phase phase : phases) {
      for (Offer offer : phase.offers()) {
        check(
            offer.profile().equals(Offer.PROFILE)
                || nodes.issuers().stream().anyMatch(i -> i.name().equals(offer.profile())),
            "no issuer has the profile " + offer.profile());
        for (String requester : offer.requesters()) {
          String before = profiles.putIfAbsent(requester, offer.profile());
          check(
              before == null || before.equals(offer.profile()),
              requester + " asks for two profiles");
        }
      }
    }
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new InputException(otherwise);
    }
  }

  /**
   * What a user may change on the command line.
   *
   * @param rate of the first HSM; others change in proportion
   * @param seconds of each phase but those in which more happens than revocations, and the warm-up;
   *     of a soak altogether
   * @param crowd in seconds of capacity
   * @param clients of the crowd, which say the same of it
   */
  public record Changes(
      OptionalInt nodes,
      OptionalDouble rate,
      OptionalDouble seconds,
      OptionalDouble crowd,
      OptionalInt clients) {}

  /** Returns the plan with these changes; a soak is cut into its segments. */
  public Plan with(Changes changes) {
    double rate = changes.rate().orElse(capacity());
    double times = rate / capacity();
    OptionalDouble crowd =
        changes.clients().isPresent()
            ? OptionalDouble.of(crowd(changes.clients().getAsInt(), rate))
            : changes.crowd();
    boolean isSoak = gatling.filter(its -> its.soakSeconds().isPresent()).isPresent();
    List<Phase> changed =
        phases.stream()
            .map(
                phase ->
                    changes.seconds().isEmpty()
                            || isSoak
                            || phase.name().equals(WARM_UP)
                            || !phase.isElastic()
                        ? phase
                        : phase.lasting(changes.seconds().getAsDouble()))
            .map(phase -> phase.crowded(crowd.orElse(phase.crowdSeconds())))
            .map(phase -> phase.at(times))
            .toList();
    Plan other =
        with(
            nodes.withCount(changes.nodes().orElse(nodes.count())),
            hsms.stream().map(hsm -> hsm.faster(times)).toList(),
            client,
            changed);
    return gatling.map(its -> its.fitted(other, changes.seconds())).orElse(other);
  }

  private double crowd(int clients, double rate) {
    int most = (int) Math.floor(Phase.CROWD_SECONDS_MAX * rate);
    check(phases.getLast().crowdSeconds() > 0, name + " has no crowd of clients");
    check(
        clients <= most,
        Text.format(
            "%d clients are more than an HSM of %.0f/s serves in %d s: at most %d",
            clients, rate, Phase.CROWD_SECONDS_MAX, most));
    return clients / rate;
  }

  /** Returns the plan with other phases. */
  public Plan with(List<Phase> others) {
    return with(nodes, hsms, client, others);
  }

  /** Returns the plan with other clients. */
  public Plan with(Client other) {
    return with(nodes, hsms, other, phases);
  }

  private Plan with(
      NodePlan otherNodes, List<HsmPlan> otherHsms, Client otherClient, List<Phase> others) {
    return new Plan(
        name,
        title,
        otherNodes,
        otherHsms,
        otherClient,
        queueBound,
        wan,
        needs,
        page,
        gatling,
        others);
  }

  /** Returns the clients of a phase's crowd. */
  public int crowd(Phase phase) {
    return (int) Math.round(phase.crowdSeconds() * capacity());
  }

  /** Returns how long requests are due in a phase, in seconds. */
  public static double length(Phase phase) {
    return (phase.crowdSeconds() > 0 ? 0 : phase.settleSeconds()) + phase.seconds();
  }

  /** Returns how many requests are due in a phase at {@code load} times the capacity. */
  public int due(double load, Phase phase) {
    return (int) Math.round(load * capacity() * length(phase));
  }

  /** Returns how many requests differ; requesters begin again when they are used up. */
  public int distinctRequests() {
    return phases.stream().mapToInt(this::crowd).reduce(REQUESTS_MIN, Math::max);
  }

  /**
   * Returns the nodes' settings in addition to those of the whole plan, by name in the environment:
   * with fixed windows, as many sessions each as together fill the first HSM and its queue.
   */
  public Map<String, String> settings(Phase phase) {
    return phase.hasFixedWindows()
        ? Map.of("SLUICE_HSM_WINDOW", "fixed", "SLUICE_HSM_SESSIONS", "" + fixedSessions())
        : Map.of();
  }

  /** Returns the sessions of a node whose window is fixed. */
  public int fixedSessions() {
    HsmPlan hsm = hsms.getFirst();
    int inside = hsm.servers() + hsm.queue();
    return Math.clamp(inside / nodes.count(), 1, SESSIONS_MAX);
  }

  /** Returns the signatures a second that the first HSM can make. */
  public double capacity() {
    return hsms.getFirst().rate();
  }

  /** Returns the HSMs that the nodes have in a phase, in the plan's order. */
  public List<HsmPlan> hsms(Phase phase) {
    return hsms.stream()
        .filter(hsm -> phase.hsms().isEmpty() || phase.hsms().contains(hsm.name()))
        .toList();
  }

  /** Returns the HSM that it happens to; empty if it happens to none. */
  public Optional<String> hsmOf(FaultEvent fault) {
    return hsmOf(fault, hsms);
  }

  private static Optional<String> hsmOf(FaultEvent fault, List<HsmPlan> hsms) {
    if (!fault.words().getFirst().equals("hsm")) {
      return Optional.empty();
    }
    return Optional.of(hsms.size() == 1 ? hsms.getFirst().name() : fault.words().get(1));
  }

  /** Returns the words of nethsm in what happens to an HSM. */
  public List<String> order(FaultEvent fault) {
    return order(fault, hsms);
  }

  private static List<String> order(FaultEvent fault, List<HsmPlan> hsms) {
    List<String> words = fault.words();
    return words.subList(hsms.size() == 1 ? 1 : 2, words.size());
  }

  /** Returns the requesters of all phases, each once, with the profile that it asks for. */
  public Map<String, String> requesters() {
    Map<String, String> profiles = new LinkedHashMap<>();
    phases.stream()
        .flatMap(phase -> phase.offers().stream())
        .forEach(offer -> offer.requesters().forEach(name -> profiles.put(name, offer.profile())));
    profiles.put(CROWD, Offer.PROFILE);
    return profiles;
  }

  /** Returns the issuer that signs what this requester asks for. */
  public String issuer(String requester) {
    String profile = requesters().getOrDefault(requester, Offer.PROFILE);
    return profile.equals(Offer.PROFILE) ? NodePlan.FIRST_ISSUER : profile;
  }

  /** Returns whether some HSM lacks the keys of some issuers. */
  public boolean isDivided() {
    return hsms.stream().anyMatch(hsm -> !hsm.issuers().isEmpty());
  }

  /**
   * Returns how long a server works on a certificate of this requester, of the first HSM that has
   * its issuer's key.
   */
  public double serviceMillis(String requester) {
    String own = issuer(requester);
    String key =
        nodes.issuers().stream()
            .filter(issuer -> issuer.name().equals(own))
            .map(NodePlan.Issuer::key)
            .findFirst()
            .orElse(nodes.issuerKey());
    return hsms.stream()
        .filter(hsm -> hsm.holds(own))
        .findFirst()
        .orElseGet(hsms::getFirst)
        .serviceMillis(key);
  }
}
