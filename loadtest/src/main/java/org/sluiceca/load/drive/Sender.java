package org.sluiceca.load.drive;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes requests, sends each once, and keeps what came of it. Thread-safe; a call blocks its thread
 * until the answer is there.
 */
public final class Sender {

  /** Wait of a client that receives no Retry-After or no answer, as in most libraries. */
  private static final int UNTOLD_SECONDS = 1;

  /** How long it waits for bytes, whatever the answer. */
  public static final int PATIENCE_MILLIS = Connection.PATIENCE_MILLIS;

  private final Targets targets;
  private final Letter letter;
  private final AtomicInteger count = new AtomicInteger();
  private final Queue<Exchange> journal = new ConcurrentLinkedQueue<>();

  /**
   * What is in every request.
   *
   * @param run begins every Idempotency-Key: letters and digits
   * @param accounts by requester
   * @param csrs in base64; each request takes the next one
   */
  public record Letter(
      String run, int waitSeconds, Map<String, Account> accounts, List<String> csrs) {

    /** Copies. */
    public Letter {
      accounts = Map.copyOf(accounts);
      csrs = List.copyOf(csrs);
    }
  }

  /** Who a requester is, and which profile it asks for. */
  public record Account(String token, String profile) {}

  /** Sends to these nodes. */
  public Sender(Targets targets, Letter letter) {
    this.targets = targets;
    this.letter = letter;
  }

  /** Returns what came of all requests so far, in no order. */
  public List<Exchange> journal() {
    return List.copyOf(journal);
  }

  /** Returns how many requests are done. */
  int done() {
    return journal.size();
  }

  /** Makes a request of a requester whose token is known. */
  Exchange.Request request(String phase, String requester) {
    return new Exchange.Request(letter.run() + "-" + count.getAndIncrement(), phase, requester, 0);
  }

  /** Sends a request that was due, if a connection is free, and waits for its answer. */
  Exchange send(Exchange.Request request, long dueNanos) {
    return send(request, dueNanos, OptionalInt.empty());
  }

  /**
   * Sends a request until it is served or accepted: who is refused, or not answered, comes again
   * after Retry-After with the same Idempotency-Key.
   *
   * @param node to which it is sent, whatever becomes of it; empty for all in turn
   * @return empty if the time was over before, or this thread was interrupted
   */
  Optional<Exchange> sendUntilServed(
      Exchange.Request first, long firstDue, long untilNanos, OptionalInt node) {
    long due = firstDue;
    Exchange.Request request = first;
    while (due < untilNanos && !Thread.currentThread().isInterrupted()) {
      OpenLoop.awaitTime(due);
      Exchange exchange = send(request, due, node);
      if (exchange.isIssued() || exchange.isPromised()) {
        return Optional.of(exchange);
      }
      int seconds = Math.max(1, exchange.retryAfterSeconds().orElse(UNTOLD_SECONDS));
      due = exchange.doneNanos() + TimeUnit.SECONDS.toNanos(seconds);
      request =
          new Exchange.Request(
              request.key(), request.phase(), request.requester(), request.attempt() + 1);
    }
    return Optional.empty();
  }

  private Exchange send(Exchange.Request request, long dueNanos, OptionalInt node) {
    long sent = System.nanoTime();
    if (!targets.tryEnter()) {
      return keep(nothing(request, new Times(dueNanos, sent, sent), -1, Exchange.UNSENT));
    }
    try {
      Targets.Answered answered =
          node.isPresent()
              ? targets.ask(node.getAsInt(), bytes(request))
              : targets.ask(bytes(request));
      Reply reply = answered.reply();
      boolean isGranted = (reply.status() == 201) || (reply.status() == 202);
      return keep(
          new Exchange(
              request,
              answered.node(),
              dueNanos,
              sent,
              System.nanoTime(),
              reply.status(),
              isGranted ? reply.serial() : Optional.empty(),
              reply.retryAfterSeconds(),
              answered.isResent()));
    } catch (Targets.Unanswered e) {
      Times times = new Times(dueNanos, sent, System.nanoTime());
      return keep(nothing(request, times, e.node(), Exchange.UNANSWERED));
    } finally {
      targets.leave();
    }
  }

  private record Times(long due, long sent, long done) {}

  private static Exchange nothing(Exchange.Request request, Times times, int node, int status) {
    return new Exchange(
        request,
        node,
        times.due(),
        times.sent(),
        times.done(),
        status,
        Optional.empty(),
        OptionalInt.empty(),
        false);
  }

  private Exchange keep(Exchange exchange) {
    journal.add(exchange);
    return exchange;
  }

  private Account account(String requester) {
    Account account = letter.accounts().get(requester);
    if (account == null) {
      throw new IllegalArgumentException("no token of " + requester);
    }
    return account;
  }

  /** The key's number chooses the CSR: the same request again is the same payload. */
  private byte[] bytes(Exchange.Request request) {
    String key = request.key();
    int number = Integer.parseInt(key.substring(key.lastIndexOf('-') + 1));
    String csr = letter.csrs().get(number % letter.csrs().size());
    Account account = account(request.requester());
    String body = "{\"profile\":\"" + account.profile() + "\",\"csr\":\"" + csr + "\"}";
    return ("POST /v1/certificates HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
            + account.token()
            + "\r\nContent-Type: application/json\r\nAccept: application/pkix-cert\r\nPrefer: wait="
            + letter.waitSeconds()
            + "\r\nIdempotency-Key: "
            + key
            + "\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body)
        .getBytes(StandardCharsets.ISO_8859_1);
  }
}
