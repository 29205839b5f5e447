package org.sluiceca.client.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.connect.Connection;
import org.sluiceca.client.connect.Credential;
import org.sluiceca.client.connect.Trust;
import org.sluiceca.client.http.stream.StreamedCall;
import org.sluiceca.client.http.stream.StreamedExchange;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;

/**
 * The service as a command sees it: a call is repeated while the service asks for that and time is
 * left, and goes to the next node where one does not answer. Blocks; not thread-safe.
 */
public final class Service implements AutoCloseable {
  /** The longest answer that is read, in octets. */
  public static final int BODY_MAX = 64 << 20;

  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(60);
  private static final Duration ANSWER_OF_SEVERAL = Duration.ofSeconds(20);
  private static final Duration ANSWER_LEAST = Duration.ofSeconds(10);
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String LINES = "application/x-ndjson";
  private static final int LOST = 0;
  private static final int TIMEOUT = 408;
  private static final int CONFLICT = 409;
  private static final int TOO_MANY = 429;
  private static final int UNAVAILABLE = 503;
  private static final HttpHeaders NO_HEADERS = HttpHeaders.of(Map.of(), (a, b) -> true);

  private final Connection connection;
  private final SSLContext context;
  private final HttpClient client;
  private final Duration total;
  private final Console console;
  private Patience patience;
  private String loss = "";
  private int node;
  private boolean answered;

  /** The time of {@code total} runs from now on, over all calls. */
  public Service(Connection connection, Duration total, Console console) {
    this.connection = connection;
    this.console = console;
    this.total = total;
    this.patience = new Patience(total, RANDOM);
    this.context = Trust.of(connection);
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .sslContext(context)
            .build();
  }

  /** The URL of the node that answers now. */
  public URI url() {
    return connection.urls().get(node);
  }

  /** How long a command may ask again, in all. */
  public Duration patience() {
    return total;
  }

  /** Where it is, and as whom it is asked. */
  public Connection connection() {
    return connection;
  }

  /** The answer of a call that succeeded, 2xx. Any other ends the command with its reason. */
  public Reply ask(Call call) {
    return succeeded(reply(call));
  }

  /** The same, for a call that one node may take this long to answer. */
  public Reply ask(Call call, Duration answer) {
    return succeeded(reply(call, answer, true));
  }

  /** The last answer of a call, whatever its status, after the repetitions that it asked for. */
  public Reply reply(Call call) {
    return reply(call, null, true);
  }

  /**
   * The same for a call that would be done twice by two requests: if its answer is lost, it is not
   * repeated.
   */
  public Reply replyOnce(Call call) {
    return reply(call, null, false);
  }

  private Reply reply(Call call, @Nullable Duration answer, boolean repeatsLost) {
    while (true) {
      Reply reply = exchange(call, answer == null ? usualLimit() : answer);
      boolean ends = !isToRepeat(reply) || (isLost(reply) && !repeatsLost);
      if (ends || !waitsToRepeat(reply)) {
        return reply;
      }
    }
  }

  /**
   * Waits as a refusal asks before the same is sent again, to the next node where this one is lost
   * or unavailable; false, without waiting, if no time is left.
   */
  public boolean waitsToRepeat(Reply reply) {
    Optional<Duration> pause = patience.pause(reply.headers());
    if (pause.isEmpty() || patience.left().isZero()) {
      return false;
    }
    console.say("%s: again in %d s", cause(reply), Math.round(pause.get().toMillis() / 1000.0));
    if (isLost(reply) || reply.status() == UNAVAILABLE) {
      next();
    }
    sleep(pause.get());
    return true;
  }

