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

/**
 * Clients that ask for one certificate after another, each on a thread of its own. Their record is
 * what a drill compares. Thread-safe.
 */
abstract class EnrollingClients implements AutoCloseable {

  private static final Duration PAUSE = Duration.ofMillis(20);

  private final HttpClient client;
  private final Requests requests;
  private final Duration patience;
  private final Queue<Granted> granted = new ConcurrentLinkedQueue<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private volatile boolean isOver;

  EnrollingClients(SSLContext tls, Requests requests, Duration patience) {
    this.requests = requests;
    this.patience = patience;
    this.client =
        HttpClient.newBuilder()
            .sslContext(tls)
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(patience)
            .build();
  }

  /** What a client does about one request, until it has its certificate or gives up. */
  interface Enrollment {
    void of(int number) throws InterruptedException;
  }

  /** Starts one client. */
  final void start(Enrollment enrollment) {
    threads.execute(
        () -> {
          try {
            while (!isOver) {
              enrollment.of(numbers.getAndIncrement());
              Thread.sleep(PAUSE);
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  /** Asks once; what comes with 201 is kept. */
  final HttpResponse<byte[]> ask(int number, int port, String prefer)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = requests.of(number, port, patience);
    HttpResponse<byte[]> answer =
        client.send(
            (prefer.isEmpty() ? request : request.header("Prefer", prefer)).build(),
            BodyHandlers.ofByteArray());
    if (answer.statusCode() == 201) {
      granted.add(Granted.of(requests.key(number), answer.body(), Instant.now()));
    }
    return answer;
  }

  /** Returns what was given so far, in the order of time. */
  public final List<Granted> granted() {
    return granted.stream().sorted(Comparator.comparing(Granted::at)).toList();
  }

  final boolean isOver() {
    return isOver;
  }

  /** Ends all when what they ask for now is there; false if that is not in time. */
  public final boolean stop() throws InterruptedException {
    isOver = true;
    threads.shutdown();
    boolean isQuiet = threads.awaitTermination(2 * patience.toSeconds(), TimeUnit.SECONDS);
    if (!isQuiet) {
      threads.shutdownNow();
    }
    return isQuiet;
  }

  @Override
  public final void close() {
    isOver = true;
    threads.shutdownNow();
    client.shutdownNow();
    threads.close();
  }
}
