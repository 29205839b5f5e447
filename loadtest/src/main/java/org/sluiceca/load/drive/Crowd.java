package org.sluiceca.load.drive;

import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A finite number of clients that all come within a second and obey Retry-After: a client that is
 * refused comes again when it has passed, with the same Idempotency-Key.
 */
public final class Crowd {

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
      loop.start(
          () -> {
            var ignored =
                sender.sendUntilServed(request, due, stretch.untilNanos(), OptionalInt.empty());
          });
    }
  }
}
