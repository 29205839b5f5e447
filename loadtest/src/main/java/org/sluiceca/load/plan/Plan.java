package org.sluiceca.load.plan;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * A plan of load.
 *
 * @param queueBound the HSM's queue that is wanted after a happening
 * @param needs what this version of the CA lacks to run it; empty if nothing
 * @param phases at least one; the first may be for warming up
 */
public record Plan(
    String name,
    String title,
    NodePlan nodes,
    HsmPlan hsm,
    Client client,
    double queueBound,
    String needs,
    List<Phase> phases) {

  /** A name that no file's phase has. */
  public static final String WARM_UP = "warm-up";

  /** The requester that all clients of a crowd are. */
  public static final String CROWD = "crowd";

  /** Validates. */
  public Plan {
    phases = List.copyOf(phases);
    if (phases.stream().map(Phase::name).distinct().count() != phases.size()) {
      throw new PlanException("two phases of one name");
    }
  }

  /**
   * What a user may change on the command line.
   *
   * @param seconds of each phase but those in which something happens, and the warm-up
   * @param crowd in seconds of capacity
   */
  public record Changes(
      OptionalInt nodes, OptionalDouble rate, OptionalDouble seconds, OptionalDouble crowd) {}

  /** Returns the plan with these changes. */
  public Plan with(Changes changes) {
    List<Phase> changed =
        phases.stream()
            .map(
                phase ->
                    phase.name().equals(WARM_UP) || !phase.happenings().isEmpty()
                        ? phase
                        : phase.lasting(changes.seconds().orElse(phase.seconds())))
            .map(phase -> phase.crowded(changes.crowd().orElse(phase.crowdSeconds())))
            .toList();
    return new Plan(
        name,
        title,
        nodes.withCount(changes.nodes().orElse(nodes.count())),
        hsm.withRate(changes.rate().orElse(hsm.rate())),
        client,
        queueBound,
        needs,
        changed);
  }

  /** Returns the signatures a second that the HSM can make. */
  public double capacity() {
    return hsm.rate();
  }

  /** Returns the requesters of all phases, each once. */
  public List<String> requesters() {
    Stream<String> offering =
        phases.stream().flatMap(phase -> phase.offers().stream()).map(Offer::requester);
    return Stream.concat(offering, Stream.of(CROWD)).distinct().toList();
  }
}
