package org.sluiceca.api.fulfil;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.sign.Station;

class WaitingClientsTest {

  private static final Station NEAR = new Station("near");
  private static final Station FAR = new Station("far");
  private static final RequesterId GREEDY = new RequesterId("greedy");

  @Test
  void enter_oneStationHangs_aQuarterIsLeftToTheOthers() {
    WaitingClients clients = new WaitingClients(96);

    int far = fill(clients, FAR);

    assertThat(far).isEqualTo(72);
    assertThat(fill(clients, NEAR)).isEqualTo(18);
    assertThat(fill(clients, new Station("third"))).isPositive();
  }

  /** One that fills its station leaves places to the first client of each other requester. */
  @Test
  void enter_oneRequesterFills_firstOfOthersWaitUntilAnEighthIsLeft() {
    WaitingClients clients = new WaitingClients(96);
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
    WaitingClients clients = new WaitingClients(96);
    int far = fill(clients, FAR);
    for (int i = 0; i < far; i++) {
      clients.leave(FAR, GREEDY);
    }

    assertThat(fill(clients, FAR)).isEqualTo(far);
  }

  @Test
  void max_none_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new WaitingClients(0));
  }

  private static int fill(WaitingClients clients, Station station) {
    int waiting = 0;
    while (clients.enter(station, GREEDY)) {
      waiting++;
    }
    return waiting;
  }
}
