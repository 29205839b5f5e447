package org.sluiceca.load.wan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LineTest {

  private static final long MILLI = 1_000_000;

  /** 1,000 bytes a millisecond, 40 ms away. */
  private final Line line = new Line(8e6, 40 * MILLI, 0);

  @Test
  void send_freeLine_takesItsBitsAndTheWay() {
    assertThat(line.send(1000, 5 * MILLI)).isEqualTo(46 * MILLI);
  }

  @Test
  void send_busyLine_waitsForThoseBefore() {
    assertThat(line.send(3000, 0)).isEqualTo(43 * MILLI);
    assertThat(line.send(1000, MILLI)).isEqualTo(44 * MILLI);
  }

  @Test
  void send_afterAPause_makesUpForNothing() {
    assertThat(line.send(1000, 0)).isEqualTo(41 * MILLI);
    assertThat(line.send(1000, 500 * MILLI)).isEqualTo(541 * MILLI);
  }
}
