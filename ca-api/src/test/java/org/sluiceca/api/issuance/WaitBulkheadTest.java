package org.sluiceca.api.issuance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.SigningPool;

class WaitBulkheadTest {

  private static final SigningPool NEAR = new SigningPool("near");
  private static final SigningPool FAR = new SigningPool("far");
  private static final RequesterId GREEDY = new RequesterId("greedy");

  @Test
  void enter_oneStationHangs_aQuarterIsLeftToTheOthers() {
    WaitBulkhead clients = new WaitBulkhead(96);

    int far = fill(clients, FAR);

    assertThat(far).isEqualTo(72);
    assertThat(fill(clients, NEAR)).isEqualTo(18);
    assertThat(fill(clients, new SigningPool("third"))).isPositive();
  }

  /** One that fills its signing pool leaves places to the first client of each other requester. */
  @Test
  void enter_oneRequesterFills_firstOfOthersWaitUntilAnEighthIsLeft() {
    WaitBulkhead clients = new WaitBulkhead(96);
    fill(clients, FAR);
    int others = 0;
    while (clients.enter(FAR, new RequesterId("other-" + others))) {
      others++;
    }
    assertThat(others).isEqualTo(12);

    clients.leave(FAR, new RequesterId("other-0"));

    assertThat(clients.enter(FAR, new RequesterId("other-1"))).as("its second").isFalse();
    assertThat(clients.enter(FAR, new RequesterId("other-0"))).as("its first").isTrue();
  }

  @Test
  void leave_someHaveGone_soManyMoreMayWait() {
    WaitBulkhead clients = new WaitBulkhead(96);
    int far = fill(clients, FAR);
    for (int i = 0; i < far; i++) {
      clients.leave(FAR, GREEDY);
    }

    assertThat(fill(clients, FAR)).isEqualTo(far);
  }

  @Test
  void max_none_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new WaitBulkhead(0));
  }

  private static int fill(WaitBulkhead clients, SigningPool pool) {
    int waiting = 0;
    while (clients.enter(pool, GREEDY)) {
      waiting++;
    }
    return waiting;
  }
}
