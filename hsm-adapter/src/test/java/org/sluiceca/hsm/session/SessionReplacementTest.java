package org.sluiceca.hsm.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.PinFile;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.StartedSignature;
import org.sluiceca.hsm.lane.LaneClient;
import org.sluiceca.hsm.lane.LaneJob;
import org.sluiceca.hsm.lane.PatientLane;
import org.sluiceca.hsm.lane.SigningLane;
import org.sluiceca.hsm.lane.Take;
import org.sluiceca.hsm.lane.Ticket;
import org.sluiceca.hsm.pkcs11.Session;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.testkit.Await;
import org.sluiceca.hsm.testkit.FakeCryptoki;

/** How a session thread gets a new session. */
@Timeout(60)
class SessionReplacementTest {

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final FakeCryptoki token = new FakeCryptoki("replacement");

  private HsmSettings settings() throws IOException {
    Path pin = Files.writeString(folder.resolve("pin"), FakeCryptoki.PIN + "\n");
    return HsmSettings.of(Path.of("fake.so"), "replacement", new PinFile(pin)).withSessions(1);
  }

  private StartedSignature start(LaneClient client) {
    SignSchedule schedule = SignSchedule.by(System.nanoTime() + TimeUnit.MINUTES.toNanos(10));
    return client.start(
        new SignRequest(token.keyRef(), Mechanism.ECDSA_SHA256, new byte[] {1}, schedule),
        Thread.currentThread());
  }

  private static Ticket<LaneJob> ticket(Take<LaneJob> take) {
    assertThat(take).isInstanceOf(Take.Run.class);
    return ((Take.Run<LaneJob>) take).ticket();
  }

  private static <T> FutureTask<T> inThread(FutureTask<T> task) {
    Thread _ = Thread.ofPlatform().daemon().start(task);
    return task;
  }

  /**
   * A thread that has finished a job wakes no other for the next one, since it comes back for it.
   * It does not before the token is back.
   */
  @Test
  void rescue_takesLong_queuedJobGoesToAnotherThread() throws Exception {
    HsmSettings settings = settings();
    SigningLane lane = PatientLane.of(settings);
    LaneClient client = new LaneClient(lane, Duration.ofMinutes(10), () -> {}, () -> {});
    TokenRecovery recovery = new TokenRecovery(HsmObserver.NONE);
    SessionReplacement replacement =
        new SessionReplacement(
            recovery,
            new Availability(recovery, lane, HsmObserver.NONE),
            new TokenConnector(token, settings),
            lane,
            settings.vendor());
    StartedSignature _ = start(client);
    Ticket<LaneJob> first = ticket(lane.take(false));
    StartedSignature _ = start(client);
    FutureTask<Take<LaneJob>> other = new FutureTask<>(() -> lane.take(false));
    Thread waiting = Thread.ofPlatform().daemon().start(other);
    Await.until("it waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
    assertThat(lane.finished(first, new byte[] {1}, 1)).isTrue();
    // As when calls hang: the state is known a moment before the lane refuses.
    assertThat(recovery.transition(HsmState.TOKEN_LOST)).isTrue();
    CountDownLatch isBack = new CountDownLatch(1);
    token.openHang = isBack;

    FutureTask<Optional<Session>> rescue = inThread(new FutureTask<>(replacement::rescue));

    assertThat(ticket(other.get())).isNotSameAs(first);
    assertThat(rescue.isDone()).isFalse();
    isBack.countDown();
    assertThat(rescue.get()).isPresent();
    lane.close(Duration.ZERO);
  }
}
