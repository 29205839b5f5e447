package org.sluiceca.load.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.plan.Goal;
import org.sluiceca.load.plan.Phase;
import org.sluiceca.load.plan.Plan;

/**
 * A load that Gatling makes.
 *
 * @param plan nodes, HSM, phases with their goals; nothing happens in its phases
 * @param operations requests that issue nothing, in all phases but the warm-up: times the capacity
 * @param limits of the whole run
 * @param knee the goals that a phase below the knee meets; empty if no knee is looked for
 * @param isRenewal whether the crowd renews what the warm-up enrolled
 * @param soak empty if it is none; its phases are the segments then
 * @param sampleSeconds between two looks at nodes
 */
public record Scenario(
    Plan plan,
    Clients clients,
    Map<Kind, Double> operations,
    List<Goal> limits,
    List<Goal> knee,
    boolean isRenewal,
    OptionalInt soak,
    int sampleSeconds) {

  /** Distinct keys: a key seen before is cheaper in some libraries. */
  private static final int REQUESTS_MIN = 2_000;

  /** More than any machine sends in the time that phases may take; a soak has a bound of time. */
  private static final double REQUESTS_MAX = 5_000_000;

  /** A phase's bound. */
  private static final int CROWD_SECONDS_MAX = 200;

  /** What the fleet of a crowd that renews is enrolled with, of the capacity. */
  private static final double FLEET_SPARE = 1.1;

  /** Validates. */
  public Scenario {
    operations = Map.copyOf(operations);
    limits = List.copyOf(limits);
    knee = List.copyOf(knee);
    check(plan.hsms().size() == 1, "a scenario has one HSM");
    check(plan.wan().isEmpty(), "a scenario has no WAN");
    check(plan.needs().isEmpty(), "this version cannot run it: " + plan.needs());
    List<Phase> phases = plan.phases();
    for (Phase phase : phases) {
      check(phase.faults().isEmpty(), phase.name() + ": nothing can happen in a scenario");
      check(
          !phase.isClosed(),
          phase.name() + ": a scenario has an open load, and no CLIENTSxSESSIONS");
      check(!phase.hasFixedWindows(), phase.name() + ": windows are shared in a scenario");
      check(
          phase.crowdSeconds() == 0 || phase.equals(phases.getLast()),
          phase.name() + ": nothing comes after a crowd, since it is not known when it is served");
    }
    Set<String> requesters = requesters(phases);
    check(
        !clients.isMutual() || requesters.size() == 1 || !clients.keepsConnections(),
        "kept connections are shared by all and show one certificate: with credentials ="
            + " certificate there is one requester, not "
            + requesters
            + ", or connections = new");
    check(
        requesters.containsAll(clients.keys().keySet()),
        "client-keys: of " + requesters + ", not " + clients.keys().keySet());
    check(
        soak.isPresent() || requests(plan, operations) <= REQUESTS_MAX,
        "more than " + (int) REQUESTS_MAX + " requests");
    check(
        soak.isEmpty() || phases.stream().filter(Scenario::isMeasured).count() >= 1,
        "a soak has a phase");
  }

  /** Who asks, in any phase. */
  private static Set<String> requesters(List<Phase> phases) {
    Set<String> requesters = new TreeSet<>();
    for (Phase phase : phases) {
      phase.offers().forEach(offer -> requesters.add(offer.requester()));
      if (phase.crowdSeconds() > 0) {
        requesters.add(Plan.CROWD);
      }
    }
    return requesters;
  }

  private static double requests(Plan plan, Map<Kind, Double> operations) {
    double others = operations.values().stream().mapToDouble(Double::doubleValue).sum();
    return plan.phases().stream()
        .mapToDouble(
            phase ->
                plan.capacity()
                    * ((phase.load() + others) * (phase.settleSeconds() + phase.seconds())
                        + phase.crowdSeconds()))
        .sum();
  }

  /** Returns how many requests differ; requesters begin again when they are used up. */
  public int distinctRequests() {
    return plan.phases().stream()
        .mapToInt(phase -> (int) Math.round(phase.crowdSeconds() * plan.capacity()))
        .reduce(REQUESTS_MIN, Math::max);
  }

  /** Returns how long requests are due in a phase, in seconds. */
  public static double length(Phase phase) {
    return (phase.crowdSeconds() > 0 ? 0 : phase.settleSeconds()) + phase.seconds();
  }

  /** Returns how many requests are due in a phase at {@code load} times the capacity. */
  public int due(double load, Phase phase) {
    return (int) Math.round(load * plan.capacity() * length(phase));
  }

  /** Returns whether a phase is judged. */
  public static boolean isMeasured(Phase phase) {
    return isMeasured(phase.name());
  }

  /** Returns whether the phase of this name is judged. */
  public static boolean isMeasured(String phase) {
    return !phase.startsWith(Plan.WARM_UP);
  }

  /**
   * What a user may change on the command line.
   *
   * @param seconds of each phase; of a soak altogether
   * @param clients of the crowd
   */
  public record Changes(
      OptionalInt nodes, OptionalDouble rate, OptionalInt seconds, OptionalInt clients) {}

  /** Returns the scenario with these changes; a soak is cut into its segments. */
  public Scenario with(Changes changes) {
    double rate = changes.rate().orElse(plan.capacity());
    if (changes.clients().isPresent()) {
      int clients = changes.clients().getAsInt();
      int most = (int) Math.floor(CROWD_SECONDS_MAX * rate);
      check(plan.phases().getLast().crowdSeconds() > 0, plan.name() + " has no crowd of clients");
      check(
          clients <= most,
          Text.format(
              "%d clients are more than an HSM of %.0f/s serves in %d s: at most %d",
              clients, rate, CROWD_SECONDS_MAX, most));
    }
    OptionalDouble crowd =
        changes.clients().isPresent()
            ? OptionalDouble.of(changes.clients().getAsInt() / rate)
            : OptionalDouble.empty();
    OptionalDouble seconds =
        changes.seconds().isPresent() && soak.isEmpty()
            ? OptionalDouble.of(changes.seconds().getAsInt())
            : OptionalDouble.empty();
    Plan changed =
        plan.with(new Plan.Changes(changes.nodes(), OptionalDouble.of(rate), seconds, crowd));
    if (isRenewal) {
      changed = changed.with(fleet(changed));
    }
    if (soak.isEmpty()) {
      return with(changed, soak);
    }
    Soak cut = Soak.of(changes.seconds().orElse(soak.getAsInt()));
    return with(changed.with(segments(changed, cut)), OptionalInt.of(cut.seconds()));
  }

  private Scenario with(Plan other, OptionalInt otherSoak) {
    return new Scenario(
        other, clients, operations, limits, knee, isRenewal, otherSoak, sampleSeconds);
  }

  /** Returns the scenario with other clients. */
  public Scenario with(Clients others) {
    return new Scenario(plan, others, operations, limits, knee, isRenewal, soak, sampleSeconds);
  }

  /** Returns the scenario with other phases: a sitting of a soak that goes on. */
  public Scenario with(List<Phase> others) {
    return with(plan.with(others), soak);
  }

  /** The warm-up lasts until there is something to renew for everyone. */
  private static List<Phase> fleet(Plan plan) {
    double clients = plan.phases().getLast().crowdSeconds() * plan.capacity();
    return plan.phases().stream()
        .map(
            phase ->
                isMeasured(phase)
                    ? phase
                    : phase.lasting(
                        Math.max(
                            phase.seconds(),
                            Math.ceil(FLEET_SPARE * clients / (phase.load() * plan.capacity())))))
        .toList();
  }

  private static List<Phase> segments(Plan plan, Soak cut) {
    List<Phase> phases = new ArrayList<>();
    for (Phase phase : plan.phases()) {
      if (isMeasured(phase)) {
        for (int i = 0; i < cut.segments(); i++) {
          String name = Text.format("%s-%04d", phase.name(), i);
          phases.add(phase.named(name, 0, cut.segmentSeconds()));
        }
      } else {
        phases.add(phase.lasting(cut.warmUp(phase.seconds())));
      }
    }
    return phases;
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new InputException(otherwise);
    }
  }
}
