package org.sluiceca.api.validation.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

/** The SNI of an address, with the examples of RFC 8738 6. */
class ReverseNameTest {

  @Test
  void of_bothVersions_named() {
    assertThat(ReverseName.of(InetAddress.ofLiteral("203.0.113.5")))
        .isEqualTo("5.113.0.203.in-addr.arpa");
    assertThat(ReverseName.of(InetAddress.ofLiteral("2001:db8::1")))
        .isEqualTo("1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa");
  }
}
