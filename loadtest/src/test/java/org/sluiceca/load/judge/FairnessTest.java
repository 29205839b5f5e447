package org.sluiceca.load.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class FairnessTest {

  @Test
  void jain_equalShares_1() {
    assertThat(Fairness.jain(3, 3, 3)).isEqualTo(1);
  }

  @Test
  void jain_oneHasAll_1ByN() {
    assertThat(Fairness.jain(5, 0, 0, 0)).isEqualTo(0.25);
  }

  @Test
  void jain_nobodyGotAnything_isNoNumber() {
    assertThat(Fairness.jain(0, 0)).isNaN();
    assertThat(Fairness.jain()).isNaN();
  }

  @Test
  void maxMin_smallDemandIsMet_restIsShared() {
    assertThat(Fairness.maxMin(new double[] {20, 400}, 100)).containsExactly(20, 80);
    assertThat(Fairness.maxMin(new double[] {400, 20, 400}, 100)).containsExactly(40, 20, 40);
  }

  @Test
  void maxMin_enoughForAll_demands() {
    assertThat(Fairness.maxMin(new double[] {10, 30}, 100)).containsExactly(10, 30);
  }

  /** 1 : 20 of demand given out in proportion: a gets a quarter of what it is entitled to. */
  @Test
  void ofEntitlements_sharesInProportionToDemand_areUnfair() {
    double proportional =
        Fairness.ofEntitlements(
            new double[] {100.0 / 21, 2000.0 / 21}, new double[] {20, 400}, 100);

    assertThat(proportional).isCloseTo(0.69, within(0.01));
    assertThat(Fairness.ofEntitlements(new double[] {20, 80}, new double[] {20, 400}, 100))
        .isEqualTo(1);
  }
}
