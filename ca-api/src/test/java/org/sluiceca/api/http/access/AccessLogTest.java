package org.sluiceca.api.http.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.api.http.access.AccessLogSettings.Lines;

/** Lines are bounded in rate and memory, and no request waits for the disk. */
class AccessLogTest {

  private final AtomicLong nanos = new AtomicLong();
  private final List<AccessLine> written = new CopyOnWriteArrayList<>();

  private static AccessLine line(int status) {
    return new AccessLine(
        Instant.EPOCH,
        "0123456789abcdef",
        "POST",
        "/v1/certificates",
        status,
        12,
        3,
        Optional.of("web"),
        Optional.empty());
  }

  private AccessLog log(Lines lines, int perSecond) {
    return new AccessLog(new AccessLogSettings(lines, perSecond, false), nanos::get, written::add);
  }

  @ParameterizedTest
  @CsvSource({"ALL,2", "FAILURES,1", "NONE,0"})
  void add_linesBySetting_written(Lines lines, int expected) {
    AccessLog log = log(lines, 10);
    log.start();

    log.add(201, () -> line(201));
    log.add(400, () -> line(400));
    log.close();

    assertThat(written).hasSize(expected);
    assertThat(log.written()).isEqualTo(expected);
    assertThat(log.isOn()).isEqualTo(expected > 0);
  }

  /** The writer rests after the lines that it found, and goes on by itself. */
  @Test
  @Timeout(60)
  void add_writerRests_writtenAllTheSame() {
    AccessLog log = log(Lines.ALL, 10);
    log.start();
    for (int i = 1; i <= 3; i++) {
      log.add(201, () -> line(201));
      while (log.written() < i) {
        Thread.onSpinWait();
      }
    }
    log.close();

    assertThat(written).hasSize(3);
  }

  /** A second that begins while the writer rests has an allowance of its own. */
  @ParameterizedTest
  @ValueSource(ints = {1, 1_000, 1_023, 1_024, 1_025, 2_048, 100_000})
  void rest_fewLines_longOnlyIfTheQueueHoldsAllThatMayCome(int linesPerSecond) {
    long allowed = 2L * (linesPerSecond + linesPerSecond);

    assertThat(AccessLog.rest(AccessLog.FEW, linesPerSecond))
        .isEqualTo(allowed <= AccessLog.QUEUE_MAX ? AccessLog.REST : AccessLog.BUSY_REST);
    assertThat(AccessLog.rest(AccessLog.FEW + 1, linesPerSecond)).isEqualTo(AccessLog.BUSY_REST);
  }

  /** A busy node's answers do not use up the lines of failures. */
  @Test
  void add_moreThanASecondAllows_countedAndFailuresKept() {
    AccessLog log = log(Lines.ALL, 5);
    log.start();

    for (int i = 0; i < 8; i++) {
      log.add(201, () -> line(201));
    }
    log.add(422, () -> line(422));
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    log.add(201, () -> line(201));
    log.close();

    assertThat(written).hasSize(7);
    assertThat(log.dropped(AccessLog.Dropped.RATE)).isEqualTo(3);
  }

  /** A flood must not pay for lines that nothing writes. */
  @Test
  void add_lineIsDropped_notMade() {
    AccessLog failures = log(Lines.FAILURES, 1);
    AtomicLong made = new AtomicLong();
    for (int status : new int[] {200, 404, 404}) {
      failures.add(
          status,
          () -> {
            made.incrementAndGet();
            return line(status);
          });
    }

    assertThat(made).hasValue(1);
    assertThat(failures.dropped(AccessLog.Dropped.RATE)).isOne();
  }

  /** A disk that hangs holds the writer alone. */
  @Test
  void add_writerHangs_neverWaitsAndCounts() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    AccessLog log =
        new AccessLog(
            new AccessLogSettings(Lines.ALL, 100_000, false),
            nanos::get,
            line -> {
              entered.countDown();
              try {
                assertThat(release.await(60, TimeUnit.SECONDS)).isTrue();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              written.add(line);
            });
    log.start();
    log.add(200, () -> line(200));
    assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();

    for (int i = 0; i < AccessLog.QUEUE_MAX + 7; i++) {
      log.add(200, () -> line(200));
    }
    assertThat(log.dropped(AccessLog.Dropped.QUEUE)).isEqualTo(7);
    release.countDown();
    log.close();

    assertThat(written).hasSize(AccessLog.QUEUE_MAX + 1);
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "100001"})
  void settings_linesPerSecondOutOfRange_refused(int lines) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AccessLogSettings(Lines.ALL, lines, false))
        .withMessageContaining("allowed 1 to 100,000");
  }

  @ParameterizedTest
  @CsvSource({"GET,GET", "PATCH,PATCH", "get,other", "MADE-UP,other"})
  void nameOf_method_standardOrOther(String method, String name) {
    assertThat(HttpMethods.nameOf(method)).isEqualTo(name);
    assertThat(HttpMethods.nameOf(method.repeat(5_000))).isEqualTo("other");
  }
}
