package org.sluiceca.api.http.connector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConnectionBudgetTest {

  @Test
  void of_moreMemory_moreConnections() {
    // Heaps of 128 and 240 MB less their young generation of 24.
    assertThat(ConnectionBudget.of(104L << 20)).isEqualTo(1_795);
    assertThat(ConnectionBudget.of(216L << 20)).isGreaterThan(10_000);
  }

  @Test
  void of_hardlyAnyHeap_enoughForATrial() {
    assertThat(ConnectionBudget.of(1)).isEqualTo(256);
    assertThat(ConnectionBudget.of(ConnectionBudget.NODE_BYTES)).isEqualTo(256);
  }

  /**
   * As measured in a herd: 50 MB of the node, 10 KB of each, 110 of a turn, 46 of a refusal, 67 of
   * what is incomplete.
   */
  @Test
  void turns_withTheConnections_fit() {
    for (long bytes : new long[] {104L << 20, 132L << 20, 216L << 20, 1L << 30}) {
      int connections = ConnectionBudget.of(bytes);
      long slots = ConnectionBudget.slots(connections);

      long waiting = 74 * (46L << 10) + PartialInputs.MAX * (67L << 10);

      assertThat((50L << 20) + connections * (10L << 10) + slots * (110L << 10) + waiting)
          .isLessThanOrEqualTo(bytes * 96 / 100);
    }
    assertThat(ConnectionBudget.slots(256)).isEqualTo(96);
    assertThat(ConnectionBudget.slots(10_439)).isEqualTo(260);
    assertThat(ConnectionBudget.slots(100_000)).isEqualTo(512);
    assertThat(ConnectionBudget.handshakes(256)).isEqualTo(96);
    assertThat(ConnectionBudget.handshakes(1_640)).isEqualTo(164);
    assertThat(ConnectionBudget.handshakes(100_000)).isEqualTo(1_024);
  }

  @Test
  void of_unboundedHeap_noOverflow() {
    assertThat(ConnectionBudget.of(Long.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
  }
}
