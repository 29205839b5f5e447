package org.sluiceca.api.console.live.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.event.CaEvent;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;

/** When the node is read, and what is kept of it. The steps of the thread are done by hand. */
class LiveFeedTest {

  private final AtomicLong seconds = new AtomicLong();
  private final AtomicInteger readings = new AtomicInteger();
  private final AtomicBoolean isStreamed = new AtomicBoolean();
  private final RequesterTally tally = new RequesterTally();
  private final LiveFeed feed =
      new LiveFeed(this::read, tally, () -> seconds.get() * Readings.SECOND);

  private Reading read() {
    readings.incrementAndGet();
    long now = seconds.get();
    return Readings.reading(
        now,
        Readings.counts(10.0 * now, 10.0 * now, Map.of(), Map.of()),
        tally.tallies(),
        Readings.token("t", 1, 0, 10 * now));
  }

  /** Without the feed's own thread, which {@link LiveFeed#look} begins. */
  private void watched() {
    isStreamed.set(true);
    feed.report(isStreamed::get, moment -> {});
  }

  @Test
  void step_unwatched_rests() {
    seconds.set(100);

    assertThat(feed.step()).isGreaterThan(Duration.ofHours(1));
    assertThat(readings).hasValue(0);
  }

  @Test
  void step_watched_readsFasterThanEachSecond() {
    List<LiveFeed.Moment> moments = new ArrayList<>();
    isStreamed.set(true);
    feed.report(isStreamed::get, moments::add);

    for (int i = 0; i < 4; i++) {
      seconds.incrementAndGet();
      assertThat(feed.step()).isLessThan(Duration.ofMillis(900));
    }

    assertThat(moments).hasSize(4);
    assertThat(moments.getFirst().rates().isKnown()).isFalse();
    assertThat(moments.getLast().rates().issued()).isEqualTo(10);
    assertThat(feed.history()).hasSize(3);
    isStreamed.set(false);
    seconds.addAndGet(31);
    assertThat(feed.step()).isGreaterThan(Duration.ofHours(1));
  }

  /** After a pause the mean over it would hide what happens now. */
  @Test
  void step_afterAPause_ratesAreNotOverThePause() {
    watched();
    seconds.set(1);
    feed.step();
    seconds.set(2);
    feed.step();
    seconds.set(500);
    feed.step();
    assertThat(feed.history()).hasSize(1);
    seconds.set(501);
    feed.step();

    assertThat(feed.history()).hasSize(2);
  }

  @Test
  void history_long_isBounded() {
    watched();
    for (int i = 0; i < 2_000; i++) {
      seconds.incrementAndGet();
      feed.step();
    }

    assertThat(feed.history()).hasSize(601);
    assertThat(feed.history().getLast().epochSeconds()).isEqualTo(1_002_000);
  }

  /** The plot would draw a line over the hours in which no page was open. */
  @Test
  void history_afterHoursWithoutAPage_hasTheLastTenMinutesAlone() {
    watched();
    for (int i = 0; i < 9; i++) {
      seconds.incrementAndGet();
      feed.step();
    }
    seconds.addAndGet(7_200);
    feed.step();
    seconds.incrementAndGet();
    feed.step();

    assertThat(feed.history()).hasSize(1);
  }

  @Test
  void history_manyPagesLoaded_isBounded() {
    watched();
    for (int i = 0; i < 2_000; i++) {
      seconds.addAndGet(i % 9 == 0 ? 1 : 0);
      feed.step();
    }

    assertThat(feed.history()).hasSizeLessThanOrEqualTo(750);
  }

  /** Another reader than a page must not keep the feed running, or it would never rest. */
  @Test
  void peek_unwatched_readsAndWatchesNothing() {
    seconds.set(100);
    assertThat(feed.peek().rates().isKnown()).isFalse();
    seconds.incrementAndGet();

    assertThat(feed.peek().rates().issued()).isEqualTo(10);
    assertThat(feed.isWatched()).isFalse();
    assertThat(feed.step()).isGreaterThan(Duration.ofHours(1));
    assertThat(readings).hasValue(2);
    assertThat(feed.peek().reading().nanos()).isEqualTo(101 * Readings.SECOND);
    assertThat(readings).hasValue(2);
  }

  @Test
  void isWatched_streamOrRecentLook() {
    AtomicInteger looks = new AtomicInteger();
    feed.whenLooked(looks::incrementAndGet);
    seconds.set(100);
    watched();
    assertThat(feed.isWatched()).isTrue();
    isStreamed.set(false);
    assertThat(feed.isWatched()).isFalse();
    assertThat(looks).hasValue(0);

    feed.look();
    feed.close();

    assertThat(looks).hasValue(1);
    seconds.addAndGet(30);
    assertThat(feed.isWatched()).isTrue();
    seconds.incrementAndGet();
    assertThat(feed.isWatched()).isFalse();
  }

  @Test
  void tally_countsWhileWantedAndIsBounded() {
    CaEvent shed =
        new CaEvent.RequestShed(new RequesterId("web"), Lane.INTERACTIVE, "SATURATED", 1);
    tally.accept(shed);
    assertThat(tally.tallies()).isEmpty();

    tally.count(true);
    tally.accept(shed);
    assertThat(tally.tallies()).containsEntry("web", new Tally(0, 1));
    for (int i = 0; i < 2 * RequesterTally.REQUESTERS_MAX; i++) {
      tally.accept(
          new CaEvent.RequestShed(new RequesterId("r" + i), Lane.INTERACTIVE, "SATURATED", 1));
    }
    assertThat(tally.tallies()).hasSize(RequesterTally.REQUESTERS_MAX + 1);
    assertThat(tally.tallies())
        .containsEntry(RequesterTally.OTHERS, new Tally(0, RequesterTally.REQUESTERS_MAX + 1));

    tally.count(false);
    tally.accept(shed);
    assertThat(tally.tallies()).isEmpty();
  }
}
