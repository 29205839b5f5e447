package org.sluiceca.api.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TurnsTest {

  private static final NioEndpoint ENDPOINT = new NioEndpoint();

  @Test
  void begin_placeGivenBack_nextOneComesIn() throws Exception {
    Turns turns = new Turns(1);
    SocketWrapperBase<NioChannel> first = connection();
    SocketWrapperBase<NioChannel> second = connection();
    assertThat(turns.begin(first)).isTrue();
    Thread waiting = Thread.ofVirtual().start(() -> turns.begin(second));

    turns.end(first);

    assertThat(waiting.join(Duration.ofSeconds(60))).isTrue();
    assertThat(turns.overdue(later())).containsExactly(second);
  }

  @Test
  @Timeout(value = 30, unit = TimeUnit.SECONDS)
  void begin_nodeStops_falseAtOnce() throws Exception {
    Turns turns = new Turns(0);
    SocketWrapperBase<NioChannel> connection = connection();
    Thread.currentThread().interrupt();

    assertThat(turns.begin(connection)).isFalse();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(turns.overdue(later())).isEmpty();
  }

  @Test
  void overdue_longTurnsOnly_untilTheyEnd() throws Exception {
    Turns turns = new Turns(2);
    SocketWrapperBase<NioChannel> one = connection();
    turns.begin(one);

    assertThat(turns.overdue(System.nanoTime())).isEmpty();
    assertThat(turns.overdue(later())).containsExactly(one);
    turns.end(one);
    assertThat(turns.overdue(later())).isEmpty();
  }

  @Test
  void prolong_underWay_beginsAnew_andNeverAfterTheEnd() throws Exception {
    Turns turns = new Turns(1);
    SocketWrapperBase<NioChannel> one = connection();
    turns.begin(one);
    long justOver = System.nanoTime() + Turns.TURN_NANOS_MAX + 1;
    assertThat(turns.overdue(justOver)).containsExactly(one);

    turns.prolong(one);

    assertThat(turns.overdue(justOver)).isEmpty();
    assertThat(turns.overdue(later())).containsExactly(one);
    turns.end(one);
    turns.prolong(one);
    assertThat(turns.overdue(later())).isEmpty();
  }

  @Test
  void goesOn_threadWithoutATurn_nothing() {
    assertThatCode(LongTurn::goesOn).doesNotThrowAnyException();
  }

  private static long later() {
    return System.nanoTime() + Turns.TURN_NANOS_MAX + TimeUnit.SECONDS.toNanos(1);
  }

  private static SocketWrapperBase<NioChannel> connection() {
    return new NioEndpoint.NioSocketWrapper(
        new NioChannel(new SocketBufferHandler(0, 0, false)), ENDPOINT);
  }
}
