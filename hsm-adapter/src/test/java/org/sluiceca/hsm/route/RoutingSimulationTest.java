package org.sluiceca.hsm.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.route.RoutingSimulation.Device;
import org.sluiceca.hsm.route.RoutingSimulation.Request;
import org.sluiceca.hsm.route.RoutingSimulation.SimToken;

/** Promises of routing, in virtual time; each with a planted bug that its checker must find. */
class RoutingSimulationTest {
  /** 8 engines of 4 ms: 2,000 signatures a second. */
  private static final Device NEAR = Device.ample(8, 4, 0.5);

  private static final Device FAR = Device.ample(8, 4, 175);
  private static final double CAPACITY = 2000;

  // --- a far token costs the near ones nothing

  @ParameterizedTest
  @CsvSource({"0.05, 1", "0.5, 2", "0.8, 3", "0.95, 4", "0.8, 5"})
  void nearWork_besideAFarToken_asFastAsAlone(double load, long seed) {
    double alone = p99(load, seed, false, "");
    double labelled = p99(load, seed, true, "far-away");
    double unlabelled = p99(load, seed, true, "");

    System.out.printf(
        Locale.ROOT,
        "routing: load %.2f, p99 alone %.2f ms, next to a token 175 ms away %.2f ms, without regions"
            + " %.2f ms%n",
        load,
        alone,
        labelled,
        unlabelled);
    assertThat(labelled).isLessThanOrEqualTo(1.1 * alone);
    assertThat(unlabelled).isLessThanOrEqualTo(1.1 * alone);
  }

  private static double p99(double load, long seed, boolean hasFar, String farRegion) {
    RoutingSimulation world = new RoutingSimulation(seed, "here", FailureRules.STANDARD);
    SimToken near = world.add("near", "here", NEAR);
    if (hasFar) {
      SimToken far = world.add("far", farRegion, FAR);
      assertThat(far).isNotSameAs(near);
    }
    world.rain(load * CAPACITY, 0, 20);
    world.run();
    return world.percentile(0.99, 5, 20);
  }

  @Test
  void tooMuchForNear_theFarTokenTakesTheRest() {
    RoutingSimulation world = new RoutingSimulation(7, "here", FailureRules.STANDARD);
    world.add("near", "here", NEAR);
    world.add("far", "there", Device.ample(64, 4, 175));
    world.rain(1.4 * CAPACITY, 0, 15);
    world.run();

    long far = world.requests.stream().filter(r -> r.by.equals("far")).count();
    double p99 = world.percentile(0.99, 5, 15);
    System.out.printf(
        Locale.ROOT,
        "routing: 140 %% of the near token's capacity: %d of %d by the far one, p99 %.0f ms%n",
        far,
        world.requests.size(),
        p99);
    assertThat(world.requests).allMatch(Request::isSigned);
    assertThat(p99).isLessThan(600);
  }

  // --- busy is not dead

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void busyTokens_nothingOpensAndAllCapacityIsUsed(long seed) {
    checkBusy(busyWorld(seed, FailureRules.STANDARD));
  }

  @Test
  void busyTokens_mutantBreakerOnBusy_isFound() {
    BiPredicate<HsmException, Duration> onBusy =
        (failure, timeout) ->
            failure instanceof HsmException.Busy
                || FailureRules.STANDARD.isDeviceLoss().test(failure, timeout);
    RoutingSimulation world =
        busyWorld(11, new FailureRules(onBusy, FailureRules.STANDARD.goesElsewhere()));

    assertThatThrownBy(() -> checkBusy(world)).isInstanceOf(AssertionError.class);
  }

  /** Two tokens that say busy to a part of what their lanes send, at 90 % of what both can do. */
  private static RoutingSimulation busyWorld(long seed, FailureRules rules) {
    RoutingSimulation world = new RoutingSimulation(seed, "", rules);
    Device small = new Device(16, 12, 8, 4, 0.5);
    world.add("a", "", small);
    world.add("b", "", small);
    world.rain(1.8 * CAPACITY, 0, 12);
    world.run();
    return world;
  }

