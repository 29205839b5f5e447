package org.sluiceca.api.fulfil;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.sluiceca.core.sign.Station;

class WaitingClientsTest {

  private static final Station NEAR = new Station("near");
  private static final Station FAR = new Station("far");

  @Test
  void enter_oneStationHangs_aQuarterIsLeftToTheOthers() {
    WaitingClients clients = new WaitingClients(96);

    int far = fill(clients, FAR);

    assertThat(far).isEqualTo(72);
    assertThat(fill(clients, NEAR)).isEqualTo(18);
    assertThat(fill(clients, new Station("third"))).isPositive();
  }

  @Test
  void leave_someHaveGone_soManyMoreMayWait() {
    WaitingClients clients = new WaitingClients(96);
    int far = fill(clients, FAR);
    for (int i = 0; i < far; i++) {
      clients.leave(FAR);
    }

    assertThat(fill(clients, FAR)).isEqualTo(far);
  }

  @Test
  void max_none_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new WaitingClients(0));
  }

  private static int fill(WaitingClients clients, Station station) {
    int waiting = 0;
    while (clients.enter(station)) {
      waiting++;
    }
    return waiting;
  }
}
