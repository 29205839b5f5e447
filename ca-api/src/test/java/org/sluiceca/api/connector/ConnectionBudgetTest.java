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

  /** The node's own, all connections at rest, those in a request and handshakes fit the heap. */
  @Test
  void turns_withTheConnections_fitTheHeap() {
    for (long heapBytes : new long[] {96L << 20, 256L << 20, 1L << 30}) {
      int connections = ConnectionBudget.of(heapBytes);
      long turns = ConnectionBudget.turns(connections);

      long handshakes = ConnectionBudget.handshakes(connections);

      assertThat(
              ConnectionBudget.NODE_BYTES
                  + connections * (7L << 10)
                  + turns * (110L << 10)
                  + handshakes * (30L << 10))
          .isLessThanOrEqualTo(heapBytes);
    }
    assertThat(ConnectionBudget.turns(256)).isEqualTo(96);
    assertThat(ConnectionBudget.turns(10_439)).isEqualTo(260);
    assertThat(ConnectionBudget.turns(100_000)).isEqualTo(512);
    assertThat(ConnectionBudget.handshakes(256)).isEqualTo(96);
    assertThat(ConnectionBudget.handshakes(1_640)).isEqualTo(164);
    assertThat(ConnectionBudget.handshakes(100_000)).isEqualTo(1_024);
  }

  @Test
  void of_unboundedHeap_noOverflow() {
    assertThat(ConnectionBudget.of(Long.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
  }
}
