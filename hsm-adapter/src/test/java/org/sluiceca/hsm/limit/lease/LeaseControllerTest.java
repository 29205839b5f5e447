package org.sluiceca.hsm.limit.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluiceca.hsm.limit.Limits;
import org.sluiceca.hsm.limit.NodeReport;
import org.sluiceca.hsm.limit.Sample;

class LeaseControllerTest {

  private static final long SECOND = 1_000_000_000;
  private static final Limits LIMITS = Limits.of(8, 150, 10);

  @Test
  void update_newLeader_grantsNothingWhileGrantsBeforeMayLive() {
    LeaseController leader = new LeaseController(LIMITS, 4, 10 * SECOND);

    assertThat(leader.update(List.of(report(1, 0)), 13 * SECOND - 1)).isEmpty();
    assertThat(leader.update(List.of(report(1, 0)), 13 * SECOND)).hasSize(1);
  }

  @Test
  void update_newLeader_grantsAreNewerThanThoseBefore() {
    LeaseController first = new LeaseController(LIMITS, 0, 0);
    LeaseController second = new LeaseController(LIMITS, 1, 0);

    long last = 0;
    for (long now = 3 * SECOND; now < 100 * SECOND; now += SECOND) {
      last = first.update(List.of(report(1, last)), now).getFirst().number();
    }

    assertThat(second.update(List.of(report(1, last)), 3 * SECOND).getFirst().number())
        .isGreaterThan(last);
  }

  @Test
  void update_slowTokenOfFewJobs_isJudgedWhenThereAreFive() {
    LeaseController leader = new LeaseController(LIMITS, 0, -3 * SECOND);
    leader.update(List.of(report(8, 0)), 0);
    double before = leader.width();

    leader.update(List.of(fast(4)), SECOND);
    assertThat(leader.pace()).isEqualTo(1);
    leader.update(List.of(fast(1)), 2 * SECOND);

    assertThat(leader.pace()).isLessThan(0.6);
    assertThat(leader.width()).isEqualTo(before);
  }

  @Test
  void update_impossiblyFast_paceStaysInItsBounds() {
    LeaseController leader = new LeaseController(LIMITS, 0, -3 * SECOND);
    for (int i = 0; i < 50; i++) {
      Sample sample = new Sample(100, -2, 0.04, 1, 0, 0, 8, 1);
      leader.update(List.of(new NodeReport("a", 99, 8, 0, sample, 0)), i * SECOND);
    }

    assertThat(leader.pace()).isBetween(0.1, 10.0);
    assertThat(leader.width()).isBetween(1.0, LIMITS.windowMax());
  }

  private static NodeReport report(double width, long grantSeen) {
    return new NodeReport("a", 99, width, 0, Sample.NONE, grantSeen);
  }

  /** Jobs that take half of their base delay of 10 ms. */
  private static NodeReport fast(int jobs) {
    Sample sample = new Sample(jobs, -0.005 * jobs, 0.000025 * jobs, 0.01 * jobs, 0, 0, 8, 1);
    return new NodeReport("a", 99, 8, 0, sample, 0);
  }
}
