package org.sluiceca.api.issuance.backlog;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.sluiceca.core.admit.QueuePosition;
import org.sluiceca.core.intent.OrderStore;
import org.sluiceca.core.order.BacklogDepths;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.SerialNumber;

/**
 * What a node last heard of the backlog. Thread-safe: {@link #look} belongs to one thread, the rest
 * to anybody and takes no lock.
 */
public final class BacklogWatch {

  /** The rate of all nodes is that of this time. */
  private static final long RATE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Less says nothing yet. */
  private static final long RATE_NANOS_MIN = TimeUnit.SECONDS.toNanos(2);

  private record Sample(long atNanos, long taken) {}

  private record Heard(BacklogDepths depths, double takenPerSecond) {}

  private final OrderStore store;
  private final Ticker ticker;

  // Of the looking thread.
  private final Deque<Sample> samples = new ArrayDeque<>();

  private volatile Heard heard = new Heard(BacklogDepths.EMPTY, 0);

  /** Watches {@code store}. */
  public BacklogWatch(OrderStore store, Ticker ticker) {
    this.store = store;
    this.ticker = ticker;
  }

  /** Asks the database; blocks for one query. */
  BacklogDepths look() {
    BacklogDepths depths = store.depths();
    long now = ticker.nanoTime();
    boolean isFirst = depths.total() > 0 && heard.depths().total() == 0;
    if (depths.total() == 0 || (isFirst && isOld(now))) {
      // Nothing could be taken, which says nothing of how fast it would be.
      samples.clear();
    }
    samples.addLast(new Sample(now, depths.taken()));
    while (now - samples.getFirst().atNanos() > RATE_NANOS) {
      samples.removeFirst();
    }
    Sample first = samples.getFirst();
    long span = now - first.atNanos();
    double rate = span < RATE_NANOS_MIN ? 0 : (depths.taken() - first.taken()) * 1e9 / span;
    heard = new Heard(depths, Math.max(0, rate));
    return depths;
  }

  /** The last look was long before: the loop rested while nothing waited. */
  private boolean isOld(long now) {
    return !samples.isEmpty() && now - samples.getLast().atNanos() > RATE_NANOS_MIN;
  }

  /** Returns how many wait for whom, as last heard, some two seconds ago at most. */
  public BacklogDepths depths() {
    return heard.depths();
  }

  /** Returns how many orders all nodes took a second recently; 0 while unknown. */
  public double takenPerSecond() {
    return heard.takenPerSecond();
  }

  /** Returns in how many seconds what waits now will be taken; 0 while unknown. */
  public double etaSeconds() {
    Heard now = heard;
    return now.takenPerSecond() == 0 ? 0 : now.depths().total() / now.takenPerSecond();
  }

  /** Returns where an order stands; empty if it does not wait. Blocks for one query. */
  public Optional<QueuePosition> position(SerialNumber order, RequesterId requester) {
    Heard now = heard;
    return now.depths().total() == 0
        ? Optional.empty()
        : store.before(order).map(own -> position(now, now.depths().ahead(requester, own)));
  }

  /** Returns where an order stands that its requester has just added. */
  public QueuePosition positionOfNewest(RequesterId requester) {
    Heard now = heard;
    return position(now, now.depths().ahead(requester, now.depths().of(requester)));
  }

  private static QueuePosition position(Heard now, long ahead) {
    return new QueuePosition(
        (int) Math.min(Integer.MAX_VALUE, ahead),
        now.takenPerSecond() == 0
            ? OptionalDouble.empty()
            : OptionalDouble.of((ahead + 1) / now.takenPerSecond()));
  }
}
