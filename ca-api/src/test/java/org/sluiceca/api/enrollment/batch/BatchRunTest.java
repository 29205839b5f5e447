package org.sluiceca.api.enrollment.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.testkit.Fixtures;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What holds of a batch whatever its lines do. */
@Timeout(180)
class BatchRunTest {

  private static final int LINES = 200;

  private final List<LineResult> heard = Collections.synchronizedList(new ArrayList<>());

  @Test
  void run_allSound_everyResultIsOutWhenItReturns() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    run((requester, line, over) -> done(line), in(LINES), out);

    assertThat(numbers(out))
        .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, LINES).boxed().toList());
    assertThat(heard).hasSize(LINES);
  }

  /** Backpressure: what cannot be enrolled is not read. */
  @Test
  void run_noLineGetsThrough_thirtyTwoAreUnderWayAndNoMoreIsRead() throws Exception {
    CountDownLatch full = new CountDownLatch(BatchRun.LINES_AT_ONCE);
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger atOnce = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger read = new AtomicInteger();
    InputStream in =
        new InputStream() {
          @Override
          public int read() {
            throw new UnsupportedOperationException("in pieces");
          }

          @Override
          public int read(byte[] bytes, int offset, int length) {
            if (read.get() == LINES) {
              return -1;
            }
            read.incrementAndGet();
            bytes[offset] = 'x';
            bytes[offset + 1] = '\n';
            return 2;
          }
        };
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Thread runner =
        Thread.ofVirtual()
            .start(
                () ->
                    runUnchecked(
                        (requester, line, over) -> {
                          most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                          full.countDown();
                          release.await();
                          atOnce.decrementAndGet();
                          return done(line);
                        },
                        in,
                        out));

    assertThat(full.await(60, TimeUnit.SECONDS)).isTrue();
    // One more may have been read, and waits for room.
    assertThat(read.get()).isBetween(BatchRun.LINES_AT_ONCE, BatchRun.LINES_AT_ONCE + 1);
    release.countDown();
    runner.join();

    assertThat(most.get()).isLessThanOrEqualTo(BatchRun.LINES_AT_ONCE);
    assertThat(numbers(out)).hasSize(LINES);
  }

  @Test
  void run_longLines_fewerAtOnce() throws Exception {
    AtomicInteger atOnce = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    String line = "x".repeat(60_000) + "\n";
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    run(
        (requester, l, over) -> {
          most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
          // Long enough for others to be under way, too.
          assertThat(over.await(5, TimeUnit.MILLISECONDS)).isFalse();
          atOnce.decrementAndGet();
          return done(l);
        },
        new ByteArrayInputStream(line.repeat(40).getBytes(StandardCharsets.UTF_8)),
        out);

    assertThat(most.get()).isLessThanOrEqualTo(8);
    assertThat(numbers(out)).hasSize(40);
  }

  @Test
  void run_clientTakesNothing_restIsNotReadAndWaitersHearOfIt() throws Exception {
    AtomicInteger enrolled = new AtomicInteger();
    OutputStream gone =
        new OutputStream() {
          @Override
          public void write(int octet) throws IOException {
            throw new IOException("gone");
          }
        };

    run(
        (requester, line, over) -> {
          if (line.number() == 1) {
            return done(line);
          }
          enrolled.incrementAndGet();
          over.await();
          return done(line);
        },
        in(100_000),
        gone);

    assertThat(enrolled.get()).isLessThanOrEqualTo(BatchRun.LINES_AT_ONCE);
    // What is promised is kept and counted, though no client receives it.
    assertThat(heard).hasSize(enrolled.get() + 1);
  }

  @Test
  void run_nodeStops_saysFromWhichLineOnNothingWasDone() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    AtomicInteger enrolled = new AtomicInteger();

    run(
        (requester, line, over) -> {
          enrolled.incrementAndGet();
          if (line.number() == 5) {
            return LineResult.failed(
                "five", 5, new ProblemException(ProblemType.SHUTTING_DOWN, "stopping"));
          }
          if (line.number() > 5) {
            over.await();
          }
          return done(line);
        },
        in(100_000),
        out);

    List<JsonNode> results = results(out);
    JsonNode last = results.getLast();
    assertThat(last.has("id")).isFalse();
    assertThat(last.path("status").asInt()).isEqualTo(503);
    assertThat(last.path("line").asInt()).isEqualTo(enrolled.get() + 1);
    assertThat(results).hasSize(enrolled.get() + 1);
  }

  @Test
  void run_bodyBreaksOff_earlierLinesAreAnsweredAndTheFirstOtherIsNamed() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    InputStream breaks =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("broken");
          }

          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            throw new IOException("broken");
          }
        };

    run(
        (requester, line, over) -> done(line),
        new SequenceInputStream(
            new ByteArrayInputStream("a\nb\nc".getBytes(StandardCharsets.UTF_8)), breaks),
        out);

    assertThat(numbers(out)).hasSize(3).contains(1, 2);
    JsonNode last = results(out).getLast();
    assertThat(last.path("line").asInt()).isEqualTo(3);
    assertThat(last.path("status").asInt()).isEqualTo(400);
  }

  private void run(BatchRun.Enroller enroller, InputStream in, OutputStream out)
      throws InterruptedException {
    new BatchRun(enroller, JsonMapper.shared(), System::nanoTime, () -> {}, heard::add)
        .run(Fixtures.requester(), in, out);
  }

  private void runUnchecked(BatchRun.Enroller enroller, InputStream in, OutputStream out) {
    try {
      run(enroller, in, out);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static LineResult done(BatchLines.Line line) {
    return new LineResult("id", line.number(), 201, null, null, null, null, null, null, null);
  }

  private static InputStream in(int lines) {
    return new ByteArrayInputStream("x\n".repeat(lines).getBytes(StandardCharsets.UTF_8));
  }

  private static List<JsonNode> results(ByteArrayOutputStream out) {
    return out.toString(StandardCharsets.UTF_8)
        .lines()
        .map(line -> JsonMapper.shared().readTree(line))
        .toList();
  }

  private static List<Integer> numbers(ByteArrayOutputStream out) {
    return results(out).stream().map(r -> r.path("line").asInt()).toList();
  }
}
