package org.sluiceca.api.hsm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluiceca.core.sign.Lane;

class HsmIssuerSignerTest {

  /** Admission lets in by the weights that the token's queue serves by. */
  @ParameterizedTest
  @EnumSource
  void lane_each_hasTheNameAndTheWeightOfTheTokensLane(Lane lane) {
    org.sluiceca.hsm.Lane served = HsmIssuerSigner.lane(lane);

    assertThat(served.name()).isEqualTo(lane.name());
    assertThat(served.weight()).isEqualTo(lane.weight());
  }
}
