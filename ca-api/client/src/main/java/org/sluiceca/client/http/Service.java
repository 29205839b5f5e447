package org.sluiceca.client.http;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.connect.Connection;
import org.sluiceca.client.connect.Credential;
import org.sluiceca.client.http.stream.StreamedCall;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.proxy.Via;

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
  private static final int LOST = 0;
  private static final int TIMEOUT = 408;
  private static final int CONFLICT = 409;
  private static final int TOO_MANY = 429;
  private static final int UNAVAILABLE = 503;
  private static final HttpHeaders NO_HEADERS = HttpHeaders.of(Map.of(), (a, b) -> true);

  private final Connection connection;
  private final Nodes nodes;
  private final Exchange exchange;
  private final Duration total;
  private final Console console;
  private Patience patience;

  /** The time of {@code total} runs from now on, over all calls. */
  public Service(Connection connection, Duration total, Console console) {
    this(connection, total, CONNECT, console);
  }

  Service(Connection connection, Duration total, Duration connect, Console console) {
    this.connection = connection;
    this.console = console;
    this.total = total;
    this.patience = new Patience(total, RANDOM);
    this.nodes = new Nodes(connection, console);
    this.exchange = new Exchange(connection, nodes, connect);
  }

  /** The URL of the node that answers now. */
  public URI url() {
    return nodes.current();
  }

  /** The proxy that leads to that node; empty if none does. */
  public Optional<Via> proxy() {
    return nodes.proxy();
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
      Reply reply = exchange.send(call, answer == null ? usualLimit() : answer);
      boolean unrepeatable = isLost(reply) && exchange.mayHaveArrived() && !repeatsLost;
      boolean ends = !isToRepeat(reply) || unrepeatable;
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
      nodes.next();
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
    return exchange.stream(path, call);
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
        ? "no answer from " + nodes.place() + " in time" + exchange.loss()
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
    return new Service(connection.as(other), total, console);
  }

  /** Each node by itself; a call of theirs is never repeated. The caller closes them. */
  public List<Service> nodes() {
    return connection.urls().stream()
        .map(url -> new Service(connection.at(url), Duration.ZERO, console))
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
      return "no answer from " + nodes.place() + " in time" + exchange.loss();
    }
    Problem problem = reply.problem();
    String title = problem.isTyped() ? problem.title() : "the server is busy";
    return title + " (" + reply.status() + ")";
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
    exchange.close();
  }
}
