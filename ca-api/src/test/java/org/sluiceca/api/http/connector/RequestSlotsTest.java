package org.sluiceca.api.http.connector;

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

class RequestSlotsTest {

  private static final NioEndpoint ENDPOINT = new NioEndpoint();

  @Test
  void begin_placeGivenBack_nextOneComesIn() throws Exception {
    RequestSlots slots = new RequestSlots(1);
    SocketWrapperBase<NioChannel> first = connection();
    SocketWrapperBase<NioChannel> second = connection();
    assertThat(slots.begin(first)).isTrue();
    Thread waiting = Thread.ofVirtual().start(() -> slots.begin(second));

    slots.end(first);

    assertThat(waiting.join(Duration.ofSeconds(60))).isTrue();
    assertThat(slots.overdue(later())).containsExactly(second);
  }

  @Test
  @Timeout(value = 30, unit = TimeUnit.SECONDS)
  void begin_nodeStops_falseAtOnce() throws Exception {
    RequestSlots slots = new RequestSlots(0);
    SocketWrapperBase<NioChannel> connection = connection();
    Thread.currentThread().interrupt();

    assertThat(slots.begin(connection)).isFalse();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(slots.overdue(later())).isEmpty();
  }

  @Test
  void overdue_longTurnsOnly_untilTheyEnd() throws Exception {
    RequestSlots slots = new RequestSlots(2);
    SocketWrapperBase<NioChannel> one = connection();
    slots.begin(one);

    assertThat(slots.overdue(System.nanoTime())).isEmpty();
    assertThat(slots.overdue(later())).containsExactly(one);
    slots.end(one);
    assertThat(slots.overdue(later())).isEmpty();
  }

  @Test
  void prolong_underWay_beginsAnew_andNeverAfterTheEnd() throws Exception {
    RequestSlots slots = new RequestSlots(1);
    SocketWrapperBase<NioChannel> one = connection();
    slots.begin(one);
    long justOver = System.nanoTime() + RequestSlots.SLOT_NANOS_MAX + 1;
    assertThat(slots.overdue(justOver)).containsExactly(one);

    slots.prolong(one);

    assertThat(slots.overdue(justOver)).isEmpty();
    assertThat(slots.overdue(later())).containsExactly(one);
    slots.end(one);
    slots.prolong(one);
    assertThat(slots.overdue(later())).isEmpty();
  }

  @Test
  void goesOn_threadWithoutATurn_nothing() {
    assertThatCode(SlotExtension::extend).doesNotThrowAnyException();
  }

  private static long later() {
    return System.nanoTime() + RequestSlots.SLOT_NANOS_MAX + TimeUnit.SECONDS.toNanos(1);
  }

  private static SocketWrapperBase<NioChannel> connection() {
    return new NioEndpoint.NioSocketWrapper(
        new NioChannel(new SocketBufferHandler(0, 0, false)), ENDPOINT);
  }
}
