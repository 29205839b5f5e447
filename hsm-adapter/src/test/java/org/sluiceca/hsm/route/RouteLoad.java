package org.sluiceca.hsm.route;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.RequestSigner;

/** A number of requesters, each of which asks again as soon as it has its answer. */
final class RouteLoad implements AutoCloseable {
  private final RequestSigner signer;
  private final KeyRef key;
  private final ExecutorService requesters = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final AtomicLong asked = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong perhapsSigned = new AtomicLong();
  private final ConcurrentMap<String, AtomicLong> failures = new ConcurrentHashMap<>();

  RouteLoad(RequestSigner signer, KeyRef key, int requesterCount) {
    this.signer = signer;
    this.key = key;
    for (int i = 0; i < requesterCount; i++) {
      var _ = requesters.submit(this::ask);
    }
  }

  private void ask() {
    while (stopped.getCount() > 0) {
      asked.incrementAndGet();
      try {
        byte[] _ = signer.sign(TwoTokensIT.request(key));
      } catch (HsmException e) {
        failed.incrementAndGet();
        perhapsSigned.addAndGet(e.mayHaveExecuted() ? 1 : 0);
        failures
            .computeIfAbsent(e.getClass().getSimpleName(), c -> new AtomicLong())
            .incrementAndGet();
      }
    }
  }

  /** Lets it go on for so long. */
  void runFor(Duration time) throws InterruptedException {
    boolean _ = stopped.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  long asked() {
    return asked.get();
  }

  long failed() {
    return failed.get();
  }

  long perhapsSigned() {
    return perhapsSigned.get();
  }

  List<Map.Entry<String, AtomicLong>> failures() {
    return new ArrayList<>(failures.entrySet());
  }

  /** Waits for the requests under way. */
  @Override
  public void close() {
    stopped.countDown();
    requesters.close();
  }
}
