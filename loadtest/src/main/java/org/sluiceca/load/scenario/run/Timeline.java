package org.sluiceca.load.scenario.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.sluiceca.load.plan.Client.WhenRefused;
import org.sluiceca.load.plan.GatlingPlan;
import org.sluiceca.load.plan.Offer;
import org.sluiceca.load.plan.Offer.Kind;
import org.sluiceca.load.plan.Phase;
import org.sluiceca.load.plan.Plan;
import org.sluiceca.load.scenario.wire.Population;
import org.sluiceca.load.scenario.wire.Wave;

/**
 * When what of a scenario is sent: its phases one after the other, without a gap, from a beginning
 * on.
 */
final class Timeline {

  /** A client that is refused again and again goes home so long after its request was due. */
  private static final double PATIENCE_SECONDS = 120;

  /** A crowd comes within a second. */
  private static final double CROWD_SECONDS = 1;

  private final Plan plan;
  private final GatlingPlan gatling;
  private final List<Slot> slots = new ArrayList<>();

  /**
   * A phase at its time.
   *
   * @param startSeconds when the first request is due
   * @param fromSeconds when what is measured begins
   * @param untilSeconds when it ends; of a crowd, at the latest
   */
  record Slot(
      int index, Phase phase, double startSeconds, double fromSeconds, double untilSeconds) {

    boolean isCrowd() {
      return phase.crowdSeconds() > 0;
    }
  }

  Timeline(Plan plan) {
    this.plan = plan;
    this.gatling = plan.gatling().orElseThrow();
    double at = 0;
    for (Phase phase : plan.phases()) {
      double from = phase.crowdSeconds() > 0 ? at : at + phase.settleSeconds();
      slots.add(new Slot(slots.size(), phase, at, from, from + phase.seconds()));
      at = from + phase.seconds();
    }
  }

  List<Slot> slots() {
    return slots;
  }

  double seconds() {
    return slots.getLast().untilSeconds();
  }

  /** Returns who sends what. */
  List<Population> populations() {
    Map<String, List<Wave>> enrolling = new LinkedHashMap<>();
    Map<Kind, List<Wave>> operating = new TreeMap<>();
    List<Population> all = new ArrayList<>();
    for (Slot slot : slots) {
      double length = Plan.length(slot.phase());
      double home = slot.untilSeconds() + PATIENCE_SECONDS;
      for (Offer offer : slot.phase().offers()) {
        add(
            enrolling.computeIfAbsent(offer.requester(), name -> new ArrayList<>()),
            new Wave(
                slot.index(),
                slot.startSeconds(),
                length,
                plan.due(offer.load(), slot.phase()),
                home));
      }
      if (slot.phase().isMeasured()) {
        gatling
            .operations()
            .forEach(
                (kind, load) ->
                    add(
                        operating.computeIfAbsent(kind, name -> new ArrayList<>()),
                        new Wave(
                            slot.index(),
                            slot.startSeconds(),
                            length,
                            plan.due(load, slot.phase()),
                            home)));
      }
      if (slot.isCrowd()) {
        int clients = plan.crowd(slot.phase());
        all.add(
            new Population(
                gatling.isRenewal() ? Kind.RENEW : Kind.ENROLL,
                Plan.CROWD,
                WhenRefused.OBEY,
                List.of(
                    new Wave(
                        slot.index(),
                        slot.startSeconds(),
                        CROWD_SECONDS,
                        clients,
                        slot.untilSeconds()))));
      }
    }
    WhenRefused whenRefused = plan.client().whenRefused();
    enrolling.forEach(
        (requester, waves) -> all.add(new Population(Kind.ENROLL, requester, whenRefused, waves)));
    operating.forEach(
        (kind, waves) -> all.add(new Population(kind, operator(), WhenRefused.LEAVE, waves)));
    return all;
  }

  /** Returns the first measured phase's requester, which asks about its own certificates. */
  private String operator() {
    return plan.phases().stream()
        .filter(Phase::isMeasured)
        .flatMap(phase -> phase.offers().stream())
        .map(Offer::requester)
        .findFirst()
        .orElse(Plan.CROWD);
  }

  /** Returns how many issuances are due in a phase. */
  static long planned(List<Population> populations, int phase) {
    return populations.stream()
        .filter(population -> population.kind().isIssuance())
        .flatMap(population -> population.waves().stream())
        .filter(wave -> wave.phase() == phase)
        .mapToLong(Wave::count)
        .sum();
  }

  private static void add(List<Wave> waves, Wave wave) {
    if (wave.count() > 0) {
      waves.add(wave);
    }
  }
}
