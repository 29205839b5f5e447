package org.sluiceca.api.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;

@Timeout(60)
class PeriodicTaskTest {

  private static final Duration SHORT = Duration.ofMillis(1);

  private final AtomicInteger steps = new AtomicInteger();
  private final CountDownLatch third = new CountDownLatch(3);

  private static PeriodicTask.Terms terms(Duration stopMax) {
    return new PeriodicTask.Terms(
        PeriodicTaskTest.class, "periodic", "a step failed", Duration.ZERO, SHORT, stopMax);
  }

  private void count() {
    steps.incrementAndGet();
    third.countDown();
  }

  @Test
  void start_untilClose_stepsAgainAndAgain() throws Exception {
    PeriodicTask task =
        new PeriodicTask(
            terms(Duration.ofSeconds(50)),
            isStopping -> {
              count();
              return SHORT;
            });
    task.start();
    assertThat(third.await(50, TimeUnit.SECONDS)).isTrue();
    task.close();
    int done = steps.get();

    assertThat(task.failures()).isZero();
    assertThat(done).isGreaterThanOrEqualTo(3);
    // The thread has ended, so no later step can come.
    assertThat(steps.get()).isEqualTo(done);
    task.close();
  }

  @Test
  void wake_longPause_nextStepAtOnce() throws Exception {
    PeriodicTask task =
        new PeriodicTask(
            terms(Duration.ofSeconds(50)),
            isStopping -> {
              count();
              return Duration.ofDays(1);
            });
    task.start();
    while (!third.await(1, TimeUnit.MILLISECONDS)) {
      task.wake();
    }
    task.close();

    assertThat(task.isStopping()).isTrue();
  }

  /** Unavailable, a bug, and a class that is not there: the next step comes all the same. */
  @Test
  void step_throwsWhatever_nextOneFollows() throws Exception {
    PeriodicTask task =
        new PeriodicTask(
            terms(Duration.ofSeconds(50)),
            isStopping -> {
              count();
              if (steps.get() == 1) {
                throw new LedgerUnavailable("planted");
              }
              if (steps.get() == 2) {
                throw new IllegalStateException("planted");
              }
              throw new NoClassDefFoundError("planted");
            });
    task.start();
    assertThat(third.await(50, TimeUnit.SECONDS)).isTrue();
    task.close();

    assertThat(task.failures()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void step_throws_countedInTheMetricOfItsName() throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    Metrics.addRegistry(registry);
    try {
      PeriodicTask task =
          new PeriodicTask(
              terms(Duration.ofSeconds(50)),
              isStopping -> {
                count();
                throw new LedgerUnavailable("planted");
              });
      double before = registry.counter("ca.task.failures", "task", "periodic").count();
      task.start();
      assertThat(third.await(50, TimeUnit.SECONDS)).isTrue();
      task.close();

      assertThat(registry.counter("ca.task.failures", "task", "periodic").count() - before)
          .isEqualTo((double) task.failures());
    } finally {
      Metrics.removeRegistry(registry);
    }
  }

  @Test
  void retryAfter_failuresInTurn_doublesUpToTheBound() {
    assertThat(IntStream.range(0, 6).mapToObj(i -> seconds(1, i)))
        .containsExactly(1L, 2L, 4L, 8L, 10L, 10L);
    assertThat(IntStream.of(0, 1, 1_000_000).mapToObj(i -> seconds(3, i)))
        .containsExactly(3L, 6L, 10L);
    assertThat(IntStream.of(0, 1, 1_000_000).mapToObj(i -> seconds(3600, i)))
        .containsExactly(3600L, 3600L, 3600L);
  }

  private static long seconds(long retry, int failedBefore) {
    return PeriodicTask.retryAfter(Duration.ofSeconds(retry), failedBefore).toSeconds();
  }

  @Test
  void close_stepIsLong_itHearsOfItAndIsInterruptedIfItGoesOn() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    AtomicBoolean heard = new AtomicBoolean();
    PeriodicTask task =
        new PeriodicTask(
            terms(SHORT),
            isStopping -> {
              entered.countDown();
              try {
                assertThat(new CountDownLatch(1).await(50, TimeUnit.SECONDS)).isTrue();
              } catch (InterruptedException e) {
                heard.set(isStopping.getAsBoolean());
                interrupted.countDown();
                throw e;
              }
              return SHORT;
            });
    task.start();
    assertThat(entered.await(50, TimeUnit.SECONDS)).isTrue();

    task.close();

    assertThat(interrupted.await(50, TimeUnit.SECONDS)).isTrue();
    assertThat(heard).isTrue();
  }

  @Test
  void close_neverStarted_returns() {
    new PeriodicTask(terms(Duration.ofSeconds(50)), isStopping -> SHORT).close();

    assertThat(steps).hasValue(0);
  }

  @Test
  void terms_withoutAPauseAfterFailure_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new PeriodicTask.Terms(
                    PeriodicTaskTest.class, "a", "b", SHORT, Duration.ZERO, SHORT));
  }
}
