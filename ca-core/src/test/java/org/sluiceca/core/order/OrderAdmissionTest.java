package org.sluiceca.core.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.admit.Admission;
import org.sluiceca.core.admit.AdmissionDecision;
import org.sluiceca.core.admit.AdmissionDecision.Cause;
import org.sluiceca.core.admit.AdmissionDecision.Shed;
import org.sluiceca.core.admit.BacklogPermit;
import org.sluiceca.core.admit.LinePermit;
import org.sluiceca.core.quota.Quota;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.core.sign.SigningCost;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.ManualTime;
import org.sluiceca.core.time.Deadline;

class OrderAdmissionTest {

  private static final RequesterId ALICE = new RequesterId("alice");
  private static final RequesterId BOB = new RequesterId("bob");
  private static final int PLACES = 8;

  private final ManualTime time = new ManualTime(Fixtures.NOW);
  private boolean isUsable = true;
  private BacklogDepths depths = BacklogDepths.EMPTY;

  @Test
  void admit_roomOnTheLine_aPlaceThere() {
    assertThat(ask(orders(Optional.empty()), ALICE)).isInstanceOf(LinePermit.class);
  }

  @Test
  void admit_lineFull_parkedAndTheLineStaysAsItIs() {
    Admission line = line(Optional.empty());
    OrderAdmission orders = orders(line);
    int held = 0;
    while (ask(orders, ALICE) instanceof LinePermit) {
      held++;
      assertThat(held).isLessThanOrEqualTo(PLACES);
    }

    assertThat(held).isPositive();
    assertThat(ask(orders, ALICE)).isInstanceOf(BacklogPermit.class);
    assertThat(line.occupancy().inFlight()).isEqualTo(held);
    assertThat(line.admit(Lane.INTERACTIVE, BOB, deadline())).isInstanceOf(LinePermit.class);
  }

  @Test
  void admit_noSigner_parked() {
    isUsable = false;

    assertThat(ask(orders(Optional.empty()), ALICE)).isInstanceOf(BacklogPermit.class);
  }

  /** Else what comes last would go first. */
  @Test
  void admit_orderOfItsRequesterWaits_parkedThoughThereIsRoom() {
    depths = new BacklogDepths(new LinkedHashMap<>(Map.of(ALICE, 1L)), 0);
    OrderAdmission orders = orders(Optional.empty());

    assertThat(ask(orders, ALICE)).isInstanceOf(BacklogPermit.class);
    assertThat(ask(orders, BOB)).isInstanceOf(LinePermit.class);
  }

  @Test
  void admit_orderOfItsRequesterWaits_renewalTriesItsOwnLane() {
    depths = new BacklogDepths(new LinkedHashMap<>(Map.of(ALICE, 1_000L)), 0);

    assertThat(
            orders(Optional.empty()).admit(Lane.RENEWAL, ALICE, SigningCost.ORDINARY, deadline()))
        .isInstanceOf(LinePermit.class);
  }

  @Test
  void admit_backlogOfRequesterFull_refused() {
    depths = new BacklogDepths(new LinkedHashMap<>(Map.of(ALICE, 100L)), 0);

    Shed shed = (Shed) ask(orders(Optional.empty()), ALICE);

    assertThat(shed.cause()).isEqualTo(Cause.ORDERS_OVER_QUOTA);
    assertThat(shed.retryAfter()).isPositive();
  }

  @Test
  void admit_backlogFull_refused() {
    isUsable = false;
    depths = new BacklogDepths(new LinkedHashMap<>(Map.of(ALICE, 99L, BOB, 99L)), 0);

    assertThat(((Shed) ask(orders(Optional.empty()), ALICE)).cause()).isEqualTo(Cause.BACKLOG_FULL);
  }

  @Test
  void admit_manyAtOnce_soManyOnTheWayAndNoMore() {
    isUsable = false;
    OrderAdmission orders = orders(Optional.empty());
    List<BacklogPermit> held = new ArrayList<>();
    while (ask(orders, ALICE) instanceof BacklogPermit parked) {
      held.add(parked);
      assertThat(held.size()).isLessThanOrEqualTo(100);
    }

    held.getFirst().close();
    held.getFirst().close();

    assertThat(ask(orders, ALICE)).isInstanceOf(BacklogPermit.class);
    assertThat(ask(orders, ALICE)).isInstanceOf(Shed.class);
  }

  @Test
  void admit_quotaOfRequestsUsedUp_notParkedEither() {
    isUsable = false;
    OrderAdmission orders = orders(Optional.of(new Quota(2, Duration.ofMinutes(1))));

    assertThat(ask(orders, ALICE)).isInstanceOf(BacklogPermit.class);
    assertThat(ask(orders, ALICE)).isInstanceOf(BacklogPermit.class);
    assertThat(((Shed) ask(orders, ALICE)).cause()).isEqualTo(Cause.OVER_QUOTA);
    assertThat(ask(orders, BOB)).isInstanceOf(BacklogPermit.class);
  }

  @Test
  void admit_nodeEnds_refused() {
    Admission line = line(Optional.empty());
    line.drain();

    assertThat(((Shed) ask(orders(line), ALICE)).cause()).isEqualTo(Cause.DRAINING);
    assertThat(line.roomForOrders()).isZero();
  }

  @Test
  void resume_withinTheRoom_placesOfTheBulkLane() {
    Admission line = line(Optional.empty());
    int room = line.roomForOrders();
    assertThat(room).isPositive();

    List<LinePermit> places = new ArrayList<>();
    for (int i = 0; i < room; i++) {
      places.add(line.resume(ALICE, SigningCost.ORDINARY));
    }

    assertThat(places).allMatch(p -> p.lane() == Lane.BULK);
    assertThat(line.roomForOrders()).isZero();
    places.forEach(LinePermit::completed);
    assertThat(line.roomForOrders()).isPositive();
    isUsable = false;
    assertThat(line.roomForOrders()).isZero();
  }

  @Test
  void limits_outOfRange_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new OrderLimits(0, 10));
    assertThatIllegalArgumentException().isThrownBy(() -> new OrderLimits(10, 9));
    assertThatIllegalArgumentException().isThrownBy(() -> new OrderLimits(1, 1_000_000_001));
  }

  private AdmissionDecision ask(OrderAdmission orders, RequesterId requester) {
    return orders.admit(Lane.BULK, requester, SigningCost.ORDINARY, deadline());
  }

  private Deadline deadline() {
    return Deadline.after(Duration.ofSeconds(10), time);
  }

  private OrderAdmission orders(Optional<Quota> quota) {
    return orders(line(quota));
  }

  private OrderAdmission orders(Admission line) {
    return new OrderAdmission(line, new OrderLimits(100, 198), () -> depths);
  }

  private Admission line(Optional<Quota> quota) {
    return new Admission(
        new Admission.Terms(PLACES, quota),
        Admission.Signer.ofOne(() -> isUsable, () -> 0),
        time,
        new SplittableRandom(1));
  }
}
