package org.sluiceca.api.platform.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluiceca.core.request.RequesterId;

@Timeout(60)
class FairSlotsTest {

  private static final RequesterId GREEDY = new RequesterId("greedy");
  private static final RequesterId HONEST = new RequesterId("honest");
  private static final RequesterId OTHER = new RequesterId("other");
  private static final Duration LONG = Duration.ofSeconds(50);

  private final FairSlots<RequesterId> turns = new FairSlots<>(1, 16);
  private final LinkedBlockingQueue<RequesterId> served = new LinkedBlockingQueue<>(100);
  private final List<Thread> threads = new ArrayList<>();

  @AfterEach
  void endAll() throws InterruptedException {
    for (Thread thread : threads) {
      thread.interrupt();
      thread.join(10_000);
    }
  }

  /** Starts a request that waits, and returns when it does. */
  private void ask(RequesterId requester) {
    int before = turns.waiting();
    threads.add(
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    if (turns.begin(requester, LONG)) {
                      served.add(requester);
                    }
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                }));
    while (turns.waiting() == before) {
      Thread.onSpinWait();
    }
  }

  private RequesterId next() throws InterruptedException {
    return served.poll(50, TimeUnit.SECONDS);
  }

  /** 60 connections of one requester refused the searches of others. */
  @Test
  void begin_behindMany_ofOneRequester_isNextButOne() throws InterruptedException {
    assertThat(turns.begin(GREEDY, LONG)).isTrue();
    for (int i = 0; i < 5; i++) {
      ask(GREEDY);
    }
    ask(HONEST);
    ask(OTHER);

    List<RequesterId> order = new ArrayList<>();
    RequesterId current = GREEDY;
    for (int i = 0; i < 7; i++) {
      turns.end(current);
      current = next();
      order.add(current);
    }

    assertThat(order).containsExactly(GREEDY, HONEST, OTHER, GREEDY, GREEDY, GREEDY, GREEDY);
  }

  @Test
  void begin_manyOfOne_leavePlacesToWait() throws InterruptedException {
    FairSlots<RequesterId> few = new FairSlots<>(1, 4);
    assertThat(few.begin(GREEDY, LONG)).isTrue();

    assertThat(few.begin(GREEDY, Duration.ZERO)).as("waits, and not for long").isFalse();
    CountDownLatch ended = new CountDownLatch(1);
    threads.add(
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    boolean _ = few.begin(GREEDY, LONG);
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  } finally {
                    ended.countDown();
                  }
                }));
    while (few.waiting() == 0) {
      Thread.onSpinWait();
    }

    assertThat(few.begin(GREEDY, LONG)).as("a third place at once").isFalse();
    few.end(GREEDY);
    assertThat(ended.await(50, TimeUnit.SECONDS)).isTrue();
    few.end(GREEDY);
    assertThat(few.begin(HONEST, LONG)).isTrue();
  }

  /** What one may not have stays free for others while it waits. */
  @Test
  void begin_allThatOneMayHave_othersGetTheRest() throws InterruptedException {
    FairSlots<RequesterId> halves = new FairSlots<>(4, 2, 16);
    assertThat(halves.begin(GREEDY, LONG)).isTrue();
    assertThat(halves.begin(GREEDY, LONG)).isTrue();

    assertThat(halves.begin(GREEDY, Duration.ofNanos(1))).isFalse();
    assertThat(halves.begin(HONEST, Duration.ZERO)).isTrue();
    assertThat(halves.begin(OTHER, Duration.ZERO)).isTrue();
    assertThat(halves.begin(HONEST, Duration.ofNanos(1))).as("none is free").isFalse();

    halves.end(OTHER);
    assertThat(halves.begin(GREEDY, Duration.ofNanos(1))).isFalse();
    halves.end(GREEDY);
    assertThat(halves.begin(GREEDY, Duration.ZERO)).isTrue();
  }

  @Test
  void begin_noTurnInTime_givesItsPlaceBack() throws InterruptedException {
    assertThat(turns.begin(GREEDY, LONG)).isTrue();
    for (int i = 0; i < 100; i++) {
      assertThat(turns.begin(HONEST, Duration.ofNanos(1))).isFalse();
    }
    assertThat(turns.waiting()).isZero();

    turns.end(GREEDY);
    assertThat(turns.begin(HONEST, Duration.ZERO)).isTrue();
  }

  /** A request that was interrupted must not take the turn with it. */
  @Test
  void begin_interrupted_theTurnGoesToTheNext() throws InterruptedException {
    assertThat(turns.begin(GREEDY, LONG)).isTrue();
    ask(HONEST);
    ask(OTHER);

    threads.getFirst().interrupt();
    threads.getFirst().join(10_000);
    turns.end(GREEDY);

    assertThat(next()).isEqualTo(OTHER);
    turns.end(OTHER);
    assertThat(turns.begin(HONEST, Duration.ZERO)).isTrue();
  }

  @Test
  void bounds_contradict_areRefused() {
    assertThatThrownBy(() -> new FairSlots<>(0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new FairSlots<>(3, 2)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new FairSlots<>(3, 4, 8)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new FairSlots<>(3, 0, 8)).isInstanceOf(IllegalArgumentException.class);
  }
}
