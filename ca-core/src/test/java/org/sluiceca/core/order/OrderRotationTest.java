package org.sluiceca.core.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.request.RequesterId;

class OrderRotationTest {

  private static final RequesterId ALICE = new RequesterId("alice");
  private static final RequesterId BOB = new RequesterId("bob");
  private static final RequesterId CAROL = new RequesterId("carol");

  @Test
  void next_oneHasMuch_othersGetTheirTurnsFirst() {
    BacklogDepths depths = depths(Map.of(ALICE, 1_000_000L, BOB, 3L, CAROL, 20L));

    assertThat(new OrderRotation("").next(depths, 30))
        .containsExactlyInAnyOrderEntriesOf(Map.of(ALICE, 14, BOB, 3, CAROL, 13));
  }

  @Test
  void next_roomForFewer_goesOnWhereItStopped() {
    OrderRotation turns = new OrderRotation("");
    BacklogDepths depths = depths(Map.of(ALICE, 9L, BOB, 9L, CAROL, 9L));

    assertThat(turns.next(depths, 2).keySet()).containsExactly(ALICE, BOB);
    assertThat(turns.next(depths, 2).keySet()).containsExactly(CAROL, ALICE);
    assertThat(turns.next(depths, 2).keySet()).containsExactly(BOB, CAROL);
  }

  @Test
  void next_noneOrNoRoom_empty() {
    assertThat(new OrderRotation("x").next(BacklogDepths.EMPTY, 10)).isEmpty();
    assertThat(new OrderRotation("x").next(depths(Map.of(BOB, 1L)), 0)).isEmpty();
  }

  /**
   * Over many rounds of any size, each requester with enough orders gets as much as any other,
   * within one.
   */
  @Test
  void next_anyRounds_equalAmongThoseWhoHaveEnough() {
    SplittableRandom random = new SplittableRandom(5);
    for (int world = 0; world < 200; world++) {
      int requesters = 1 + random.nextInt(20);
      SequencedMap<RequesterId, Long> plenty = new LinkedHashMap<>();
      IntStream.range(0, requesters)
          .forEach(i -> plenty.put(new RequesterId("r" + i), Long.MAX_VALUE / 64));
      OrderRotation turns = new OrderRotation("r" + random.nextInt(30));
      Map<RequesterId, Integer> got = new LinkedHashMap<>();
      for (int round = 0; round < 50; round++) {
        turns
            .next(new BacklogDepths(plenty, 0), random.nextInt(9))
            .forEach((requester, n) -> got.merge(requester, n, Integer::sum));
      }
      int most = got.values().stream().mapToInt(Integer::intValue).max().orElse(0);
      int least = plenty.keySet().stream().mapToInt(r -> got.getOrDefault(r, 0)).min().orElse(0);
      assertThat(most - least).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void ahead_turns_othersCountUpToWhatOneHasItself() {
    BacklogDepths depths = depths(Map.of(ALICE, 1_000_000L, BOB, 3L, CAROL, 20L));

    assertThat(depths.ahead(BOB, 0)).isZero();
    assertThat(depths.ahead(BOB, 2)).isEqualTo(6);
    assertThat(depths.ahead(ALICE, 999_999)).isEqualTo(999_999 + 3 + 20);
    assertThat(depths.total()).isEqualTo(1_000_023);
  }

  private static BacklogDepths depths(Map<RequesterId, Long> depths) {
    return new BacklogDepths(new LinkedHashMap<>(depths), 0);
  }
}
