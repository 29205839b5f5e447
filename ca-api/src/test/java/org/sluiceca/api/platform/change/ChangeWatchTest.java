package org.sluiceca.api.platform.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.ManualTime;

/** The watch and the loops that rest by it, without threads and in virtual time. */
class ChangeWatchTest {

  private static final Duration USUAL = Duration.ofSeconds(1);
  private static final Duration RESTING = Duration.ofSeconds(30);
  private static final Duration STEP = Duration.ofMillis(50);

  private final ManualTime time = new ManualTime(Fixtures.NOW);
  private final Map<Topic, Long> database = new EnumMap<>(Topic.class);
  private final List<Loop> loops = new ArrayList<>();
  private boolean isAway;
  private Duration asking = Duration.ZERO;
  private int reads;
  private final ChangeWatch watch = new ChangeWatch(this::read, time);

  private Map<Topic, Long> read(boolean isFull) {
    reads++;
    for (Duration left = asking; left.isPositive(); left = left.minus(STEP)) {
      time.pass(left.compareTo(STEP) < 0 ? left : STEP);
      // The loops have threads of their own.
      loops.forEach(Loop::stepIfDue);
    }
    if (isAway) {
      throw new LedgerUnavailable("away");
    }
    Map<Topic, Long> numbers = new EnumMap<>(Topic.class);
    for (Topic topic : Topic.values()) {
      if (isFull || topic.isQuick()) {
        numbers.put(topic, database.getOrDefault(topic, 0L));
      }
    }
    return numbers;
  }

  /** As a PeriodicTask would run it: what it sees of its topic is what it has looked at last. */
  private final class Loop {
    private final Topic topic;
    private final Rest rest;
    private long nextNanos = time.nanoTime();
    private int looks;
    private long seen;

    Loop(Topic topic) {
      this.topic = topic;
      this.rest = watch.rest(List.of(topic), () -> nextNanos = time.nanoTime());
      loops.add(this);
    }

    private void stepIfDue() {
      if (time.nanoTime() - nextNanos < 0) {
        return;
      }
      rest.begin();
      looks++;
      seen = database.getOrDefault(topic, 0L);
      nextNanos = time.nanoTime() + rest.pause(USUAL, RESTING).toNanos();
    }
  }

  /** The watch looks when it is due, and every loop with it. */
  private void run(Duration howLong) {
    long end = time.nanoTime() + howLong.toNanos();
    while (time.nanoTime() - end < 0) {
      Duration pause = watch.look();
      loops.forEach(Loop::stepIfDue);
      time.pass(pause);
    }
  }

  /** As {@link #run}, and loops run while the watch waits as well. */
  private void runFinely(Duration howLong) {
    long end = time.nanoTime() + howLong.toNanos();
    while (time.nanoTime() - end < 0) {
      for (Duration left = watch.look(); left.isPositive(); left = left.minus(STEP)) {
        time.pass(STEP);
        loops.forEach(Loop::stepIfDue);
      }
    }
  }

  @Test
  void look_nothingChanges_fourASecondForAMinuteThenTwo() {
    for (Topic topic : Topic.values()) {
      Loop _ = new Loop(topic);
    }
    run(Duration.ofMinutes(1));
    assertThat(reads).isEqualTo(240);
    reads = 0;
    loops.forEach(loop -> loop.looks = 0);

    run(Duration.ofMinutes(1));

    assertThat(reads).isEqualTo(120);
    assertThat(loops).allSatisfy(loop -> assertThat(loop.looks).isLessThanOrEqualTo(2));
    database.put(Topic.CRLS, 1L);
    run(ChangeWatch.PERIOD_IDLE);
    reads = 0;
    run(Duration.ofSeconds(10));
    assertThat(reads).as("after a change").isEqualTo(40);
  }

  @Test
  void look_newsAfterAnHour_seenWithinHalfASecondOrASecond() {
    for (Topic topic : Topic.values()) {
      Loop loop = new Loop(topic);
      run(Duration.ofHours(1));
      database.put(topic, 7L);

      run(topic.isQuick() ? ChangeWatch.PERIOD_IDLE : Duration.ofSeconds(1));

      assertThat(loop.seen).as(topic.name()).isEqualTo(7);
    }
  }

  @Test
  void look_workForAnHour_keepsItsPace() {
    database.put(Topic.ORDERS, 1L);
    run(Duration.ofHours(1));
    reads = 0;

    run(Duration.ofMinutes(1));

    assertThat(reads).isEqualTo(240);
  }

