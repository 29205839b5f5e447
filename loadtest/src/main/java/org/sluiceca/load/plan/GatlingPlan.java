package org.sluiceca.load.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.page.Text;

/**
 * What a plan says beyond all others whose requests Gatling sends.
 *
 * @param operations requests that issue nothing, in all phases but the warm-up: times the capacity
 * @param limits of the whole run
 * @param knee the goals that a phase below the knee meets; empty if no knee is looked for
 * @param isRenewal whether the crowd renews what the warm-up enrolled
 * @param soakSeconds of all segments of a soak together; empty if it is none
 * @param sampleSeconds between two looks at nodes
 */
public record GatlingPlan(
    Map<Offer.Kind, Double> operations,
    List<Goal> limits,
    List<Goal> knee,
    boolean isRenewal,
    OptionalInt soakSeconds,
    int sampleSeconds) {

  /** More than any machine sends in the time that phases may take; a soak has a bound of time. */
  private static final double REQUESTS_MAX = 5_000_000;

  /** What the fleet of a crowd that renews is enrolled with, of the capacity. */
  private static final double FLEET_SPARE = 1.1;

  /** Half a day in one piece, and as much again as one likes: a requester's token lasts a day. */
  private static final int SOAK_MAX = 72_000;

  private static final int SOAK_MIN = 60;

  /** Enough to distinguish a trend from chance. */
  private static final int SEGMENTS_WANTED = 18;

  private static final int SEGMENT_MIN = 5;
  private static final int SEGMENT_MAX = 300;

  /** Validates. */
  public GatlingPlan {
    operations = Map.copyOf(operations);
    limits = List.copyOf(limits);
    knee = List.copyOf(knee);
    for (Goal limit : limits) {
      boolean isKnown =
          limit.name().isEmpty()
              ? limit.measure().isOfRun()
              : limit.measure().isOfKind() && Offer.Kind.find(limit.name()).isPresent();
      check(
          isKnown && !limit.isRelative() && !limit.isScaled(),
          "it is no limit of a whole run: " + limit);
    }
    for (Goal goal : knee) {
      check(!goal.isRelative(), "gatling.knee is of each phase by itself: " + goal);
    }
  }

  /** Checks that Gatling can do what the plan says. */
  void check(List<HsmPlan> hsms, Client client, List<Phase> phases) {
    check(hsms.size() == 1, "with Gatling there is one HSM");
    double before = 0;
    for (Phase phase : phases) {
      check(phase.faults().isEmpty(), phase.name() + ": nothing can happen with Gatling");
      check(
          !phase.isClosed(),
          phase.name() + ": with Gatling the load is open, and no CLIENTSxSESSIONS");
      check(!phase.hasFixedWindows(), phase.name() + ": windows are shared with Gatling");
      check(
          phase.crowdSeconds() == 0 || phase.equals(phases.getLast()),
          phase.name() + ": nothing comes after a crowd, since it is not known when it is served");
      if (phase.isMeasured()) {
        check(
            knee.isEmpty() || phase.load() >= before,
            "gatling.knee: phases rise, and " + phase.name() + " does not");
        before = phase.load();
      }
    }
    checkClients(client, phases);
    check(
        soakSeconds.isPresent() || hsms.getFirst().rate() * loads(phases) <= REQUESTS_MAX,
        "more than " + (int) REQUESTS_MAX + " requests");
  }

  private static void checkClients(Client client, List<Phase> phases) {
    Set<String> requesters = new TreeSet<>();
    for (Phase phase : phases) {
      phase.offers().forEach(offer -> requesters.add(offer.requester()));
      if (phase.crowdSeconds() > 0) {
        requesters.add(Plan.CROWD);
      }
    }
    check(
        !client.isMutual() || requesters.size() == 1 || !client.keepsConnections(),
        "kept connections are shared by all and show one certificate: with credentials ="
            + " certificate there is one requester, not "
            + requesters
            + ", or connections = new");
    check(
        requesters.containsAll(client.keys().keySet()),
        "client-keys: of " + requesters + ", not " + client.keys().keySet());
  }

  /** How long the HSM would work on all that is asked for, in seconds. */
  private double loads(List<Phase> phases) {
    double others = operations.values().stream().mapToDouble(Double::doubleValue).sum();
    return phases.stream()
        .mapToDouble(
            phase ->
                (phase.load() + others) * (phase.settleSeconds() + phase.seconds())
                    + phase.crowdSeconds())
        .sum();
  }

  /**
   * Returns the plan with a warm-up that enrolls for all who renew, and a soak cut into segments:
   * each is a phase of its own, is measured by itself, and stays done when the run is interrupted.
   *
   * @param seconds of a soak; as long as it says itself if empty
   */
  Plan fitted(Plan plan, OptionalDouble seconds) {
    Plan ready = isRenewal ? plan.with(fleet(plan)) : plan;
    return soakSeconds.isEmpty()
        ? ready
        : ready.with(segments(ready, (int) seconds.orElse(soakSeconds.getAsInt())));
  }

  /** The warm-up lasts until there is something to renew for everyone. */
  private static List<Phase> fleet(Plan plan) {
    double clients = plan.phases().getLast().crowdSeconds() * plan.capacity();
    return plan.phases().stream()
        .map(
            phase ->
                phase.isMeasured()
                    ? phase
                    : phase.lasting(
                        Math.max(
                            phase.seconds(),
                            Math.ceil(FLEET_SPARE * clients / (phase.load() * plan.capacity())))))
        .toList();
  }

  /** A short soak cannot give as much of its time to warming up as a long one. */
  private static List<Phase> segments(Plan plan, int seconds) {
    int each = Math.clamp(seconds / SEGMENTS_WANTED, SEGMENT_MIN, SEGMENT_MAX);
    int count = Math.ceilDiv(seconds, each);
    int all = count * each;
    check(
        all >= SOAK_MIN && all <= SOAK_MAX,
        Text.format("a soak takes %d to %d s, not %d", SOAK_MIN, SOAK_MAX, all));
    List<Phase> phases = new ArrayList<>();
    for (Phase phase : plan.phases()) {
      if (phase.isMeasured()) {
        for (int i = 0; i < count; i++) {
          phases.add(phase.named(Text.format("%s-%04d", phase.name(), i), 0, each));
        }
      } else {
        phases.add(phase.lasting(Math.min(phase.seconds(), Math.max(20, all / 4.0))));
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
