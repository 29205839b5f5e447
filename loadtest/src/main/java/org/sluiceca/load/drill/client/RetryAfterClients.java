package org.sluiceca.load.drill.client;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.sluiceca.load.page.Text;

/**
 * Clients that know one address, keep their connections, and do as Retry-After says: what they call
 * a failure, an operator's clients would. Thread-safe.
 */
public final class RetryAfterClients implements AutoCloseable {

  /** The service answers after 30 s at the latest. */
  private static final Duration PATIENCE = Duration.ofSeconds(35);

  /** A client that a service of this size refuses for longer than this counts as failed. */
  private static final long RETRY_AFTER_MAX_SECONDS = 10;

  private static final Duration PAUSE = Duration.ofMillis(20);

  private final HttpClient client;
  private final int port;
  private final Requests requests;
  private final Queue<Granted> granted = new ConcurrentLinkedQueue<>();
  private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();
  private final AtomicInteger putOff = new AtomicInteger();
  private final AtomicInteger numbers = new AtomicInteger();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile long longestMillis;
  private volatile boolean isOver;

  /** Starts {@code count} clients of the service that listens at {@code port}. */
  public RetryAfterClients(SSLContext tls, int port, Requests requests, int count) {
    this.port = port;
    this.requests = requests;
    this.client =
        HttpClient.newBuilder()
            .sslContext(tls)
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
    for (int i = 0; i < count; i++) {
      threads.execute(this::run);
    }
  }

  /** Returns what was given so far. */
  public List<Granted> granted() {
    return List.copyOf(granted);
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

  /** Ends all when what they ask for now is there; false if that is not in time. */
  public boolean stop() throws InterruptedException {
    isOver = true;
    threads.shutdown();
    return threads.awaitTermination(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    isOver = true;
    threads.shutdownNow();
    client.shutdownNow();
    threads.close();
  }

  private void run() {
    try {
      while (!isOver) {
        int number = numbers.getAndIncrement();
        long began = System.nanoTime();
        long wait = ask(number);
        while (wait >= 0) {
          TimeUnit.SECONDS.sleep(wait);
          wait = ask(number);
        }
        took(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void took(long millis) {
    longestMillis = Math.max(longestMillis, millis);
  }

  /** Returns in how many seconds to ask again, or less than 0 for never. */
  private long ask(int number) throws InterruptedException {
    HttpRequest request = requests.of(number, port, PATIENCE).build();
    try {
      HttpResponse<byte[]> answer = client.send(request, BodyHandlers.ofByteArray());
      if (answer.statusCode() == 201) {
        boolean ignored =
            granted.add(Granted.of(requests.key(number), answer.body(), Instant.now()));
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
