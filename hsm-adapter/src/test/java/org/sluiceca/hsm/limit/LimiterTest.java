package org.sluiceca.hsm.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LimiterTest {

  private static final long SECOND = 1_000_000_000;
  private static final Limits LIMITS = Limits.of(8, 150, 10);
  private static final double BASE = 0.010;

  @Test
  void lease_whileItLives_isTheWidthEvenAboveTheNodesOwnLimit() {
    Limiter limiter = limiter();

    limiter.lease(new Grant("a", 7, 40), 3 * SECOND, 0);

    assertThat(limiter.isLeased()).isTrue();
    assertThat(limiter.width()).isEqualTo(40);
    assertThat(limiter.report("a", 5, 0).grantSeen()).isEqualTo(7);
  }

  @Test
  void tick_leaseOver_goesOnFromItWithinTheNodesOwnLimit() {
    Limiter narrow = limiter();
    narrow.lease(new Grant("a", 1, 4.5), 3 * SECOND, 0);
    Limiter wide = limiter();
    wide.lease(new Grant("a", 1, 40), 3 * SECOND, 0);

    narrow.admits(3 * SECOND - 1);
    assertThat(narrow.isLeased()).isTrue();
    narrow.admits(3 * SECOND);
    wide.admits(3 * SECOND);

    assertThat(narrow.isLeased()).isFalse();
    assertThat(narrow.width()).isEqualTo(4.5);
    assertThat(wide.width()).isEqualTo(9.8);
  }

  @Test
  void admits_idleSinceItsLeaseEnded_noLongerUsesIt() {
    Limiter limiter = limiter();
    limiter.lease(new Grant("a", 1, 40), 3 * SECOND, 0);

    for (int i = 0; i < 40 && limiter.admits(60 * SECOND); i++) {
      limiter.started();
    }

    assertThat(limiter.inflight()).isBetween(9, 10);
  }

  @Test
  void lease_olderOrOver_ignored() {
    Limiter limiter = limiter();
    limiter.lease(new Grant("a", 7, 5), 3 * SECOND, 0);

    limiter.lease(new Grant("a", 6, 9), 9 * SECOND, 0);
    limiter.lease(new Grant("a", 7, 9), 9 * SECOND, 0);
    limiter.lease(new Grant("a", 8, 9), 2 * SECOND, 2 * SECOND);

    assertThat(limiter.width()).isEqualTo(5);
    assertThat(limiter.report("a", 0, 2 * SECOND).grantSeen()).isEqualTo(7);
  }

  @Test
  void fixed_whateverHappens_oneWidth() {
    Limiter limiter = Limiter.fixed(3, 0);
    for (long now = 0; now < 9 * SECOND; now += SECOND / 2_000) {
      limiter.started();
      limiter.started();
      limiter.busy(now);
      limiter.completed(0, 0, now);
    }

    assertThat(limiter.width()).isEqualTo(3);
    assertThat(limiter.inflight()).isZero();
  }

  @Test
  void started_callsThatHang_keepTheirPlaces() {
    Limiter limiter = limiter();
    limiter.lease(new Grant("a", 1, 2), 100 * SECOND, 0);
    limiter.started();
    limiter.started();

    assertThat(limiter.admits(99 * SECOND)).isFalse();
    assertThat(limiter.report("a", 3, 99 * SECOND).demand()).isEqualTo(5);
    limiter.ended(99 * SECOND);
    assertThat(limiter.admits(99 * SECOND)).isTrue();
  }

  @Test
  void busy_alone_shrinksOnceAnInterval() {
    Limiter limiter = limiter();
    limiter.lease(new Grant("a", 1, 8), SECOND, 0);
    limiter.admits(SECOND);
    for (int i = 0; i < 4; i++) {
      limiter.started();
    }

    limiter.busy(SECOND + SECOND / 2);
    assertThat(limiter.width()).isCloseTo(5.6, within(1e-9));
    limiter.busy(SECOND + SECOND / 2 + 1);
    limiter.busy(SECOND + SECOND / 2 + 2);
    assertThat(limiter.width()).isCloseTo(5.6, within(1e-9));
    limiter.busy(2 * SECOND);
    assertThat(limiter.width()).isCloseTo(3.92, within(1e-9));
  }

  @Test
  void completed_nothingQueues_growsOnlyWhileTheWindowIsUsed() {
    Limiter used = limiter();
    Limiter idle = limiter();
    for (long now = 0; now < 20 * SECOND; now += SECOND / 100) {
      while (used.admits(now)) {
        used.started();
      }
      idle.started();
      idle.completed(BASE, BASE, now);
      while (used.inflight() > 0) {
        used.completed(BASE, BASE, now);
      }
    }

    assertThat(used.width()).isEqualTo(LIMITS.windowMax() / LIMITS.nodesMax());
    assertThat(idle.width()).isLessThan(2);
  }

  @Test
  void limits_ofAnHsm_threeFifthsOfItsQueueAndItsEngines() {
    assertThat(LIMITS.windowMax()).isCloseTo(98, within(1e-9));
    assertThatIllegalArgumentException().isThrownBy(() -> Limits.of(0, 150, 10));
    assertThatIllegalArgumentException().isThrownBy(() -> Limits.of(8, 150, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new Limits(1, 0.5, 1));
  }

  private static Limiter limiter() {
    return new Limiter(LIMITS, new Limiter.Expected(BASE, 0, 0), 0);
  }
}
