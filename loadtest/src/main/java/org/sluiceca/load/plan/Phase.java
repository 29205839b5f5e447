package org.sluiceca.load.plan;

import java.util.List;

/**
 * A time of constant offered load.
 *
 * @param settleSeconds sent before what is measured, 0 to 600
 * @param seconds measured, 1 to 600
 * @param crowdSeconds clients that come at once and obey Retry-After, as seconds of the HSM's
 *     capacity, 0 to 200; a phase with a crowd lasts until all are served, {@code seconds} at most
 * @param hsms the HSMs that the nodes are given; empty for all
 */
public record Phase(
    String name,
    double settleSeconds,
    double seconds,
    List<Offer> offers,
    double crowdSeconds,
    List<String> hsms,
    List<Happening> happenings,
    List<Goal> goals) {

  /** Validates. */
  public Phase {
    PlanFile.range(name + ".settle", settleSeconds, 0, PlanFile.SECONDS_MAX);
    PlanFile.range(name + ".seconds", seconds, 1, PlanFile.SECONDS_MAX);
    PlanFile.range(name + ".crowd", crowdSeconds, 0, 200);
    offers = List.copyOf(offers);
    hsms = List.copyOf(hsms);
    happenings = List.copyOf(happenings);
    goals = List.copyOf(goals);
    if (offers.isEmpty() && crowdSeconds == 0) {
      throw new PlanException(name + " offers nothing");
    }
    if (crowdSeconds > 0 && !happenings.isEmpty()) {
      throw new PlanException(name + " has a crowd and events: choose one");
    }
  }

  /** Returns what all requesters offer together, as times of the capacity. */
  public double load() {
    return offers.stream().mapToDouble(Offer::load).sum();
  }

  /** Tells whether a requester sends in it. */
  boolean has(String requester) {
    return offers.stream().anyMatch(offer -> offer.requester().equals(requester))
        || (crowdSeconds > 0 && requester.equals(Plan.CROWD));
  }

  /** Returns the same phase with other seconds. */
  public Phase lasting(double otherSeconds) {
    return new Phase(
        name, settleSeconds, otherSeconds, offers, crowdSeconds, hsms, happenings, goals);
  }

  Phase crowded(double otherCrowd) {
    return crowdSeconds == 0
        ? this
        : new Phase(name, settleSeconds, seconds, offers, otherCrowd, hsms, happenings, goals);
  }
}
