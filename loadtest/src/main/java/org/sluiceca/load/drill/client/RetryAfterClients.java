package org.sluiceca.load.drill.client;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.sluiceca.load.page.Text;

/**
 * Clients that know one address, keep their connections, and do as Retry-After says: what they call
 * a failure, an operator's clients would.
 */
public final class RetryAfterClients extends EnrollingClients {

  /** The service answers after 30 s at the latest. */
  private static final Duration PATIENCE = Duration.ofSeconds(35);

  /** A client that a service of this size refuses for longer than this counts as failed. */
  private static final long RETRY_AFTER_MAX_SECONDS = 10;

  private final int port;
  private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();
  private final AtomicInteger putOff = new AtomicInteger();
  private volatile long longestMillis;

  /** Starts {@code count} clients of the service that listens at {@code port}. */
  public RetryAfterClients(SSLContext tls, int port, Requests requests, int count) {
    super(tls, requests, PATIENCE);
    this.port = port;
    for (int i = 0; i < count; i++) {
      start(this::enroll);
    }
  }

  /** Returns what went wrong so far. */
  public List<Failure> failures() {
    return List.copyOf(failures);
  }

  /** Returns how often a client was refused with Retry-After. */
  public int putOff() {
    return putOff.get();
  }

  /** Returns the longest time from asking for the first time to having the certificate. */
  public Duration longest() {
    return Duration.ofMillis(longestMillis);
  }

  private void enroll(int number) throws InterruptedException {
    long began = System.nanoTime();
    for (long wait = askOnce(number); wait >= 0; wait = askOnce(number)) {
      TimeUnit.SECONDS.sleep(wait);
    }
    took(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
  }

  private synchronized void took(long millis) {
    longestMillis = Math.max(longestMillis, millis);
  }

  /** Returns in how many seconds to ask again, or less than 0 for never. */
  private long askOnce(int number) throws InterruptedException {
    try {
      HttpResponse<byte[]> answer = ask(number, port, "");
      if (answer.statusCode() == 201) {
        return -1;
      }
      OptionalLong after = answer.headers().firstValueAsLong("Retry-After");
      if (after.isEmpty() || after.getAsLong() > RETRY_AFTER_MAX_SECONDS) {
        return failed(Text.format("%d, Retry-After %s", answer.statusCode(), after));
      }
      int ignored = putOff.incrementAndGet();
      return after.getAsLong();
    } catch (IOException e) {
      return failed(e.toString());
    }
  }

  /** It is written down, and the client goes on with another. */
  private long failed(String what) {
    boolean ignored = failures.add(new Failure(Instant.now(), what));
    return -1;
  }
}
