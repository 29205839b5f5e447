package org.sluiceca.load.drive;

import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A finite number of clients that all come within a second and obey Retry-After: a client that is
 * refused comes again when it has passed, with the same Idempotency-Key.
 */
public final class Crowd {

  /** Wait of a client that receives no Retry-After or no answer, as in most libraries. */
  private static final int UNTOLD_SECONDS = 1;

  private static final long SPREAD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final OpenLoop loop;
  private final Sender sender;

  /** Sends through these. */
  public Crowd(OpenLoop loop, Sender sender) {
    this.loop = loop;
    this.sender = sender;
  }

  /**
   * Lets the clients come; returns at once. {@link OpenLoop#awaitQuiet} waits for them.
   *
   * @param stretch when they come, and when who was not served goes home
   */
  public void come(int clients, OpenLoop.Stretch stretch, String requester) {
    Random random = new Random(stretch.seed());
    for (int i = 0; i < clients; i++) {
      long due = stretch.fromNanos() + (long) (random.nextDouble() * SPREAD_NANOS);
      Exchange.Request request = sender.request(stretch.phase(), requester);
      loop.start(() -> comeUntilServed(request, due, stretch.untilNanos()));
    }
  }

  private void comeUntilServed(Exchange.Request first, long firstDue, long giveUpNanos) {
    long due = firstDue;
    Exchange.Request request = first;
    while (due < giveUpNanos && !Thread.currentThread().isInterrupted()) {
      OpenLoop.awaitTime(due);
      Exchange exchange = sender.send(request, due);
      if (exchange.isIssued() || exchange.isPromised()) {
        return;
      }
      long pause = TimeUnit.SECONDS.toNanos(exchange.retryAfterSeconds().orElse(UNTOLD_SECONDS));
      due = exchange.doneNanos() + pause;
      request =
          new Exchange.Request(
              request.key(), request.phase(), request.requester(), request.attempt() + 1);
    }
  }
}