  /**
   * One exchange in which the answer is read while the request is sent, JSON lines both; on the
   * next node where one refuses the connection, not repeated otherwise. Blocks until the answer
   * ends, for 150 s at most without an octet of it.
   *
   * @return status 200 without a body if the answer was whole, a refusal with its body, or what
   *     {@link #isLost} says
   */
  public Reply stream(String path, StreamedCall call) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", LINES);
    headers.put("Accept", LINES);
    authorization().ifPresent(value -> headers.put("Authorization", value));
    for (int tried = 1; ; tried++) {
      try (StreamedExchange exchange = StreamedExchange.open(url(), context)) {
        answered = true;
        StreamedExchange.Answer answer = exchange.run(path, headers, call);
        return new Reply(answer.status(), answer.headers(), answer.body());
      } catch (ConnectException e) {
        if (!goesOnAfter(tried)) {
          return lost(e);
        }
      } catch (IOException e) {
        return lost(e);
      }
    }
  }

  /** What is returned where there was no whole answer. */
  public static Reply lost() {
    return new Reply(LOST, NO_HEADERS, new byte[0]);
  }

  /** Whether there was no whole answer. */
  public static boolean isLost(Reply reply) {
    return reply.status() == LOST;
  }

  /** A usual answer has no longer than the command has, and leaves time for the other nodes. */
  private Duration usualLimit() {
    Duration most = connection.urls().size() > 1 ? ANSWER_OF_SEVERAL : ANSWER;
    Duration left = patience.left().compareTo(ANSWER_LEAST) < 0 ? ANSWER_LEAST : patience.left();
    return left.compareTo(most) < 0 ? left : most;
  }

  private Reply succeeded(Reply reply) {
    if (reply.status() / 100 != 2) {
      throw Failure.of(refusal(reply));
    }
    return reply;
  }

  /** Why a call did not succeed, in one line. */
  public String refusal(Reply reply) {
    return reply.status() == LOST
        ? "no answer from " + url() + " in time" + loss
        : reply.problem().toString();
  }

  /** Whether the service has decided against a call, so that the same will be refused again. */
  public static boolean isFinal(Reply reply) {
    return isFinal(reply.status());
  }

  /** The same for the status of one request of several. */
  public static boolean isFinal(int status) {
    return switch (status) {
      case TIMEOUT, CONFLICT, TOO_MANY -> false;
      default -> status / 100 == 4;
    };
  }

  /** Whether a call may have been done although its answer is no success. */
  public static boolean isUnclear(Reply reply) {
    return reply.status() == LOST || (reply.status() / 100 == 5 && reply.status() != UNAVAILABLE);
  }

  /** The same nodes, asked by another credential. The caller closes it. */
  public Service as(Credential other) {
    return new Service(
        new Connection(connection.urls(), other, connection.caFile()), total, console);
  }

  /** Each node by itself; a call of theirs is never repeated. The caller closes them. */
  public List<Service> nodes() {
    return connection.urls().stream()
        .map(
            url ->
                new Service(
                    new Connection(List.of(url), connection.credential(), connection.caFile()),
                    Duration.ZERO,
                    console))
        .toList();
  }

  /** Gives the command its whole time again: for a next page, after one that succeeded. */
  public void renewPatience() {
    patience = new Patience(total, RANDOM);
  }

  /** Waits as an answer asks before the next question; false if no time is left for that. */
  public boolean waits(Reply reply) {
    Duration pause = patience.look(reply.headers());
    sleep(pause);
    return !pause.isZero();
  }

  /** A 409 without Retry-After is an answer; with it the first try is still in progress. */
  private static boolean isToRepeat(Reply reply) {
    return switch (reply.status()) {
      case LOST, TOO_MANY, UNAVAILABLE -> true;
      case CONFLICT -> reply.headers().firstValue("Retry-After").isPresent();
      default -> false;
    };
  }

  /** Load has no problem type of ours; a database or an HSM that is away has one. */
  private String cause(Reply reply) {
    if (isLost(reply)) {
      return "no answer from " + url() + " in time" + loss;
    }
    Problem problem = reply.problem();
    String title = problem.isTyped() ? problem.title() : "the server is busy";
    return title + " (" + reply.status() + ")";
  }

  /**
   * One try; on the next node where one refuses the connection. LOST if no answer is whole in time.
   */
  private Reply exchange(Call call, Duration answer) {
    for (int tried = 1; ; tried++) {
      CompletableFuture<HttpResponse<byte[]>> sent =
          client.sendAsync(
              request(call, answer), BodyHandlers.limiting(BodyHandlers.ofByteArray(), BODY_MAX));
      try {
        HttpResponse<byte[]> response = sent.get(answer.toMillis(), TimeUnit.MILLISECONDS);
        answered = true;
        return new Reply(response.statusCode(), response.headers(), response.body());
      } catch (ExecutionException e) {
        if (!isRefused(e.getCause()) || !goesOnAfter(tried)) {
          return lost(e.getCause());
        }
      } catch (TimeoutException e) {
        sent.cancel(true);
        return lost(e);
      } catch (InterruptedException e) {
        sent.cancel(true);
        Thread.currentThread().interrupt();
        throw Failure.of("interrupted");
      }
    }
  }

  private static boolean isRefused(@Nullable Throwable e) {
    return e instanceof ConnectException || e instanceof HttpConnectTimeoutException;
  }

  /** Whom the client does not believe it never asks again; anything else may pass. */
  private Reply lost(@Nullable Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof CertificateException
          || cause instanceof CertPathValidatorException
          || cause instanceof CertPathBuilderException) {
        throw Failure.of(
            url() + " is not trusted: " + reason(cause) + " (--ca-file names its root)");
      }
    }
    loss = e == null || e instanceof TimeoutException ? "" : ": " + reason(e);
    return new Reply(LOST, NO_HEADERS, new byte[0]);
  }

  /** False if all nodes refuse that have answered this command before: they may come back. */
  private boolean goesOnAfter(int tried) {
    List<URI> urls = connection.urls();
    if (tried >= urls.size() && answered) {
      return false;
    }
    if (tried >= urls.size()) {
      String all = urls.stream().map(URI::toString).collect(Collectors.joining(" "));
      throw Failure.of("nothing answers at " + all + ": is it up?");
    }
    URI silent = url();
    next();
    console.say("nothing answers at %s: trying %s", silent, url());
    return true;
  }

  private void next() {
    node = (node + 1) % connection.urls().size();
  }

  private HttpRequest request(Call call, Duration answer) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(url() + call.path()))
            .timeout(answer)
            .method(call.method(), BodyPublishers.ofByteArray(call.body()));
    call.headers().forEach(builder::header);
    authorization().ifPresent(value -> builder.header("Authorization", value));
    return builder.build();
  }

  private Optional<String> authorization() {
    return connection.credential() instanceof Credential.Token token
        ? Optional.of("Bearer " + token.value())
        : Optional.empty();
  }

  private static String reason(Throwable e) {
    Throwable cause = e;
    for (Throwable deeper = e; deeper != null; deeper = deeper.getCause()) {
      cause = deeper;
    }
    String message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    return cause.getClass().getSimpleName() + " " + message;
  }

  /** Waits; an interruption ends the command. */
  public static void sleep(Duration pause) {
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failure.of("interrupted");
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
