package org.sluiceca.load.drive;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import org.sluiceca.load.plan.Offer;

/**
 * Sends each request when it is due, on a virtual thread of its own, whatever became of the ones
 * before. The thread that runs it does nothing but keep the time.
 */
public final class OpenLoop implements AutoCloseable {

  private final BiFunction<String, String, Exchange.Request> naming;
  private final BiFunction<Exchange.Request, Long, Exchange> sending;
  private final ExecutorService threads;
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();

  /**
   * What is sent in one phase.
   *
   * @param capacity requests a second that a load of 1 stands for
   * @param fromNanos by {@link System#nanoTime}
   */
  public record Stretch(
      String phase,
      List<Offer> offers,
      double capacity,
      boolean isPoisson,
      long seed,
      long fromNanos,
      long untilNanos) {

    /** Copies. */
    public Stretch {
      offers = List.copyOf(offers);
    }
  }

  /** Sends through {@code sender}. */
  public OpenLoop(Sender sender) {
    this(sender::request, sender::send, Executors.newVirtualThreadPerTaskExecutor());
  }

  /**
   * Sends by other means.
   *
   * @param naming makes a request from phase and requester
   * @param sending blocks until the request, due at this time, has its answer
   * @param threads one for each request, or the loop is not open
   */
  OpenLoop(
      BiFunction<String, String, Exchange.Request> naming,
      BiFunction<Exchange.Request, Long, Exchange> sending,
      ExecutorService threads) {
    this.naming = naming;
    this.sending = sending;
    this.threads = threads;
  }

  /**
   * Sends what is due in this stretch; returns when it is over, without waiting for answers. Offers
   * in a closed loop have no schedule, and are left to {@link ClosedLoop}.
   */
  public void run(Stretch stretch) {
    List<Offer> offers = stretch.offers().stream().filter(offer -> offer.loop().isEmpty()).toList();
    List<Double> rates = offers.stream().map(offer -> offer.load() * stretch.capacity()).toList();
    long length = stretch.untilNanos() - stretch.fromNanos();
    Timetable timetable = new Timetable(rates, stretch.isPoisson(), length, stretch.seed());
    Optional<Arrival> next = timetable.poll();
    while (next.isPresent()) {
      Arrival arrival = next.get();
      long due = stretch.fromNanos() + arrival.afterNanos();
      awaitTime(due);
      String requester = offers.get(arrival.requester()).requester();
      Exchange.Request request = naming.apply(stretch.phase(), requester);
      start(
          () -> {
            Exchange ignored = sending.apply(request, due);
          });
      next = timetable.poll();
    }
    awaitTime(stretch.untilNanos());
  }

  /** Runs something that sends, and counts it until it ends. */
  void start(Runnable sending) {
    begun.incrementAndGet();
    threads.execute(
        () -> {
          try {
            sending.run();
          } finally {
            ended.incrementAndGet();
          }
        });
  }

  /** Waits until everything that was started has ended; false if the time is over before. */
  public boolean awaitQuiet(Duration longest) {
    long deadline = System.nanoTime() + longest.toNanos();
    while (ended.get() < begun.get()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
    return true;
  }

  /** Waits until a time of {@link System#nanoTime}, or until the thread is interrupted. */
  public static void awaitTime(long nanos) {
    long left = nanos - System.nanoTime();
    while (left > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(left);
      left = nanos - System.nanoTime();
    }
  }

  /** Interrupts what is still waiting. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
