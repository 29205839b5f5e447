package org.sluiceca.api.http.connector.evict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IdleConnectionsTest {

  private static final long UNUSED_MIN = 1_000;

  private final Set<String> closed = new HashSet<>();
  private final IdleConnections<String> idle = new IdleConnections<>(closed::contains, UNUSED_MIN);

  @Test
  void takeLongestIdle_keptConnections_inTheOrderOfTheirLastRequests() {
    idle.kept("first", 10);
    idle.kept("second", 20);
    idle.busy("first");
    idle.kept("first", 30);

    assertThat(idle.takeLongestIdle(40)).isEqualTo("second");
    assertThat(idle.takeLongestIdle(40)).isEqualTo("first");
    assertThat(idle.takeLongestIdle(40)).isNull();
  }

  @Test
  void takeLongestIdle_neverSentARequest_beforeThoseThatAreKept() {
    idle.kept("kept", 0);
    idle.accepted("unused", 10);

    assertThat(idle.takeLongestIdle(10 + UNUSED_MIN)).isEqualTo("unused");
    assertThat(idle.takeLongestIdle(10 + UNUSED_MIN)).isEqualTo("kept");
  }

  @Test
  void takeLongestIdle_justAccepted_hasTimeForItsFirstRequest() {
    idle.accepted("new", 10);

    assertThat(idle.takeLongestIdle(9 + UNUSED_MIN)).isNull();
    assertThat(idle.takeLongestIdle(10 + UNUSED_MIN)).isEqualTo("new");
  }

  @Test
  void takeLongestIdle_justAccepted_aKeptOneInstead() {
    idle.accepted("new", 10);
    idle.kept("kept", 11);

    assertThat(idle.takeLongestIdle(12)).isEqualTo("kept");
  }

  @Test
  void takeLongestIdle_handshakeUnderWay_asOldAsItsBeginning() {
    idle.accepted("slow handshake", 10);
    idle.accepted("later", 20);
    idle.busy("slow handshake");
    idle.unused("slow handshake", 10);

    assertThat(idle.takeLongestIdle(5 * UNUSED_MIN)).isEqualTo("slow handshake");
  }

  @Test
  void takeLongestIdle_inARequest_never() {
    idle.accepted("busy", 0);
    idle.busy("busy");

    assertThat(idle.takeLongestIdle(5 * UNUSED_MIN)).isNull();
  }

  /** The first request may be read before the acceptor has noted its connection. */
  @Test
  void accepted_inARequestAlready_staysBusy() {
    idle.busy("fast");
    idle.accepted("fast", 10);

    assertThat(idle.takeLongestIdle(5 * UNUSED_MIN)).isNull();
  }

  @Test
  void takeLongestIdle_closedMeanwhile_skipped() {
    idle.kept("closed", 10);
    idle.kept("open", 20);
    closed.add("closed");

    assertThat(idle.takeLongestIdle(30)).isEqualTo("open");
  }

  @Test
  void forgetClosed_thenNothingIsLeftOfThem() {
    idle.kept("closed", 10);
    closed.add("closed");
    idle.forgetClosed();
    closed.remove("closed");

    assertThat(idle.takeLongestIdle(30)).isNull();
  }
}
