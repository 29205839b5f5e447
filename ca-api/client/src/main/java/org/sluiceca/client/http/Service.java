package org.sluiceca.client.http;

import java.io.IOException;
import java.io.InputStream;
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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.connect.Connection;
import org.sluiceca.client.connect.Credential;
import org.sluiceca.client.connect.Trust;
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
  private static final int LOST = 0;
  private static final int CONFLICT = 409;
  private static final int TOO_MANY = 429;
  private static final int UNAVAILABLE = 503;
  private static final HttpHeaders NO_HEADERS = HttpHeaders.of(Map.of(), (a, b) -> true);

  private final Connection connection;
  private final HttpClient client;
  private final Patience patience;
  private final Console console;
  private int node;

  /** The time of {@code total} runs from now on, over all calls. */
  public Service(Connection connection, Duration total, Console console) {
    this.connection = connection;
    this.console = console;
    this.patience = new Patience(total, new SecureRandom());
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .sslContext(Trust.of(connection))
            .build();
  }

  /** The URL of the node that answers now. */
  public URI url() {
    return connection.urls().get(node);
  }

  /** The answer of a call that succeeded, 2xx. Any other ends the command with its reason. */
  public Reply ask(Call call) {
    return ask(call, ANSWER);
  }

  /** The same, for a call that one node may take this long to answer. */
  public Reply ask(Call call, Duration answer) {
    Reply reply = reply(call, answer);
    if (reply.status() == LOST) {
      throw Failure.of("no answer from " + url() + " in time");
    }
    if (reply.status() / 100 != 2) {
      throw Failure.of(reply.problem().toString());
    }
    return reply;
  }

  /** The last answer of a call, whatever its status, after the repetitions that it asked for. */
  public Reply reply(Call call, Duration answer) {
    while (true) {
      Reply reply = exchange(call, answer);
      if (!isToRepeat(reply)) {
        return reply;
      }
      Optional<Duration> pause = patience.pause(reply.headers());
      if (pause.isEmpty()) {
        return reply;
      }
      console.say("%s: again in %d s", cause(reply), Math.round(pause.get().toMillis() / 1000.0));
      sleep(pause.get());
    }
  }

  /** Waits as an answer asks before the next question; false if no time is left for that. */
  public boolean waits(Reply reply) {
    Optional<Duration> pause = patience.pause(reply.headers());
    pause.ifPresent(Service::sleep);
    return pause.isPresent();
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
    if (reply.status() == LOST) {
      return "no answer from " + url() + " in time";
    }
    Problem problem = reply.problem();
    String title = problem.isTyped() ? problem.title() : "the server is busy";
    return title + " (" + reply.status() + ")";
  }

  private Reply exchange(Call call, Duration answer) {
    for (int tried = 1; ; tried++) {
      try {
        HttpResponse<InputStream> response =
            client.send(request(call, answer), BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
          byte[] octets = body.readNBytes(BODY_MAX + 1);
          if (octets.length > BODY_MAX) {
            throw Failure.of("the answer is longer than " + BODY_MAX + " octets");
          }
          return new Reply(response.statusCode(), response.headers(), octets);
        }
      } catch (ConnectException | HttpConnectTimeoutException e) {
        goOnAfter(tried);
      } catch (SSLException e) {
        throw Failure.of(url() + " is not trusted: " + reason(e) + " (--ca-file names its root)");
      } catch (IOException e) {
        return new Reply(LOST, NO_HEADERS, new byte[0]);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw Failure.of("interrupted");
      }
    }
  }

  private void goOnAfter(int tried) {
    List<URI> urls = connection.urls();
    if (tried >= urls.size()) {
      String all = urls.stream().map(URI::toString).collect(Collectors.joining(" "));
      throw Failure.of("nothing answers at " + all + ": is it up? (sluice status)");
    }
    URI silent = url();
    node = (node + 1) % urls.size();
    console.say("nothing answers at %s: trying %s", silent, url());
  }

  private HttpRequest request(Call call, Duration answer) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(url() + call.path()))
            .timeout(answer)
            .method(call.method(), BodyPublishers.ofByteArray(call.body()));
    call.headers().forEach(builder::header);
    if (connection.credential() instanceof Credential.Token token) {
      builder.header("Authorization", "Bearer " + token.value());
    }
    return builder.build();
  }

  private static String reason(Throwable e) {
    @Nullable Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
  }

  private static void sleep(Duration pause) {
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
