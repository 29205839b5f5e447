package org.sluiceca.load.day.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What certificates cost, with nodes that are cold and warm. */
class CostsTest {

  private static final long SECOND = 1_000;

  /** A second in which that number came, each for that number of microseconds of the node. */
  private static Entry.Sampled second(long atMillis, long stored, long certificates, long micros) {
    return new Entry.Sampled(
        atMillis,
        stored,
        certificates,
        1_000_000,
        certificates * micros,
        certificates * 50,
        certificates * 20,
        1_500_000,
        2_000_000);
  }

  @Test
  void at_lastTwoMinutesBeforeTheMark_ofThisStartOnly() {
    List<Entry> entries = new ArrayList<>();
    entries.add(new Entry.Began(0, 0, 0));
    for (int s = 1; s <= 300; s++) {
      entries.add(second(s * SECOND, s * 1_000L, 1_000, s <= 180 ? 400 : 200));
    }
    entries.add(new Entry.Paused(300 * SECOND, 0, 1));
    entries.add(new Entry.Went(400 * SECOND, 0, 1));
    entries.add(second(401 * SECOND, 301_000, 1_000, 999));
    entries.add(new Entry.Paused(402 * SECOND, 1, 1));
    Costs costs = new Costs(entries);

    Costs.Cost first = costs.at(0).orElseThrow();
    Costs.Cost second = costs.at(1).orElseThrow();

    assertThat(first.nodeMicros()).isEqualTo(200);
    assertThat(first.certificates()).isEqualTo(120_000);
    assertThat(first.perSecond()).isEqualTo(1_000);
    assertThat(first.serviceMicros()).isEqualTo(250);
    assertThat(first.busyShare()).isEqualTo(0.75);
    assertThat(first.isWarm()).isTrue();
    assertThat(second.nodeMicros()).isEqualTo(999);
    assertThat(second.isWarm()).isFalse();
    assertThat(costs.at(2)).isEmpty();
  }

  /** Nodes that were started again are cold again: what came before the start does not count. */
  @Test
  void warm_firstHundredThousandOfWarmNodes() {
    List<Entry> entries = new ArrayList<>();
    entries.add(new Entry.Began(0, 0, 0));
    entries.add(second(1, 150_000, 150_000, 900));
    entries.add(second(2, 200_000, 50_000, 300));
    entries.add(new Entry.Began(3, 1, 0));
    entries.add(second(4, 300_000, 100_000, 800));
    assertThat(new Costs(entries).warm()).isEmpty();
    entries.add(second(5, 360_000, 60_000, 210));
    entries.add(second(6, 420_000, 60_000, 210));
    entries.add(second(7, 480_000, 60_000, 500));

    Costs.Cost warm = new Costs(entries).warm().orElseThrow();

    assertThat(warm.nodeMicros()).isEqualTo(210);
    assertThat(warm.stored()).isEqualTo(420_000);
  }

  @Test
  void curve_pointsGrowByATwentieth() {
    List<Entry> entries = new ArrayList<>();
    entries.add(new Entry.Began(0, 0, 0));
    for (int s = 1; s <= 1_000; s++) {
      entries.add(second(s * SECOND, s * 1_000L, 1_000, 300));
    }

    List<Costs.Cost> curve = new Costs(entries).curve();

    assertThat(curve).hasSizeBetween(60, 160);
    assertThat(curve).isSortedAccordingTo(Comparator.comparingLong(Costs.Cost::stored));
    assertThat(curve).allSatisfy(point -> assertThat(point.nodeMicros()).isEqualTo(300));
  }
}