  @Test
  void ageSeconds_sinceTheLastLookThatWasAnswered() {
    time.pass(Duration.ofSeconds(2));
    assertThat(watch.ageSeconds()).as("before the first look").isEqualTo(2);
    asking = Duration.ofMillis(500);
    watch.look();
    assertThat(watch.ageSeconds()).isEqualTo(0.5);

    isAway = true;
    assertThatExceptionOfType(LedgerUnavailable.class).isThrownBy(watch::look);
    assertThatExceptionOfType(LedgerUnavailable.class).isThrownBy(watch::look);
    assertThat(watch.ageSeconds()).isEqualTo(1.5);

    isAway = false;
    asking = Duration.ZERO;
    watch.look();
    assertThat(watch.ageSeconds()).isZero();
  }

  @Test
  void look_news_seenWithinAQuarterOfASecondOrASecond() {
    for (Topic topic : Topic.values()) {
      Loop loop = new Loop(topic);
      run(Duration.ofSeconds(10));
      database.put(topic, 7L);

      run(topic.isQuick() ? ChangeWatch.PERIOD : Duration.ofSeconds(1));

      assertThat(loop.seen).as(topic.name()).isEqualTo(7);
    }
  }

  /** One job ends and another begins between two looks: the number is the same. */
  @Test
  void look_workIsThere_loopDoesNotRest() {
    Loop loop = new Loop(Topic.BULK_REVOCATIONS);
    run(Duration.ofSeconds(10));
    database.put(Topic.BULK_REVOCATIONS, 1L);
    run(Duration.ofSeconds(3));
    loop.looks = 0;

    run(Duration.ofMinutes(1));

    assertThat(loop.looks).isBetween(59, 61);
  }

  @Test
  void look_changeWhileALoopLooks_seenInItsUsualPace() {
    Loop loop = new Loop(Topic.REVOCATIONS);
    run(Duration.ofSeconds(10));
    loop.rest.begin();
    // The loop has read the former state and has not yet decided how long to wait.
    database.put(Topic.REVOCATIONS, 3L);
    watch.look();

    assertThat(loop.rest.pause(USUAL, RESTING)).isEqualTo(USUAL);
  }

  @Test
  void pause_afterALookThatAChangeCaused_onceMoreInUsualPace() {
    Loop loop = new Loop(Topic.ENDPOINTS);
    run(Duration.ofSeconds(10));
    database.put(Topic.ENDPOINTS, 1L);
    loop.looks = 0;

    run(Duration.ofSeconds(20));

    assertThat(loop.looks).isEqualTo(2);
  }

  @Test
  void look_databaseAway_everyLoopInItsUsualPaceAndOnceMoreWhenItIsBack() {
    Loop loop = new Loop(Topic.CRLS);
    run(Duration.ofSeconds(10));
    isAway = true;
    assertThatExceptionOfType(LedgerUnavailable.class).isThrownBy(watch::look);
    loop.looks = 0;

    // The watch backs off; the loop does not wait for it.
    for (int i = 0; i < 10; i++) {
      loop.stepIfDue();
      time.pass(USUAL);
    }
    assertThat(loop.looks).isEqualTo(10);

    isAway = false;
    // A restored database may have the number that was seen before.
    database.put(Topic.CRLS, 0L);
    loop.looks = 0;
    run(Duration.ofSeconds(20));
    assertThat(loop.looks).isBetween(1, 3);
  }

  @Test
  void rest_beforeTheFirstLookAndAfterTheEnd_neverLong() {
    Rest rest = watch.rest(List.of(Topic.ORDERS), () -> {});
    rest.begin();
    rest.begin();
    assertThat(rest.pause(USUAL, RESTING)).as("nothing was seen yet").isEqualTo(USUAL);
    watch.look();
    rest.begin();
    rest.begin();
    assertThat(rest.pause(USUAL, RESTING)).isEqualTo(RESTING);

    watch.close();

    rest.begin();
    assertThat(rest.pause(USUAL, RESTING)).isEqualTo(USUAL);
  }

  @Test
  void never_always_usual() {
    Rest rest = Rest.never();
    for (int i = 0; i < 3; i++) {
      rest.begin();
      assertThat(rest.pause(USUAL, RESTING)).isEqualTo(USUAL);
    }
  }

