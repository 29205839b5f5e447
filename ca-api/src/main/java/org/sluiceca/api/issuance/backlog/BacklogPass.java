package org.sluiceca.api.issuance.backlog;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.sluiceca.api.issuance.RecoveryDecider;
import org.sluiceca.api.platform.change.Rest;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.admit.LinePermit;
import org.sluiceca.core.enroll.Finish;
import org.sluiceca.core.intent.ExpiredIntent;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.Ledger;
import org.sluiceca.core.intent.RecordedIntent;
import org.sluiceca.core.order.BacklogDepths;
import org.sluiceca.core.order.OrderRotation;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.sign.SigningCost;
import org.sluiceca.core.time.Ticker;

/**
 * Takes orders out of the backlog as the line has room for them. Owns no thread and is not
 * thread-safe: a {@link org.sluiceca.api.platform.PeriodicTask} runs it.
 */
public final class BacklogPass {

  /** What a token of 2,000/s signs in a thirtieth of a second; each batch is one transaction. */
  private static final int BATCH_MAX = 64;

  /** An order that comes meanwhile waits so long. */
  private static final Duration NOTHING_WAITS = Duration.ofSeconds(1);

  /** The longest rest while nothing waits: the change watch ends it. */
  private static final Duration RESTING = Duration.ofSeconds(30);

  /** What is on the line is soon done: its lane holds some seconds of work. */
  private static final Duration NO_ROOM = Duration.ofMillis(25);

  /** Other nodes were faster, or what waits is not visible yet. */
  private static final Duration NOTHING_TAKEN = Duration.ofMillis(200);

  /**
   * Most of what was taken is for other nodes, of whose issuers or profiles this one has none, or
   * its token is away, or the registry: taking on would only move the backlog into the list of
   * recovery. Then a few are tried now and then.
   */
  private static final Duration BRAKED = Duration.ofSeconds(5);

  private static final int BATCH_BRAKED = 4;

  /** This number of failures in a row is no accident. */
  private static final int FAILURES_BRAKE = 32;

  private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();

  /** Starts to finish an order, for which no client waits. */
  @FunctionalInterface
  public interface Starter {
    /** As {@code IssuanceExecutor.start}; gives the place back when it is over. */
    Future<Optional<Finish>> start(RecordedIntent intent, LinePermit place);
  }

  /** What a pass works with. */
  public record Parts(
      Admission admission,
      Ledger ledger,
      RecoveryDecider reconsideration,
      Function<ProfileName, SigningCost> work,
      Starter starter) {}

  private final Parts parts;
  private final BacklogWatch watch;
  private final OrderRotation turns;
  private final Ticker ticker;
  private BacklogDepths depths = BacklogDepths.EMPTY;
  private long lookedAtNanos;

  // As many as there are places at most, and a batch.
  private final List<Future<Optional<Finish>>> started = new ArrayList<>();
  private int failures;
  private boolean isBraked;

  /** Takes orders by {@code turns}. */
  public BacklogPass(Parts parts, BacklogWatch watch, OrderRotation turns, Ticker ticker) {
    this.parts = parts;
    this.watch = watch;
    this.turns = turns;
    this.ticker = ticker;
    this.lookedAtNanos = ticker.nanoTime() - LOOK_NANOS;
  }

  /**
   * Runs as {@link #run()}, and rests while nothing waits.
   *
   * @param rest ended by an order
   */
  public Duration run(Rest rest) {
    rest.begin();
    Duration pause = run();
    return depths.total() == 0 ? rest.pause(pause, RESTING) : pause;
  }

  /** Takes what there is room for, and returns how long there is nothing to do. */
  public Duration run() {
    if (depths.total() == 0 || ticker.nanoTime() - lookedAtNanos >= LOOK_NANOS) {
      look();
    }
    if (depths.total() == 0) {
      return NOTHING_WAITS;
    }
    hear();
    int room = Math.min(isBraked ? BATCH_BRAKED : BATCH_MAX, parts.admission().roomForOrders());
    if (room == 0) {
      return NO_ROOM;
    }
    List<ExpiredIntent> taken = parts.ledger().takeOrders(turns.next(depths, room));
    taken.forEach(this::dealWith);
    if (taken.size() < room) {
      // A requester has fewer than was last read.
      look();
    }
    if (taken.isEmpty()) {
      return NOTHING_TAKEN;
    }
    hear();
    return isBraked ? BRAKED : Duration.ZERO;
  }

  /** Hears how those ended that were started: a batch of failures on end brakes, one end frees. */
  private void hear() {
    Iterator<Future<Optional<Finish>>> each = started.iterator();
    while (each.hasNext()) {
      Future<Optional<Finish>> one = each.next();
      if (one.isDone()) {
        each.remove();
        note(one.state() == Future.State.SUCCESS && one.resultNow().isPresent());
      }
    }
  }

  private void note(boolean hasEnded) {
    failures = hasEnded ? 0 : failures + 1;
    isBraked = failures >= FAILURES_BRAKE || (isBraked && !hasEnded);
  }

  private void look() {
    depths = watch.look();
    lookedAtNanos = ticker.nanoTime();
  }

  /** What is not dealt with here is left to recovery, as any claim that runs out. */
  private void dealWith(ExpiredIntent order) {
    switch (parts.reconsideration().of(order)) {
      case FINISH -> {
        RecordedIntent intent = order.intent();
        Intent.Origin origin = intent.intent().origin();
        SigningCost work = parts.work().apply(origin.profile());
        LinePermit place = parts.admission().resume(origin.requester(), work);
        started.add(parts.starter().start(intent, place));
      }
      case GIVEN_UP -> note(true);
      case LEFT -> note(false);
    }
  }
}
