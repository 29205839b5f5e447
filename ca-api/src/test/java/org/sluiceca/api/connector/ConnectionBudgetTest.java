package org.sluiceca.api.connector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConnectionBudgetTest {

  @Test
  void of_moreHeap_moreConnections() {
    assertThat(ConnectionBudget.of(96L << 20)).isEqualTo(1_820);
    assertThat(ConnectionBudget.of(256L << 20)).isGreaterThan(10_000);
  }

  @Test
  void of_hardlyAnyHeap_enoughForATrial() {
    assertThat(ConnectionBudget.of(1)).isEqualTo(256);
    assertThat(ConnectionBudget.of(ConnectionBudget.NODE_BYTES)).isEqualTo(256);
  }

  @Test
  void of_unboundedHeap_noOverflow() {
    assertThat(ConnectionBudget.of(Long.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
  }
}
