package org.sluiceca.api.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.sluiceca.core.testkit.Fixtures;

/**
 * What everything in one simulated world shares: chance, time, the weather and the faults found.
 */
final class World {

  /** Faults strike until then; afterwards the world heals. */
  static final long HEAL_AT = Duration.ofSeconds(40).toNanos();

  /** When the wall clocks stand at zero of virtual time. */
  static final Instant START = Fixtures.NOW;

  private static final int FAULTS_KEPT = 8;

  private final Workload workload;
  private final Dice dice;
  private final Weather weather;
  private final Trace trace;
  private final Baton baton;
  private final List<String> found = new ArrayList<>();
  private int faultsLeft;

  World(Workload workload, boolean isTraced) {
    this.workload = workload;
    this.dice = new Dice(workload.seed());
    this.weather = Weather.of(dice);
    this.trace = new Trace(isTraced);
    this.baton = new Baton(dice.split(), trace, this::found);
    this.faultsLeft = workload.faults();
  }

  Workload workload() {
    return workload;
  }

  Dice dice() {
    return dice;
  }

  Weather weather() {
    return weather;
  }

  Trace trace() {
    return trace;
  }

  Baton baton() {
    return baton;
  }

  long now() {
    return baton.now();
  }

  boolean isHealed() {
    return now() >= HEAL_AT;
  }

  /** Decides whether a fault strikes now. */
  boolean strikes(double probability, String what) {
    if (isHealed() || faultsLeft == 0 || !dice.chance(probability)) {
      return false;
    }
    faultsLeft--;
    trace.note(now(), what, 0, faultsLeft);
    return true;
  }

  /** Notes a broken promise. */
  void found(String fault) {
    trace.note(baton.now(), fault, 0, 0);
    if (found.size() < FAULTS_KEPT) {
      found.add("%.6f s: %s".formatted(baton.now() / 1e9, fault));
    }
  }

  List<String> found() {
    return List.copyOf(found);
  }
}
