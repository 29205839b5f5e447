package org.sluiceca.load.plan;

import java.util.List;
import org.sluiceca.load.cli.InputException;

/**
 * A time of constant offered load.
 *
 * @param settleSeconds sent before what is measured, 0 to 600
 * @param seconds measured, 1 to 600
 * @param crowdSeconds clients that come at once and obey Retry-After, as seconds of the HSM's
 *     capacity, 0 to 200; a phase with a crowd lasts until all are served, {@code seconds} at most
 * @param hsms the HSMs that the nodes are given; empty for all
 * @param hasFixedWindows whether nodes share no windows: each lets in as much as its sessions are,
 *     and they have as many as fill the HSM; nodes are restarted where a phase has other windows
 *     than the one before
 */
public record Phase(
    String name,
    double settleSeconds,
    double seconds,
    List<Offer> offers,
    double crowdSeconds,
    List<String> hsms,
    List<FaultEvent> faults,
    List<Goal> goals,
    boolean hasFixedWindows) {

  /** Of clients that come at once, as seconds of the HSM's capacity. */
  static final int CROWD_SECONDS_MAX = 200;

  /** After the last revocation, until its time ends. */
  private static final double REVOKED_SECONDS = 10;

  /** Validates. */
  public Phase {
    PlanFile.range(name + ".settle", settleSeconds, 0, PlanFile.SECONDS_MAX);
    PlanFile.range(name + ".seconds", seconds, 1, PlanFile.SECONDS_MAX);
    PlanFile.range(name + ".crowd", crowdSeconds, 0, CROWD_SECONDS_MAX);
    offers = List.copyOf(offers);
    hsms = List.copyOf(hsms);
    faults = List.copyOf(faults);
    goals = List.copyOf(goals);
    if (offers.isEmpty() && crowdSeconds == 0) {
      throw new InputException(name + " offers nothing");
    }
    if (crowdSeconds > 0 && !faults.isEmpty()) {
      throw new InputException(name + " has a crowd and events: choose one");
    }
  }

  /** Returns what all requesters offer together, as times of the capacity; infinite in a loop. */
  public double load() {
    return offers.stream().mapToDouble(Offer::load).sum();
  }

  /** Returns whether it is judged. */
  public boolean isMeasured() {
    return !name.startsWith(Plan.WARM_UP);
  }

  /** Returns whether a requester sends in it. */
  boolean has(String requester) {
    return offers.stream().anyMatch(offer -> offer.requesters().contains(requester))
        || (crowdSeconds > 0 && requester.equals(Plan.CROWD));
  }

  /** Returns whether clients ask again when they have their answers: they take what there is. */
  public boolean isClosed() {
    return offers.stream().anyMatch(offer -> offer.loop().isPresent());
  }

  /** Returns whether it may be shorter or longer: what the plan waits for has its time. */
  boolean isElastic() {
    return faults.stream()
        .allMatch(what -> what.what().equals(FaultEvent.REVOKE) && what.expected().isEmpty());
  }

  /** Returns the same with another measured time, which is as long as its revocations need. */
  public Phase lasting(double otherSeconds) {
    double least = faults.isEmpty() ? 0 : faults.getLast().atSeconds() + REVOKED_SECONDS;
    return with(Math.max(otherSeconds, least), crowdSeconds, goals);
  }

  Phase crowded(double otherCrowd) {
    return crowdSeconds == 0 ? this : with(seconds, otherCrowd, goals);
  }

  /** Returns the same phase on an HSM of {@code times} times the rate. */
  Phase at(double times) {
    return with(seconds, crowdSeconds, goals.stream().map(goal -> goal.at(times)).toList());
  }

  /** Returns the same with another name, another time to settle and another measured time. */
  public Phase named(String other, double otherSettle, double otherSeconds) {
    return new Phase(
        other,
        otherSettle,
        otherSeconds,
        offers,
        crowdSeconds,
        hsms,
        faults,
        goals,
        hasFixedWindows);
  }

  private Phase with(double otherSeconds, double otherCrowd, List<Goal> otherGoals) {
    return new Phase(
        name,
        settleSeconds,
        otherSeconds,
        offers,
        otherCrowd,
        hsms,
        faults,
        otherGoals,
        hasFixedWindows);
  }
}
