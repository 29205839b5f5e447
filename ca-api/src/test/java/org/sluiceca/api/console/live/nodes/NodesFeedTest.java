package org.sluiceca.api.console.live.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.console.live.feed.LiveFeed;
import org.sluiceca.api.console.live.feed.Reading;
import org.sluiceca.api.console.live.feed.Readings;
import org.sluiceca.api.console.live.feed.RequesterTally;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;

/** When a node writes, when it reads, and what it makes of it. The steps are done by hand. */
class NodesFeedTest {

  private final AtomicLong seconds = new AtomicLong(100);
  private final AtomicBoolean isStreamed = new AtomicBoolean();
  private final LiveFeed feed = new LiveFeed(this::read, new RequesterTally());
  private final Rows rows = new Rows();
  private final NodesFeed nodes =
      new NodesFeed("node-0", feed, rows, () -> seconds.get() * Readings.SECOND);

  /** A database with the rows of others, and what was asked of it. */
  private static final class Rows implements NodesFeed.Rows {

    private final List<NodeSecond> written = new ArrayList<>();
    private final List<Long> lookedBack = new ArrayList<>();
    private List<NodesFeed.Row> others = List.of();
    private double watchedSeconds;
    private boolean isAway;

    @Override
    public void write(NodeSecond row) {
      answer();
      written.add(row);
    }

    @Override
    public NodesFeed.Answer exchange(Optional<NodeSecond> row, long seconds) {
      answer();
      lookedBack.add(seconds);
      row.ifPresent(written::add);
      return new NodesFeed.Answer(others, watchedSeconds);
    }

    @Override
    public List<NodesFeed.Minute> hour() {
      answer();
      lookedBack.add(-1L);
      return List.of();
    }

    private void answer() {
      if (isAway) {
        throw new LedgerUnavailable("away");
      }
    }
  }

  /** Each reading is a second after the one before: rates are known from the second on. */
  private Reading read() {
    long now = seconds.get();
    return Readings.reading(
        now,
        Readings.counts(10.0 * now, 10.0 * now, Map.of(), Map.of()),
        Map.of(),
        Readings.token("t", 1, 0, 10 * now));
  }

  @AfterEach
  void close() {
    nodes.close();
    feed.close();
  }

  private void openPage() {
    isStreamed.set(true);
    feed.report(isStreamed::get, moment -> {});
  }

  private Duration stepAfter(long passed) {
    seconds.addAndGet(passed);
    return nodes.step();
  }

  private static NodesFeed.Row row(String node, double ageSeconds) {
    return new NodesFeed.Row(NodeRowsForTests.second(node, "calm", 5, 0.2), ageSeconds);
  }

  @Test
  void step_noPageAnywhere_restsAndAsksNothing() {
    assertThat(stepAfter(10)).isGreaterThan(Duration.ofHours(1));
    nodes.watched(0);
    assertThat(stepAfter(10)).isGreaterThan(Duration.ofHours(1));

    assertThat(rows.written).isEmpty();
    assertThat(rows.lookedBack).isEmpty();
  }

  /** Three seconds after the last look of the change watch that has found a page. */
  @Test
  void step_pageOfAnotherNode_writesAndReadsNothing() {
    for (int i = 0; i < 4; i++) {
      nodes.watched(1);
      assertThat(stepAfter(1)).isLessThan(Duration.ofSeconds(1));
    }

    assertThat(rows.written).hasSize(3);
    assertThat(rows.written.getLast().node()).isEqualTo("node-0");
    assertThat(rows.written.getLast().load().issued()).isEqualTo(10);
    assertThat(rows.lookedBack).isEmpty();

    assertThat(stepAfter(1)).isLessThan(Duration.ofSeconds(1));
    assertThat(stepAfter(3)).isGreaterThan(Duration.ofHours(1));
    assertThat(rows.written).hasSize(4);
  }

  @Test
  void step_ownPage_readsTheHourFirstAndThenTheLastSeconds() {
    openPage();
    rows.others = List.of(row("node-1", 0.4), row("node-0", 0.9));
    stepAfter(1);
    stepAfter(1);
    stepAfter(1);

    assertThat(rows.lookedBack).containsExactly(3_600L, 16L, 16L);
    assertThat(rows.written).hasSize(2);
    assertThat(nodes.neighbours().isKnown()).isTrue();
    assertThat(nodes.neighbours().nodes())
        .extracting(node -> node.second().node() + " " + node.isHeard())
        .containsExactly("node-1 true");

    isStreamed.set(false);
    assertThat(stepAfter(1)).isGreaterThan(Duration.ofHours(1));
    assertThat(nodes.neighbours().isKnown()).isFalse();
  }

  @Test
  void neighbours_stoppedWriting_silentOnceItHadTimeToHearOfThePage() {
    openPage();
    rows.others = List.of(row("node-1", 300));
    stepAfter(1);
    assertThat(nodes.neighbours().nodes().getFirst().isSilent()).isFalse();
    assertThat(nodes.neighbours().nodes().getFirst().isHeard()).isFalse();

    rows.others = List.of(row("node-1", 0.5));
    rows.watchedSeconds = 7;
    stepAfter(1);
    assertThat(nodes.neighbours().nodes().getFirst().isHeard()).isTrue();

    // Its last row is beyond what is read each second: it is remembered.
    rows.others = List.of();
    stepAfter(5);
    assertThat(nodes.neighbours().nodes().getFirst().isSilent()).isTrue();
    assertThat(nodes.neighbours().nodes().getFirst().ageSeconds()).isEqualTo(5.5);

    stepAfter(3_600);
    assertThat(nodes.neighbours().nodes()).isEmpty();
  }

  /** What is not read is not called silent: it is the database that is. */
  @Test
  void databaseAway_neighboursStayAsTheyWere() {
    openPage();
    rows.others = List.of(row("node-1", 0.5));
    rows.watchedSeconds = 60;
    stepAfter(1);
    rows.isAway = true;
    assertThatExceptionOfType(LedgerUnavailable.class).isThrownBy(() -> stepAfter(4));
    assertThat(nodes.neighbours().isAway()).isFalse();
    assertThatExceptionOfType(LedgerUnavailable.class).isThrownBy(() -> stepAfter(20));

    assertThat(nodes.neighbours().isAway()).isTrue();
    assertThat(nodes.neighbours().unseenSeconds()).isEqualTo(24);
    assertThat(nodes.neighbours().nodes().getFirst().isSilent()).isFalse();

    rows.isAway = false;
    stepAfter(1);
    assertThat(nodes.neighbours().isAway()).isFalse();
    assertThat(rows.lookedBack).endsWith(40L);
  }

  @Test
  void hour_askedAgain_readOnceInHalfAMinute() {
    nodes.hour();
    seconds.addAndGet(29);
    nodes.hour();
    assertThat(rows.lookedBack).hasSize(1);

    seconds.addAndGet(1);
    nodes.hour();
    assertThat(rows.lookedBack).hasSize(2);
  }
}
