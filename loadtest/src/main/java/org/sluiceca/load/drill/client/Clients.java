package org.sluiceca.load.drill.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.sluiceca.load.call.Wait;
import org.sluiceca.load.page.Text;

/**
 * Clients that ask for one certificate after another, each on a thread of its own, in a closed loop
 * or together at a constant rate. Their record is what a drill compares. Thread-safe.
 */
public final class Clients implements AutoCloseable {

  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration PAUSE_AFTER_REFUSAL = Duration.ofMillis(100);

  /** A client that a service of this size refuses for longer than this counts as failed. */
  private static final long RETRY_AFTER_MAX_SECONDS = 10;

  private final HttpClient client;
  private final Asked asked;
  private final Arrivals arrivals;
  private final Queue<Granted> granted = new ConcurrentLinkedQueue<>();
  private final Queue<Failure> failures = new ConcurrentLinkedQueue<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicInteger putOff = new AtomicInteger();
  private final Waits waits = new Waits();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** When they were stopped; empty until then. */
  private volatile OptionalLong end = OptionalLong.empty();

  /**
   * What is asked of whom. The service answers after 30 s at the latest; a client whose patience is
   * shorter asks again.
   *
   * @param firstPort of HTTPS, node 0's
   * @param isInsistent clients ask the next node under the same Idempotency-Key until they are
   *     given their certificate, whatever happens; else they do as Retry-After says, and what they
   *     call a failure, an operator's clients would
   */
  private record Asked(
      int firstPort, int nodes, Requests requests, Duration patience, boolean isInsistent) {}

  /**
   * What clients ask for, by number: the same number is the same request, under the same
   * Idempotency-Key.
   *
   * @param token of a requester
   * @param run begins every Idempotency-Key
   * @param csrs in base64, used in turns
   */
  public record Requests(String token, String run, List<String> csrs) {

    private String key(int number) {
      return run + "-" + number;
    }
  }

  /**
   * What a client saw go wrong, for which no Retry-After made up.
   *
   * @param at when the client knew
   */
  public record Failure(Instant at, String what) {

    /** The first of them for the end of a line; nothing if there are none. */
    public static String list(List<Failure> failures, int limit) {
      String text =
          failures.stream()
              .limit(limit)
              .map(failure -> failure.at() + " " + failure.what())
              .collect(Collectors.joining("; "));
      return text.isEmpty() ? "" : ": " + text;
    }
  }

  private Clients(SSLContext tls, Asked asked, Arrivals arrivals, int count) {
    this.asked = asked;
    this.arrivals = arrivals;
    this.client =
        HttpClient.newBuilder()
            .sslContext(tls)
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(asked.patience())
            .build();
    for (int i = 0; i < count; i++) {
      int first = i;
      threads.execute(() -> enroll(first));
    }
  }

  /** Starts clients that ask until they are given it, each at another node than the one before. */
  public static Clients insistent(
      SSLContext tls, int firstPort, int nodes, Requests requests, int count) {
    return new Clients(
        tls,
        new Asked(firstPort, nodes, requests, Duration.ofSeconds(10), true),
        Arrivals.closedLoop(PAUSE),
        count);
  }

  /** Starts clients that know one address, keep their connections, and obey Retry-After. */
  public static Clients obedient(SSLContext tls, int port, Requests requests, int count) {
    return obedient(tls, port, requests, Arrivals.closedLoop(PAUSE), count);
  }

  /** Starts such clients that ask again at once. */
  public static Clients hurried(SSLContext tls, int port, Requests requests, int count) {
    return obedient(tls, port, requests, Arrivals.closedLoop(Duration.ZERO), count);
  }

  /**
   * Starts such clients that ask at a constant rate together.
   *
   * @param rate requests a second, 1 or more, without those after Retry-After
   * @param count requests under way at most: a request that finds all clients busy starts late, and
   *     has waited since it was due
   */
  public static Clients atRate(SSLContext tls, int port, Requests requests, int rate, int count) {
    return obedient(tls, port, requests, Arrivals.openLoop(rate), count);
  }

  private static Clients obedient(
      SSLContext tls, int port, Requests requests, Arrivals arrivals, int count) {
    return new Clients(
        tls, new Asked(port, 1, requests, Duration.ofSeconds(35), false), arrivals, count);
  }

