package org.sluiceca.hsm.bench.keyless;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Lane;
import org.sluiceca.hsm.RequestSigner;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.SignSchedule;

/**
 * A number of requesters of signatures by one key, each on a virtual thread as a request has, each
 * of whom asks again as soon as it has its signature. The last signature of each is verified.
 */
final class ClosedLoop implements AutoCloseable {
  /** A token that works never takes this long. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private final RequestSigner signer;
  private final KeyKind kind;
  private final KeyRef key;
  private final int workers;
  private final ExecutorService requesters = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch over = new CountDownLatch(1);
  private final AtomicReference<Optional<String>> trouble = new AtomicReference<>(Optional.empty());

  /** What is being counted; replaced whole. */
  private volatile Durations durations = new Durations();

  /** Begins at once. */
  ClosedLoop(RequestSigner signer, KeyKind kind, KeyRef key, int workers) {
    this.signer = signer;
    this.kind = kind;
    this.key = key;
    this.workers = workers;
    for (int i = 0; i < workers; i++) {
      int number = i;
      requesters.execute(() -> ask(number));
    }
  }

  private void ask(int number) {
    byte[] message = new byte[0];
    byte[] signature = new byte[0];
    try {
      for (long schedule = 0; over.getCount() > 0; schedule++) {
        message = KeyKind.message(number, schedule);
        long start = System.nanoTime();
        long until = start + PATIENCE.toNanos();
        signature =
            signer.sign(
                new SignRequest(
                    key,
                    kind.mechanism(),
                    message,
                    new SignSchedule(Lane.INTERACTIVE, kind.toString(), until, until)));
        durations.add(System.nanoTime() - start);
      }
      if (!kind.isSignature(key, message, signature)) {
        trouble.set(Optional.of("a signature by " + kind + " does not verify"));
      }
    } catch (HsmException e) {
      trouble.set(Optional.of(kind + ": " + e));
    }
  }

  /** Measures this one alone, after it has run for {@code settle}. */
  Measurement measure(Duration settle, Duration length) throws InterruptedException {
    return measure(List.of(this), settle, length).getFirst();
  }

  /** Measures loops that run side by side; of several it is unknown whose the processor was. */
  static List<Measurement> measure(List<ClosedLoop> loops, Duration settle, Duration length)
      throws InterruptedException {
    pause(settle);
    loops.forEach(loop -> loop.durations = new Durations());
    long cpu = PROCESS.getProcessCpuTime();
    long start = System.nanoTime();
    pause(length);
    double seconds = (System.nanoTime() - start) / 1e9;
    double cpuSeconds = loops.size() == 1 ? (PROCESS.getProcessCpuTime() - cpu) / 1e9 : Double.NaN;
    List<Measurement> seen = new ArrayList<>();
    for (ClosedLoop loop : loops) {
      Durations counted = loop.durations;
      loop.durations = new Durations();
      seen.add(
          new Measurement(loop.kind, loop.workers, counted.count(), seconds, cpuSeconds, counted));
    }
    return seen;
  }

  /** A benchmark has nothing to wait for but time. */
  private static void pause(Duration time) throws InterruptedException {
    boolean _ = new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Ends it.
   *
   * @throws IllegalStateException if a signature failed or was wrong: then nothing was measured
   */
  @Override
  public void close() {
    over.countDown();
    requesters.close();
    trouble
        .get()
        .ifPresent(
            what -> {
              throw new IllegalStateException(what);
            });
  }
}
