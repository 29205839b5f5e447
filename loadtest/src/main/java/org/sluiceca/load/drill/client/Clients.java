package org.sluiceca.load.drill.client;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.sluiceca.load.call.Wait;
import org.sluiceca.load.page.Text;

/**
 * Clients that ask for one certificate after another, and ask again under the same Idempotency-Key
 * until they are given it. Their record is what a drill compares. Thread-safe.
 */
public final class Clients implements AutoCloseable {

  /**
   * The service answers after 30 s at the latest; a client that does not wait so long asks again.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Duration PAUSE_AFTER_REFUSAL = Duration.ofMillis(100);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final HttpClient client;
  private final Asked asked;
  private final Queue<Granted> granted = new ConcurrentLinkedQueue<>();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicInteger numbers = new AtomicInteger();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile boolean isOver;

  /**
   * What is asked of whom.
   *
   * @param firstPort of HTTPS, node 0's
   */
  public record Asked(int firstPort, int nodes, Requests requests) {}

  /** Starts {@code count} clients, each at another node than the one before. */
  public Clients(SSLContext tls, Asked asked, int count) {
    this.asked = asked;
    this.client =
        HttpClient.newBuilder()
            .sslContext(tls)
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
    for (int i = 0; i < count; i++) {
      int first = i;
      threads.execute(() -> run(first));
    }
  }

  /** Returns what was given so far, in the order of time. */
  public List<Granted> granted() {
    return granted.stream().sorted(Comparator.comparing(Granted::at)).toList();
  }

  /** Returns how many attempts had no answer, and how many one that gave nothing. */
  public String others() {
    return Text.format(
        "%d without an answer, %d refused or put off", unanswered.get(), refused.get());
  }

  /** Waits until more than {@code count} were given since a moment; false if not in time. */
  public boolean awaitSince(Instant moment, int count, Duration limit) throws InterruptedException {
    return Wait.until(
        limit,
        PAUSE_AFTER_REFUSAL,
        () -> granted.stream().filter(one -> one.at().isAfter(moment)).count() > count);
  }

  /** Ends all: what is under way has a patience to be answered, and is not asked again. */
  public void stop() throws InterruptedException {
    isOver = true;
    threads.shutdown();
    if (!threads.awaitTermination(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      threads.shutdownNow();
    }
  }

  @Override
  public void close() {
    isOver = true;
    threads.shutdownNow();
    client.shutdownNow();
    threads.close();
  }

  private void run(int first) {
    int node = first % asked.nodes();
    try {
      while (!isOver) {
        int number = numbers.getAndIncrement();
        while (!isOver && !isGiven(number, node)) {
          node = (node + 1) % asked.nodes();
          Thread.sleep(PAUSE_AFTER_REFUSAL);
        }
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isGiven(int number, int node) throws InterruptedException {
    HttpRequest request =
        asked
            .requests()
            .of(number, asked.firstPort() + node, PATIENCE)
            .header("Prefer", "wait=5")
            .build();
    try {
      HttpResponse<byte[]> answer = client.send(request, BodyHandlers.ofByteArray());
      if (answer.statusCode() != 201) {
        int ignored = refused.incrementAndGet();
        return false;
      }
      return granted.add(Granted.of(asked.requests().key(number), answer.body(), Instant.now()));
    } catch (IOException e) {
      int ignored = unanswered.incrementAndGet();
      return false;
    }
  }
}
