package org.sluiceca.api.http.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

/** The node's own connection alone is the node's own. */
class OwnRequestsTest {

  private final OwnRequests own = new OwnRequests();

  private static MockHttpServletRequest from(String address, int port) {
    MockHttpServletRequest request = new MockHttpServletRequest();
    request.setRemoteAddr(address);
    request.setRemotePort(port);
    return request;
  }

  @Test
  void contains_ownAddressAndPort_untilTheEnd() {
    own.begin(new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000));

    assertThat(own.contains(from("127.0.0.1", 40_000))).isTrue();
    own.end();
    assertThat(own.contains(from("127.0.0.1", 40_000))).isFalse();
  }

  @Test
  void contains_otherAddressOrPort_never() {
    own.begin(new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000));

    assertThat(own.contains(from("127.0.0.1", 40_001))).isFalse();
    assertThat(own.contains(from("192.0.2.1", 40_000))).isFalse();
  }
}
