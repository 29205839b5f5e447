package org.sluiceca.hsm.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.PinFile;
import org.sluiceca.hsm.RecoveryReason;
import org.sluiceca.hsm.SignObservation;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.lane.LaneClient;
import org.sluiceca.hsm.lane.LaneJob;
import org.sluiceca.hsm.lane.SigningLane;
import org.sluiceca.hsm.lane.Take;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.testkit.FakeCryptoki;

/** A lane refuses while its token is away, says why, and never longer. */
class AvailabilityTest {

  private static final byte[] SIGNATURE = {1};

  private final List<RecoveryReason> recoveries = new ArrayList<>();

  /** What happens as soon as the state has changed, before anything follows from it. */
  private Consumer<HsmState> meanwhile = state -> {};

  private final HsmObserver observer =
      new HsmObserver() {
        @Override
        public void signed(SignObservation signing) {}

        @Override
        public void recovered(RecoveryReason reason) {
          recoveries.add(reason);
        }

        @Override
        public void stateChanged(HsmState state) {
          meanwhile.accept(state);
        }
      };

  private final SigningLane lane =
      new SigningLane(HsmSettings.of(Path.of("m.so"), "t", new PinFile(Path.of("pin"))));
  private final LaneClient client =
      new LaneClient(lane, Duration.ofSeconds(60), () -> {}, () -> {});
  private final TokenRecovery recovery = new TokenRecovery(observer);
  private final Availability availability = new Availability(recovery, lane, observer);

  @Test
  void lost_andLostAgain_refusedWithTheLatestReason() {
    assertThat(availability.lost("the cable")).isTrue();
    assertThat(availability.lost("the power")).isFalse();

    assertThatThrownBy(this::sign)
        .isInstanceOf(HsmException.TokenLost.class)
        .hasMessageContaining("the power");
  }

  @Test
  void back_signsAndTells() throws Exception {
    availability.lost("the cable");

    availability.back(null);

    assertSigns();
    assertThat(recoveries).containsExactly(RecoveryReason.TOKEN_LOST);
    assertThat(recovery.state()).isEqualTo(HsmState.READY);
  }

  /** The token is recovered before its loss is handled: suspended then, the lane would stay so. */
  @Test
  void lost_backBeforeTheLaneIsSuspended_signs() throws Exception {
    meanwhile =
        state -> {
          if (state == HsmState.TOKEN_LOST) {
            availability.back(null);
          }
        };

    availability.lost("the cable");

    assertThat(recovery.state()).isEqualTo(HsmState.READY);
    assertSigns();
  }

  @Test
  void pinRefused_lostAndBackAfterwards_refusedForThePin() {
    availability.pinRefused("wrong PIN");

    assertThat(availability.lost("the cable")).isFalse();
    availability.back(null);

    assertThatThrownBy(this::sign).isInstanceOf(HsmException.PinRefused.class);
  }

  private byte[] sign() {
    return client
        .start(
            new SignRequest(
                new FakeCryptoki("t").keyRef(),
                Mechanism.ECDSA_SHA256,
                new byte[32],
                SignSchedule.by(System.nanoTime() + TimeUnit.SECONDS.toNanos(60))),
            Thread.currentThread())
        .join();
  }

  private void assertSigns() throws InterruptedException {
    Thread session =
        Thread.startVirtualThread(
            () -> {
              try {
                Take<LaneJob> next = lane.take(false);
                while (!(next instanceof Take.Run<LaneJob>)) {
                  next = lane.take(false);
                }
                if (next instanceof Take.Run<LaneJob>(var ticket)) {
                  lane.finished(ticket, SIGNATURE, 1);
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    assertThat(sign()).isEqualTo(SIGNATURE);
    session.join();
  }
}
