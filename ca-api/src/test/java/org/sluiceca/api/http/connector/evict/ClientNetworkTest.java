package org.sluiceca.api.http.connector.evict;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class ClientNetworkTest {

  private static ClientNetwork of(String address) throws UnknownHostException {
    return ClientNetwork.of(new InetSocketAddress(InetAddress.getByName(address), 1)).orElseThrow();
  }

  @Test
  void of_ipv4_theAddress() throws UnknownHostException {
    assertThat(of("192.0.2.1")).isEqualTo(of("192.0.2.1")).isNotEqualTo(of("192.0.2.2"));
  }

  @Test
  void of_ipv6_first64Bits() throws UnknownHostException {
    assertThat(of("2001:db8:1:2::1"))
        .isEqualTo(of("2001:db8:1:2:ffff:ffff:ffff:ffff"))
        .isNotEqualTo(of("2001:db8:1:3::1"));
  }

  @Test
  void of_noIpAddress_empty() {
    assertThat(ClientNetwork.of(UnixDomainSocketAddress.of("/x"))).isEmpty();
    assertThat(ClientNetwork.of(InetSocketAddress.createUnresolved("x.example", 1))).isEmpty();
  }
}
