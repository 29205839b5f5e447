package org.sluiceca.core.admit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.admit.AdmissionDecision.Cause;
import org.sluiceca.core.admit.AdmissionDecision.Shed;
import org.sluiceca.core.admit.Crowd.Advice;
import org.sluiceca.core.admit.Crowd.Group;
import org.sluiceca.core.admit.Crowd.Scene;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.time.Deadline;

/** Requesters and lanes that want more than there is: which gets what, and which learns why. */
class FairShareTest {

  private static final long SECOND = Crowd.SECOND;
  private static final long SEED = Long.getLong("seed", 1);
  private static final double PER_SECOND = 200;

  private final Crowd crowd =
      new Crowd(new Scene(1, PER_SECOND, 8, 512, 0.5, true, SEED), Advice.HONEST);

  @Test
  void share_oneOffersTwentyTimesAsMuch_othersAreServedAtOnce() {
    Group hog = stream("hog", Lane.INTERACTIVE, false, 20);
    Group modest = stream("modest", Lane.INTERACTIVE, true, 0.4);

    crowd.run(60 * SECOND);

    assertThat(modest.refusedOnce).as("%s", modest).isLessThan(modest.came / 100);
    assertThat(hog.causes.getOrDefault(Cause.OVER_SHARE, 0L))
        .as("%s", hog)
        .isGreaterThan(3 * hog.causes.getOrDefault(Cause.SATURATED, 0L));
    // What the modest one leaves is not wasted.
    assertThat(hog.served).isGreaterThan((long) (0.55 * PER_SECOND * 60));
  }

  @Test
  void share_threeWantMoreThanThereIs_equalShares() {
    List<Group> groups = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      groups.add(stream("hog" + (char) ('a' + i), Lane.INTERACTIVE, false, 2 + 4 * i));
    }

    crowd.run(60 * SECOND);

    for (Group group : groups) {
      assertThat(group.served / 60.0).as("%s", groups).isBetween(50.0, 85.0);
    }
  }

  @Test
  void share_oneAlone_getsAllAndIsNotBlamed() {
    Group alone = stream("alone", Lane.INTERACTIVE, false, 10);

    crowd.run(60 * SECOND);

    assertThat(alone.served).as("%s", alone).isGreaterThan((long) (0.97 * PER_SECOND * 60));
    assertThat(alone.causes).containsOnlyKeys(Cause.SATURATED);
  }

  /**
   * What one requester has was admitted at the old speed, and is more than the lane may hold at the
   * new one.
   */
  @ParameterizedTest
  @ValueSource(doubles = {0.5, 0.2, 0.1})
  void share_signerSlowsDown_oneRequestOfEachOtherIsAdmitted(double speed) {
    double[] perSecond = {PER_SECOND};
    Admission admission =
        new Admission(
            new Admission.Terms(512, Optional.empty()),
            Admission.Signer.ofOne(() -> true, () -> perSecond[0]),
            () -> 0,
            new SplittableRandom(SEED));
    int taken = 0;
    while (ask(admission, "hog") instanceof LinePermit) {
      taken++;
    }
    perSecond[0] = speed * PER_SECOND;

    LinePermit first = admitted(admission, "modest");
    assertThat(ask(admission, "modest")).isInstanceOf(Shed.class);
    first.completed();
    LinePermit _ = admitted(admission, "modest");

    // Equal parts of 2 s at the new speed are the bound of what is added.
    int others = 1;
    while (ask(admission, "other" + others) instanceof LinePermit) {
      others++;
    }
    assertThat(others).isBetween(10, (int) (2 * perSecond[0]));
    assertThat(admission.occupancy().inFlight()).isEqualTo(taken + others);
  }

  private static LinePermit admitted(Admission admission, String requester) {
    AdmissionDecision.OfLine decision = ask(admission, requester);
    assertThat(decision).isInstanceOf(LinePermit.class);
    return (LinePermit) decision;
  }

  private static AdmissionDecision.OfLine ask(Admission admission, String requester) {
    return admission.admit(Lane.INTERACTIVE, new RequesterId(requester), new Deadline(10 * SECOND));
  }

  /** A requester that does not wait must not make others wait longer. */
  @Test
  void share_hogAsksAgainAtOnce_othersAreToldShortWaits() {
    Group hog = stream("hog", Lane.INTERACTIVE, false, 20);
    Group modest = new Group("modest", 1, Lane.INTERACTIVE, true);
    crowd.herd(modest, 30 * SECOND, 500, 0.1);

    crowd.run(100 * SECOND);

    assertThat(modest.served).as("%s %s", modest, hog).isEqualTo(500);
    assertThat(modest.longestTold).as("%s", modest).isLessThan(30);
  }

  @Test
  void lanes_interactiveFull_renewalsAreAllServed() {
    Group interactive = stream("user", Lane.INTERACTIVE, false, 10);
    Group renewal = stream("renewal", Lane.RENEWAL, true, 0.5);

    crowd.run(60 * SECOND);

    assertThat(renewal.refusedOnce).as("%s %s", renewal, interactive).isZero();
    assertThat(interactive.served / 60.0).as("%s", interactive).isGreaterThan(90);
  }

  @Test
  void lanes_allWantMoreThanThereIs_byTheirWeights() {
    Group renewal = stream("renewal", Lane.RENEWAL, false, 5);
    Group interactive = stream("user", Lane.INTERACTIVE, false, 5);
    Group bulk = stream("bulk", Lane.BULK, false, 5);

    crowd.run(60 * SECOND);

    assertThat(renewal.served / 60.0).as("%s", renewal).isBetween(90.0, 110.0);
    assertThat(interactive.served / 60.0).as("%s", interactive).isBetween(60.0, 80.0);
    assertThat(bulk.served / 60.0).as("%s", bulk).isBetween(24.0, 36.0);
    assertThat(crowd.longestWait / SECOND).isLessThan(12);
  }

  /** In seconds: what one asks now is done within its lane's bound, whatever others do. */
  @Test
  void lanes_bulkBesideInteractive_interactiveWaitsNoLonger() {
    Group bulk = stream("bulk", Lane.BULK, false, 10);
    Group interactive = stream("user", Lane.INTERACTIVE, true, 0.5);

    crowd.run(60 * SECOND);

    assertThat(interactive.refusedOnce).as("%s %s", interactive, bulk).isZero();
    assertThat(bulk.served / 60.0).as("%s", bulk).isGreaterThan(90);
  }

  @Test
  void line_tokenAtATenthOfItsSpeed_boundsFollow() {
    Group user = stream("user", Lane.INTERACTIVE, false, 3);
    crowd.speed(60 * SECOND, 0.1);

    crowd.run(90 * SECOND);

    // 2 s of 20/s, after those that came at 200/s are through.
    assertThat(depth()).as("%s", user).isBetween(30, 50);
    crowd.speed(90 * SECOND, 1);
    crowd.run(110 * SECOND);
    assertThat(depth()).as("%s", user).isGreaterThan(300);
  }

  private int depth() {
    return crowd.admission(0).occupancy().inFlight();
  }

  private Group stream(String name, Lane lane, boolean obeys, double timesTheToken) {
    Group group = new Group(name, 1, lane, obeys);
    crowd.stream(group, timesTheToken * PER_SECOND, 0, 1_000 * SECOND);
    return group;
  }
}
