package org.sluiceca.hsm.limit.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.sluiceca.hsm.limit.Grant;
import org.sluiceca.hsm.limit.NodeReport;
import org.sluiceca.hsm.limit.Sample;

class LeasesTest {

  private static final long SECOND = 1_000_000_000;
  private static final long LIFE = 3 * SECOND;
  private static final Offset<Double> EXACT = within(1e-9);

  @Test
  void divide_moreWanted_maxMinOverDemand() {
    Leases leases = new Leases(100, LIFE, 0);

    List<Grant> grants =
        leases.divide(12, List.of(node("a", 2), node("b", 50), node("c", 50)), 0.01, 0);

    assertThat(width(grants, "a")).isCloseTo(2, EXACT);
    assertThat(width(grants, "b")).isCloseTo(5, EXACT);
    assertThat(width(grants, "c")).isCloseTo(5, EXACT);
  }

  @Test
  void divide_lessWanted_theRestIsThereForWhoeverAsksNext() {
    Leases leases = new Leases(100, LIFE, 0);

    List<Grant> grants = leases.divide(12, List.of(node("a", 4), node("b", 0)), 0.01, 0);

    assertThat(width(grants, "a") + width(grants, "b")).isCloseTo(12, EXACT);
    assertThat(width(grants, "b")).isGreaterThan(1);
  }

  @Test
  void divide_farNode_widerForTheSameRate() {
    Leases leases = new Leases(100, LIFE, 0);
    NodeReport far = new NodeReport("far", 99, 1, 0.03, Sample.NONE, 0);

    List<Grant> grants = leases.divide(10, List.of(node("near", 99), far), 0.01, 0);

    assertThat(width(grants, "far") / 0.04).isCloseTo(width(grants, "near") / 0.01, EXACT);
  }

  @Test
  void divide_oldGrantsUnread_raisesWaitForThem() {
    Leases leases = new Leases(10, LIFE, 0);
    leases.divide(10, List.of(node("a", 99)), 0.01, 0);

    List<Grant> together = leases.divide(10, List.of(node("a", 99), node("b", 99)), 0.01, SECOND);
    assertThat(width(together, "a")).isCloseTo(5, EXACT);
    assertThat(width(together, "b")).isZero();

    NodeReport read = new NodeReport("a", 99, 5, 0, Sample.NONE, together.getFirst().number());
    List<Grant> later = leases.divide(10, List.of(read, node("b", 99)), 0.01, 2 * SECOND);
    assertThat(width(later, "b")).isCloseTo(5, EXACT);
  }

  @Test
  void divide_nodeGone_itsPartIsFreeWhenItsLeaseIsOver() {
    Leases leases = new Leases(10, LIFE, 0);
    leases.divide(10, List.of(node("a", 99)), 0.01, 0);

    assertThat(leases.divide(10, List.of(node("b", 99)), 0.01, LIFE - 1)).isEmpty();
    assertThat(width(leases.divide(10, List.of(node("b", 99)), 0.01, LIFE), "b"))
        .isCloseTo(10, EXACT);
  }

  /** Nodes come, go, read late or never; what they may use together stays within the limit. */
  @Test
  void divide_randomCourses_unexpiredGrantsNeverExceedTheLimit() {
    for (long seed = 1; seed <= 200; seed++) {
      Random random = new Random(seed);
      double max = 1 + 50 * random.nextDouble();
      Leases leases = new Leases(max, LIFE, 0);
      List<Held> grants = new ArrayList<>();
      Map<String, Long> seen = new HashMap<>();
      for (long now = 0; now < 60 * SECOND; now += SECOND) {
        List<NodeReport> reports = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(8); i++) {
          String name = "n" + random.nextInt(8);
          if (reports.stream().noneMatch(r -> r.node().equals(name))) {
            reports.add(
                new NodeReport(
                    name,
                    random.nextInt(60),
                    1,
                    random.nextDouble() / 50,
                    Sample.NONE,
                    seen.getOrDefault(name, 0L)));
          }
        }
        long time = now;
        for (Grant grant : leases.divide(max * random.nextDouble(), reports, 0.01, now)) {
          grants.add(new Held(grant, time + LIFE));
          if (random.nextBoolean()) {
            seen.put(grant.node(), grant.number());
          }
        }
        assertThat(usable(grants, seen, now)).as("seed %d", seed).isLessThan(max + 1e-6);
      }
    }
  }

  private record Held(Grant grant, long untilNanos) {}

  /** The most that the nodes may use: of each, the widest grant that it has or may yet read. */
  private static double usable(List<Held> grants, Map<String, Long> seen, long now) {
    return grants.stream()
        .filter(h -> now < h.untilNanos())
        .filter(h -> h.grant().number() >= seen.getOrDefault(h.grant().node(), 0L))
        .collect(
            Collectors.groupingBy(
                h -> h.grant().node(),
                Collectors.mapping(h -> h.grant().width(), Collectors.reducing(0.0, Math::max))))
        .values()
        .stream()
        .mapToDouble(w -> w)
        .sum();
  }

  private static NodeReport node(String name, double demand) {
    return new NodeReport(name, demand, 1, 0, Sample.NONE, 0);
  }

  /** 0 if it got none. */
  private static double width(List<Grant> grants, String node) {
    return grants.stream().filter(g -> g.node().equals(node)).mapToDouble(Grant::width).sum();
  }
}
