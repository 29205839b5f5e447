package org.sluiceca.load.bench.acme;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StepsTest {

  @Test
  void text_stepsOfTwoClients_countsAndMediansInTheOrderOfTheFlow() {
    Steps one = new Steps();
    Steps other = new Steps();
    one.add(Step.DOWNLOAD, 9_000_000);
    for (int i = 1; i <= 300; i++) {
      other.add(Step.NEW_ORDER, i * 10_000L);
    }
    one.add(other);

    assertThat(one.count()).isEqualTo(301);
    assertThat(one.text()).isEqualTo("new-order=300*1.51,download=1*9.00");
    assertThat(new Steps().text()).isEqualTo("none");
  }
}
