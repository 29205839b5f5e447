package org.sluiceca.hsm.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.PinFile;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.limit.Grant;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.testkit.FakeCryptoki;

/**
 * What wakes the session threads of a lane. Waits last for an hour here, so a signal that is
 * missing ends a test by its time limit.
 */
@Timeout(60)
class SigningLaneTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final SignatureClass CLASS = new SignatureClass(Mechanism.ED25519, 255);

  private final List<Taker> takers = new ArrayList<>();
  private @Nullable SigningLane opened;

  /** A session thread that takes once. */
  private static final class Taker {
    private final AtomicReference<Take<LaneJob>> taken = new AtomicReference<>();
    private final Thread thread;

    Taker(SigningLane lane) {
      thread =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    try {
                      taken.set(lane.take(false));
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  });
    }

    /** Only the wait for work has a limit; that for the lock has none. */
    void awaitWaiting() throws InterruptedException {
      LaneThreads.await(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }

    Take<LaneJob> taken() throws InterruptedException {
      thread.join();
      return taken.get();
    }
  }

  @AfterEach
  void close() {
    if (opened != null) {
      opened.close(Duration.ZERO);
    }
  }

  private SigningLane lane(int window) {
    SigningLane lane =
        new SigningLane(
            HsmSettings.of(Path.of("m.so"), "t", new PinFile(Path.of("pin"))).withSessions(window),
            HOUR,
            HOUR);
    opened = lane;
    return lane;
  }

  private Taker waiting(SigningLane lane) throws InterruptedException {
    Taker taker = new Taker(lane);
    takers.add(taker);
    taker.awaitWaiting();
    return taker;
  }

  private static Ticket<LaneJob> job(SigningLane lane) {
    LaneJob job =
        new LaneJob(
            new FakeCryptoki("t").keyRef(), new byte[1], signing -> {}, Thread.currentThread());
    return lane.enqueue(job, CLASS, SignSchedule.by(System.nanoTime() + HOUR.toNanos()));
  }

  private static Ticket<LaneJob> ticket(Take<LaneJob> take) {
    assertThat(take).isInstanceOf(Take.Run.class);
    return ((Take.Run<LaneJob>) take).ticket();
  }

  @Test
  void take_suspendedAndResumed_everyThreadChecksItsSession() throws InterruptedException {
    SigningLane lane = lane(4);
    List<Runnable> changes = List.of(() -> lane.suspend(HsmException.Closed::new), lane::resume);
    for (Runnable change : changes) {
      takers.clear();
      for (int i = 0; i < 4; i++) {
        waiting(lane);
      }

      change.run();

      for (Taker taker : takers) {
        assertThat(taker.taken()).isInstanceOf(Take.Nothing.class);
      }
    }
  }

  @Test
  void take_leaseMakesRoomForAQueuedJob_takenAtOnce() throws InterruptedException {
    SigningLane lane = lane(1);
    Ticket<LaneJob> first = job(lane);
    assertThat(ticket(lane.take(false))).isSameAs(first);
    Ticket<LaneJob> second = job(lane);
    Taker one = waiting(lane);
    Taker other = waiting(lane);

    lane.lease(new Grant("n", 1, 2), System.nanoTime() + HOUR.toNanos());

    LaneThreads.await(() -> one.taken.get() != null || other.taken.get() != null);
    Take<LaneJob> taken = one.taken.get() == null ? other.taken() : one.taken();
    assertThat(ticket(taken)).isSameAs(second);
  }

  @Test
  void take_waiterOfTheProbeGoes_nextJobStarts() throws InterruptedException {
    for (boolean isTimedOut : new boolean[] {false, true}) {
      SigningLane lane = lane(2);
      Ticket<LaneJob> probe = job(lane);
      assertThat(ticket(lane.take(false))).isSameAs(probe);
      lane.suspend(HsmException.Closed::new);
      lane.resume();
      Ticket<LaneJob> next = job(lane);
      Taker taker = waiting(lane);

      if (isTimedOut) {
        assertThat(lane.look(probe, 1, System.nanoTime() + TimeUnit.SECONDS.toNanos(1)))
            .isInstanceOf(Wait.TimedOut.class);
      } else {
        assertThat(lane.abandon(probe)).isFalse();
      }

      assertThat(ticket(taker.taken())).isSameAs(next);
    }
  }

  @Test
  void finished_anotherJobQueued_leftToThatThreadUntilItPassesOn() throws InterruptedException {
    SigningLane lane = lane(1);
    Ticket<LaneJob> first = job(lane);
    assertThat(ticket(lane.take(false))).isSameAs(first);
    Taker other = waiting(lane);
    Ticket<LaneJob> second = job(lane);
    Ticket<LaneJob> third = job(lane);

    assertThat(lane.finished(first, new byte[1], 1)).isTrue();
    assertThat(ticket(lane.take(false))).isSameAs(second);
    assertThat(lane.finished(second, new byte[1], 1)).isTrue();
    lane.passOn();

    assertThat(ticket(other.taken())).isSameAs(third);
  }

  /** The end of a probe makes room for several, and only one thread comes back from it. */
  @Test
  void take_roomForMore_anotherThreadTakesTheNext() throws InterruptedException {
    SigningLane lane = lane(2);
    Ticket<LaneJob> hung = job(lane);
    assertThat(ticket(lane.take(false))).isSameAs(hung);
    assertThat(lane.abandon(hung)).isFalse();
    lane.suspend(HsmException.Closed::new);
    lane.resume();
    Ticket<LaneJob> probe = job(lane);
    assertThat(ticket(lane.take(false))).isSameAs(probe);
    Taker other = waiting(lane);
    Ticket<LaneJob> second = job(lane);
    Ticket<LaneJob> third = job(lane);

    assertThat(lane.finished(probe, new byte[1], 1)).isTrue();
    assertThat(ticket(lane.take(false))).isSameAs(second);

    assertThat(ticket(other.taken())).isSameAs(third);
  }
}