  private static void checkBusy(RoutingSimulation world) {
    long signed = world.requests.stream().filter(Request::isSigned).count();
    long busy = world.busyAnswers();
    System.out.printf(
        Locale.ROOT,
        "routing: %d busy answers, breakers opened %d times, %.2f %% signed%n",
        busy,
        world.opened(),
        100.0 * signed / world.requests.size());
    assertThat(busy).as("the tokens did say busy").isGreaterThan(1000);
    assertThat(world.opened()).as("breakers opened").isZero();
    // Each second both tokens work: no sawtooth.
    for (int second = 3; second < 11; second++) {
      assertThat(world.signedBetween(second, second + 1))
          .as("signed in second %d", second)
          .isGreaterThan((long) (0.8 * 1.8 * CAPACITY));
    }
  }

  // --- one of two dies at full load

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23})
  void oneOfTwoDies_atMostOnePercentFails_nothingIsSignedTwice_itIsUsedWhenBack(long seed) {
    Death death = deathWorld(seed, FailureRules.STANDARD);
    RoutingSimulation world = death.world();
    checkDeath(death);
    long failed = world.requests.stream().filter(r -> !r.isSigned()).count();
    double reuse =
        world.requests.stream()
            .filter(r -> r.by.equals(death.died()) && world.second(r.ended) > 10)
            .mapToDouble(r -> world.second(r.ended) - 10)
            .min()
            .orElse(Double.MAX_VALUE);

    System.out.printf(
        Locale.ROOT,
        "routing: one of two tokens dies: %.3f %% of %d failed; back, it signs after %.0f ms%n",
        100.0 * failed / world.requests.size(),
        world.requests.size(),
        1000 * reuse);
    assertThat(failed).isLessThanOrEqualTo(world.requests.size() / 100);
    assertThat(reuse).isLessThan(15);
  }

  @Test
  void oneOfTwoDies_mutantThatRepeatsWhatMayHaveExecuted_isFound() {
    FailureRules mutant = new FailureRules(FailureRules.STANDARD.isDeviceLoss(), failure -> true);

    assertThatThrownBy(() -> checkDeath(deathWorld(21, mutant)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("executed at most once");
  }

  private record Death(RoutingSimulation world, String died) {}

  /** Work for nine tenths of one; the one that has more to do dies at 5 s and is back at 10 s. */
  private static Death deathWorld(long seed, FailureRules rules) {
    RoutingSimulation world = new RoutingSimulation(seed, "", rules);
    world.add("a", "", NEAR);
    world.add("b", "", NEAR);
    world.rain(0.9 * CAPACITY, 0, 15);
    List<SimToken> dead = new ArrayList<>();
    world.at(
        5,
        () -> {
          dead.add(world.busiest());
          dead.getFirst().die();
        });
    world.at(10, () -> dead.getFirst().comeBack());
    world.run();
    return new Death(world, dead.getFirst().name());
  }

  private static void checkDeath(Death death) {
    assertThat(death.world().requests)
        .as("executed at most once")
        .allMatch(request -> request.executions <= 1);
  }

  // --- a token that hangs

  @ParameterizedTest
  @ValueSource(longs = {31, 32})
  void hungToken_theOtherServes_fewWaitForProbes_itIsUsedWhenItGoesOn(long seed) {
    RoutingSimulation world = new RoutingSimulation(seed, "", FailureRules.STANDARD);
    SimToken a = world.add("a", "", NEAR);
    world.add("b", "", NEAR);
    world.rain(0.2 * CAPACITY, 0, 90);
    world.at(10, a::hang);
    world.at(60, a::unhang);
    world.run();

    long failed = world.requests.stream().filter(r -> !r.isSigned()).count();
    long stuck =
        world.requests.stream().filter(r -> !r.isSigned() && world.second(r.arrived) > 16).count();
    double reuse =
        world.requests.stream()
            .filter(r -> r.by.equals("a") && world.second(r.ended) > 60)
            .mapToDouble(r -> world.second(r.ended) - 60)
            .min()
            .orElse(Double.MAX_VALUE);
    System.out.printf(
        Locale.ROOT,
        "routing: a token hangs for 50 s: %d of %d without signature, %d of them probes; used again"
            + " after %.1f s%n",
        failed,
        world.requests.size(),
        stuck,
        reuse);
    assertThat(failed).isLessThanOrEqualTo(world.requests.size() / 100);
    assertThat(stuck).isLessThanOrEqualTo(6);
    assertThat(reuse).isLessThan(15);
    assertThat(world.requests).allMatch(request -> request.executions <= 1);
  }
}
