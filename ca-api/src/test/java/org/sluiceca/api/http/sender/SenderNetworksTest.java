package org.sluiceca.api.http.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluiceca.core.x509.IpRange;

class SenderNetworksTest {

  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, 192.0.2.0/24",
    "192.0.2.255, 192.0.2.0/24",
    "192.0.3.0, 192.0.3.0/24",
    "2001:db8:1:2:3:4:5:6, 2001:db8:1:0:0:0:0:0/48",
    "2001:db8:1:ffff::, 2001:db8:1:0:0:0:0:0/48",
    "2001:db8:2::, 2001:db8:2:0:0:0:0:0/48",
    "fe80:0:0:0:0:0:0:1%eth0, fe80:0:0:0:0:0:0:0/48",
    "::ffff:192.0.2.1, 192.0.2.0/24",
  })
  void of_address_itsNetwork(String address, String network) {
    assertThat(new SenderNetworks(List.of()).of(address)).contains(network);
  }

  @Test
  void of_proxy_empty() {
    SenderNetworks networks =
        new SenderNetworks(List.of(IpRange.parse("10.0.0.8/31"), IpRange.parse("fd00::/64")));

    assertThat(networks.of("10.0.0.9")).isEmpty();
    assertThat(networks.of("fd00::1")).isEmpty();
    assertThat(networks.of("10.0.0.10")).contains("10.0.0.0/24");
  }
}