  private void enroll(int first) {
    try {
      int node = first;
      for (OptionalLong due = arrivals.awaitDue(() -> end);
          due.isPresent();
          due = arrivals.awaitDue(() -> end)) {
        int number = numbers.getAndIncrement();
        for (Optional<Duration> wait = ask(number, node);
            wait.isPresent() && !(asked.isInsistent() && end.isPresent());
            wait = ask(number, node)) {
          Thread.sleep(wait.get());
          node++;
        }
        waits.add(due.getAsLong(), System.nanoTime());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks once, and returns after what time to ask for the same again, if at all. */
  private Optional<Duration> ask(int number, int node) throws InterruptedException {
    try {
      HttpResponse<byte[]> answer =
          client.send(
              request(number, asked.firstPort() + node % asked.nodes()),
              BodyHandlers.ofByteArray());
      if (answer.statusCode() == 201) {
        String key = asked.requests().key(number);
        boolean ignored = granted.add(Granted.of(key, answer.body(), Instant.now()));
        return Optional.empty();
      }
      OptionalLong after = answer.headers().firstValueAsLong("Retry-After");
      if (asked.isInsistent() || after.orElse(Long.MAX_VALUE) <= RETRY_AFTER_MAX_SECONDS) {
        int ignored = putOff.incrementAndGet();
        return Optional.of(
            asked.isInsistent() ? PAUSE_AFTER_REFUSAL : Duration.ofSeconds(after.getAsLong()));
      }
      return failed(Text.format("%d, Retry-After %s", answer.statusCode(), after));
    } catch (IOException e) {
      return failed(e.toString());
    }
  }

  private HttpRequest request(int number, int port) {
    Requests requests = asked.requests();
    String csr = requests.csrs().get(number % requests.csrs().size());
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/v1/certificates"))
            .timeout(asked.patience())
            .header("Authorization", "Bearer " + requests.token())
            .header("Content-Type", "application/json")
            .header("Accept", "application/pkix-cert")
            .header("Idempotency-Key", requests.key(number))
            .POST(BodyPublishers.ofString("{\"profile\":\"tls-server\",\"csr\":\"" + csr + "\"}"));
    return (asked.isInsistent() ? request.header("Prefer", "wait=5") : request).build();
  }

  private Optional<Duration> failed(String what) {
    boolean ignored = failures.add(new Failure(Instant.now(), what));
    return asked.isInsistent() ? Optional.of(PAUSE_AFTER_REFUSAL) : Optional.empty();
  }

  /** Returns what was given so far, in the order of time. */
  public List<Granted> granted() {
    return granted.stream().sorted(Comparator.comparing(Granted::at)).toList();
  }

  /** Returns what went wrong so far; of clients that insist, attempts without an answer. */
  public List<Failure> failures() {
    return List.copyOf(failures);
  }

  /** Returns how often a client was refused with Retry-After, or at all if it insists. */
  public int putOff() {
    return putOff.get();
  }

  /** Returns how many attempts had no answer, and how many one that gave nothing. */
  public String others() {
    return failures.size() + " without an answer, " + putOff + " refused or put off";
  }

  /** Returns the longest time from when a request was due to having the certificate. */
  public Duration longest() {
    return waits.longest();
  }

  /** Returns how long requests took, those that failed too. */
  public Waits waits() {
    return waits;
  }

  /** Waits until more than {@code count} were given since a moment; false if not in time. */
  public boolean awaitSince(Instant moment, int count, Duration limit) {
    return Wait.until(
        limit,
        PAUSE_AFTER_REFUSAL,
        () -> granted().stream().filter(one -> one.at().isAfter(moment)).count() > count);
  }

  /** Ends all when what they ask for now is there; false if that is not in time. */
  public boolean stop() throws InterruptedException {
    end = OptionalLong.of(System.nanoTime());
    threads.shutdown();
    boolean isQuiet = threads.awaitTermination(2 * asked.patience().toSeconds(), TimeUnit.SECONDS);
    if (!isQuiet) {
      threads.shutdownNow();
    }
    return isQuiet;
  }

  @Override
  public void close() {
    end = OptionalLong.of(System.nanoTime());
    threads.shutdownNow();
    client.shutdownNow();
    threads.close();
  }
}
