package org.sluiceca.api.hsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluiceca.api.hsm.token.TokenDefaults;
import org.sluiceca.api.hsm.token.TokenEntry;
import org.sluiceca.core.sign.Lane;
import org.sluiceca.hsm.LaneShares;

class HsmLanesTest {

  /** Admission lets in by the weights that the token's queue serves by. */
  @ParameterizedTest
  @EnumSource
  void of_each_hasTheNameAndTheWeightOfTheTokensLane(Lane lane) {
    org.sluiceca.hsm.Lane served = HsmLanes.of(lane);

    assertThat(served.name()).isEqualTo(lane.name());
    assertThat(HsmLanes.SHARES.weight(served)).isEqualTo(lane.weight());
  }

  @Test
  void of_all_everyLaneOfTheTokenInItsOrder() {
    assertThat(Arrays.stream(Lane.values()).map(HsmLanes::of))
        .containsExactly(org.sluiceca.hsm.Lane.values());
  }

  @Test
  void settings_ofAToken_sharesOfAdmission() {
    TokenEntry entry = TokenEntry.of("a", Path.of("m.so"), "label", Path.of("pin"), null);

    LaneShares lanes =
        entry.settings(new TokenDefaults(8, 512, Duration.ofSeconds(5), false)).hsm().lanes();

    assertThat(lanes).isEqualTo(HsmLanes.SHARES);
    assertThat(lanes.statusPart()).isEqualTo(Lane.STATUS_PART_MAX);
  }
}