  @Test
  void look_databaseTakesItsTime_aFifthOfTheTimeAndLoopsRest() {
    Loop loop = new Loop(Topic.REVOCATIONS);
    asking = Duration.ofMillis(100);
    run(Duration.ofSeconds(5));
    loop.looks = 0;

    assertThat(watch.look()).isEqualTo(Duration.ofMillis(400));
    run(Duration.ofMinutes(1));

    assertThat(loop.looks).isLessThanOrEqualTo(2);
  }

  /** As without a watch: a change is not seen later because the database is slow. */
  @Test
  void look_slowDatabase_boundedPauseAndEveryLoopInItsUsualPace() {
    Loop loop = new Loop(Topic.PROFILES);
    run(Duration.ofSeconds(10));
    asking = Duration.ofSeconds(2);

    assertThat(watch.look()).isEqualTo(Duration.ofSeconds(1));
    loop.looks = 0;
    runFinely(Duration.ofMinutes(1));
    assertThat(loop.looks).isBetween(55, 65);

    asking = Duration.ZERO;
    run(Duration.ofSeconds(5));
    loop.looks = 0;
    run(Duration.ofMinutes(1));
    assertThat(loop.looks).as("it rests again").isLessThanOrEqualTo(2);
  }

  @Test
  void look_databaseTakesItsTime_everyTopicAskedAboutOnceASecond() {
    Loop loop = new Loop(Topic.PROFILES);
    asking = Duration.ofMillis(200);
    run(Duration.ofSeconds(10));
    database.put(Topic.PROFILES, 7L);

    runFinely(Duration.ofSeconds(2));

    assertThat(loop.seen).isEqualTo(7);
  }

  /** What has changed was noted before the failure: no loop may go on resting. */
  @Test
  void look_listenerFails_noChangeIsMissed() {
    Loop loop = new Loop(Topic.REVOCATIONS);
    run(Duration.ofSeconds(10));
    AtomicBoolean isFaulty = new AtomicBoolean(true);
    watch.whileZero(
        Topic.UNINDEXED,
        at -> {
          if (isFaulty.get()) {
            throw new IllegalStateException("planted");
          }
        });
    database.put(Topic.REVOCATIONS, 3L);
    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(watch::look);
    loop.rest.begin();
    loop.rest.begin();
    assertThat(loop.rest.pause(USUAL, RESTING)).as("blind").isEqualTo(USUAL);
    loop.stepIfDue();
    assertThat(loop.seen).isEqualTo(3);

    isFaulty.set(false);
    run(Duration.ofSeconds(5));
    loop.rest.begin();
    assertThat(loop.rest.pause(USUAL, RESTING)).isEqualTo(RESTING);
  }

  @Test
  void close_duringALook_neverLongAfterIt() {
    AtomicReference<ChangeWatch> closing = new AtomicReference<>();
    ChangeWatch other =
        new ChangeWatch(
            isFull -> {
              closing.get().close();
              return read(isFull);
            },
            time);
    closing.set(other);
    Rest rest = other.rest(List.of(Topic.ORDERS), () -> {});

    other.look();

    rest.begin();
    rest.begin();
    assertThat(rest.pause(USUAL, RESTING)).isEqualTo(USUAL);
  }

  @Test
  void whileZero_onlyThen_hearsWhenTheLookBegan() {
    Collection<Long> heard = new ArrayList<>();
    watch.whileZero(Topic.UNINDEXED, heard::add);
    asking = Duration.ofMillis(1);
    long begin = time.nanoTime();
    watch.look();
    database.put(Topic.UNINDEXED, 12L);
    watch.look();

    assertThat(heard).containsExactly(begin);
  }

  /** A topic that is not quick is asked about once a second. */
  @Test
  void follow_everyAnswer_alsoOfWhatHasNotChanged() {
    List<Long> heard = new ArrayList<>();
    watch.follow(Topic.WATCHED, heard::add);
    run(Duration.ofSeconds(3));
    database.put(Topic.WATCHED, 1L);
    run(Duration.ofSeconds(3));

    assertThat(heard).hasSizeBetween(5, 8).startsWith(0L, 0L).endsWith(1L, 1L);
    int before = heard.size();
    isAway = true;
    assertThatExceptionOfType(LedgerUnavailable.class).isThrownBy(watch::look);
    assertThat(heard).hasSize(before);
  }
}
