package org.sluiceca.core.admit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluiceca.core.admit.Crowd.Advice;
import org.sluiceca.core.admit.Crowd.Group;
import org.sluiceca.core.admit.Crowd.Scene;
import org.sluiceca.core.sign.Lane;

/**
 * More clients at once than the token signs in minutes: a client that comes back after its
 * Retry-After is served then, on whatever node, while others come of themselves. Seeds by {@code
 * -Dseed=}.
 */
class HerdTest {

  private static final long SECOND = Crowd.SECOND;
  private static final long HERD_AT = 60 * SECOND;
  private static final long SEED = Long.getLong("seed", 1);

  /** Refused twice is the exception. */
  private static final double TWICE_MAX = 0.10;

  /** A node refuses a bounded number a second; a herd is not there before it was heard. */
  private static final double REFUSALS_PER_SECOND = 20_000;

  /**
   * One herd.
   *
   * @param seconds of work for the token
   * @param base what comes of itself, as a part of what the token signs
   * @param requesters 0 if the herd is one requester's, else how many they all are
   */
  record Herd(int nodes, double perSecond, double seconds, double base, int requesters) {}

  static Stream<Herd> herds() {
    return Stream.of(
        new Herd(1, 20, 20, 0, 50),
        new Herd(1, 20, 100, 0.25, 50),
        new Herd(1, 20, 150, 0.25, 0),
        new Herd(1, 200, 20, 0.5, 50),
        new Herd(1, 200, 200, 0, 50),
        new Herd(1, 200, 200, 0.25, 50),
        new Herd(1, 200, 150, 0.25, 0),
        new Herd(1, 200, 200, 0.1, 0),
        new Herd(1, 200, 100, 0.5, 1_000),
        new Herd(10, 200, 20, 0, 50),
        new Herd(10, 200, 200, 0, 50),
        new Herd(10, 200, 200, 0.25, 50),
        new Herd(10, 200, 200, 0.25, 0),
        new Herd(10, 200, 100, 0.5, 50),
        new Herd(10, 1_000, 20, 0.25, 50),
        new Herd(10, 1_000, 100, 0.25, 0));
  }

  /** The token is not left idle, either: the herd is through in little more than its work takes. */
  @ParameterizedTest
  @MethodSource("herds")
  void obeying_herdOfUpTo200Seconds_fewRefusedTwiceAndSoonThrough(Herd herd) {
    Group group = run(herd, Advice.HONEST);

    assertThat(group.served).as("%s seed %d: %s", herd, SEED, group).isEqualTo(group.came);
    assertThat(group.refusedOnce).isPositive();
    assertThat(group.twicePart()).as("seed %d: %s", SEED, group).isLessThanOrEqualTo(TWICE_MAX);
    double seconds = (group.lastServedAt - HERD_AT) / (double) SECOND;
    assertThat(seconds)
        .as("seed %d: %s", SEED, group)
        .isLessThan(40 + 1.8 * herd.seconds / (1 - herd.base));
  }

  /** 512 places are less than a second of such a token's work: less is promised then. */
  @Test
  void obeying_lineShorterThanASecond_someRefusedTwice() {
    for (double base : new double[] {0, 0.25, 0.5}) {
      Group group = run(new Herd(1, 1_000, 50, base, 50), Advice.HONEST);

      assertThat(group.served).as("seed %d: %s", SEED, group).isEqualTo(group.came);
      assertThat(group.refusedOnce).isPositive();
      assertThat(group.twicePart()).as("seed %d: %s", SEED, group).isLessThanOrEqualTo(0.2);
    }
  }

  @Test
  void mutant_constantRetryAfter_isFound() {
    assertFound((shed, lane, random) -> Duration.ofSeconds(10));
  }

  @Test
  void mutant_noWaitingRoom_isFound() {
    assertFound(
        (shed, lane, random) ->
            Duration.ofSeconds(
                Math.max(
                    1,
                    (long) Math.ceil((lane.depth() - 0.7 * lane.capacity()) / lane.perSecond()))));
  }

  @Test
  void mutant_jitterWithoutTurns_isFound() {
    assertFound((shed, lane, random) -> Duration.ofSeconds(1 + random.nextInt(30)));
  }

  @Test
  void mutant_turnsAtTwiceTheRate_isFound() {
    assertFound((shed, lane, random) -> shed.retryAfter().dividedBy(2));
  }

  private static void assertFound(Advice planted) {
    for (int nodes : new int[] {1, 10}) {
      Group group = run(new Herd(nodes, 100, 60, 0.25, 50), planted);

      assertThat(group.twicePart()).as("%s", group).isGreaterThan(2 * TWICE_MAX);
    }
  }

  private static Group run(Herd herd, Advice advice) {
    Crowd crowd = new Crowd(new Scene(herd.nodes, herd.perSecond, 8, 512, 0.5, true, SEED), advice);
    if (herd.base > 0) {
      crowd.stream(
          new Group("base", Math.max(20, herd.requesters), Lane.INTERACTIVE, true),
          herd.base * herd.perSecond,
          0,
          900 * SECOND);
    }
    Group group = new Group("herd", Math.max(1, herd.requesters), Lane.INTERACTIVE, true);
    long count = (long) (herd.seconds * herd.perSecond);
    crowd.herd(group, HERD_AT, count, count / (herd.nodes * REFUSALS_PER_SECOND));
    crowd.run(1_200 * SECOND);
    return group;
  }
}
