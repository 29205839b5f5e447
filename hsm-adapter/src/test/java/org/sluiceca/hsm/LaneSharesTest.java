package org.sluiceca.hsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class LaneSharesTest {

  @Test
  void weight_eachLane_itsOwn() {
    LaneShares shares = new LaneShares(3, 2, 1, 0.5);

    assertThat(shares.weight(Lane.STATUS)).isZero();
    assertThat(shares.weight(Lane.RENEWAL)).isEqualTo(3);
    assertThat(shares.weight(Lane.INTERACTIVE)).isEqualTo(2);
    assertThat(shares.weight(Lane.BULK)).isEqualTo(1);
  }

  @Test
  void laneShares_boundsAndOneBeyond() {
    assertThat(new LaneShares(1, 1, 1, 1)).isEqualTo(LaneShares.EQUAL);
    assertThatIllegalArgumentException().isThrownBy(() -> new LaneShares(0, 1, 1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new LaneShares(1, 0, 1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new LaneShares(1, 1, 0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new LaneShares(1, 1, 1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new LaneShares(1, 1, 1, 1.01));
    assertThatIllegalArgumentException().isThrownBy(() -> new LaneShares(1, 1, 1, Double.NaN));
  }
}
