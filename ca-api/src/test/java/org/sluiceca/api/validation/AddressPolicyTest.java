package org.sluiceca.api.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.api.validation.AddressPolicy.Scope;

/** Which addresses a validator may connect to. */
class AddressPolicyTest {

  private static final AddressPolicy TRIAL = AddressPolicy.of(Scope.TRIAL);
  private static final AddressPolicy PRIVATE = AddressPolicy.of(Scope.PRIVATE);
  private static final AddressPolicy PUBLIC = AddressPolicy.of(Scope.PUBLIC);

  /** What each scope says: yes or no for trial, private, public. */
  @ParameterizedTest
  @CsvSource({
    // Public.
    "8.8.8.8 1.0.0.1 223.255.255.255 2606:4700::1111 2001:4860:4860::8888, yes, yes, yes",
    "2001:200::1, yes, yes, yes",
    // Private, and their neighbours.
    "10.0.0.1 10.255.255.255 172.16.0.0 172.31.255.255 192.168.1.1 100.64.0.1, yes, yes, no",
    "100.127.255.255 fc00::1 fdff:ffff::1, yes, yes, no",
    "11.0.0.0 172.15.255.255 172.32.0.0 192.169.0.0 100.63.255.255, yes, yes, yes",
    "100.128.0.0, yes, yes, yes",
    // Loopback.
    "127.0.0.1 127.255.255.255 ::1, yes, no, no",
    "126.255.255.255 128.0.0.0, yes, yes, yes",
    // Unspecified and this network.
    "0.0.0.0 0.255.255.255 ::, no, no, no",
    // Link-local, with metadata.
    "169.254.169.254 fe80::1 febf:ffff::1 fec0::1, no, no, no",
    "169.253.255.255 169.255.0.0, yes, yes, yes",
    // Metadata in networks that are allowed otherwise.
    "fd00:ec2::254 fd00:ec2::23 fd20:ce::254 100.100.100.200 168.63.129.16 192.0.0.192, no, no, no",
    "fd00:ec3::254, yes, yes, no",
    // Multicast, broadcast, reserved.
    "224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 ff02::1 192.88.99.1, no, no, no",
    "198.18.0.1 198.19.255.255 4000::1 100::1 5f00::1, no, no, no",
    "198.20.0.0, yes, yes, yes",
    // Documentation.
    "192.0.2.7 198.51.100.7 203.0.113.7 2001:db8::7 3fff:fff::7, no, no, no",
    "3fff:1000::7, yes, yes, yes",
    // IPv4 in IPv6: compatible, translated, 6to4, Teredo, NAT64.
    "::7f00:1 ::808:808 ::ffff:0:7f00:1 2002:7f00:1::1 2002:808:808::1, no, no, no",
    "2001:0:4136:e378::1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::808:808, no, no, no",
    "64:ff9b::a00:1, yes, yes, no",
    "64:ff9b::808:808, yes, yes, yes",
  })
  void refusal_byScope(String addresses, String trial, String inPrivate, String inPublic) {
    for (String address : addresses.split(" ", -1)) {
      assertThat(List.of(says(TRIAL, address), says(PRIVATE, address), says(PUBLIC, address)))
          .as(address)
          .containsExactly(trial, inPrivate, inPublic);
    }
  }

  private static String says(AddressPolicy policy, String address) {
    return policy.refusal(InetAddress.ofLiteral(address)).isEmpty() ? "yes" : "no";
  }

  /** The JDK makes them IPv4 by itself, but for one way, by which no look-up may come through. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "00000000000000000000ffff7f000001",
        "00000000000000000000ffffa9fea9fe",
        "00000000000000000000ffff08080808"
      })
  void refusal_ipv4MappedKeptAsIpv6_refused(String octets) throws UnknownHostException {
    Inet6Address mapped = Inet6Address.getByAddress(null, HexFormat.of().parseHex(octets), -1);

    assertThat(mapped.getAddress()).hasSize(16);
    assertThat(TRIAL.refusal(mapped)).isPresent();
  }

  @Test
  void refusal_ipv4MappedOfAnyOtherWay_judgedAsIpv4() throws UnknownHostException {
    byte[] octets = HexFormat.of().parseHex("00000000000000000000ffff7f000001");

    assertThat(PRIVATE.refusal(InetAddress.getByAddress(octets))).isPresent();
    assertThat(PRIVATE.refusal(InetAddress.ofLiteral("::ffff:127.0.0.1"))).isPresent();
  }

  @Test
  void refusal_networks_alone() {
    AddressPolicy policy =
        new AddressPolicy(
            Scope.PRIVATE, AddressPolicy.networks(List.of("10.1.0.0/16", "2606:4700::/32")));

    assertThat(says(policy, "10.1.255.255")).isEqualTo("yes");
    assertThat(says(policy, "10.2.0.0")).isEqualTo("no");
    assertThat(says(policy, "8.8.8.8")).isEqualTo("no");
    assertThat(says(policy, "2606:4700::1")).isEqualTo("yes");
    assertThat(says(policy, "2606:4701::1")).isEqualTo("no");
    assertThat(says(policy, "64:ff9b::a01:1")).isEqualTo("no");
  }

  @Test
  void refusal_networks_allowNothingThatTheScopeRefuses() {
    AddressPolicy all =
        new AddressPolicy(Scope.PUBLIC, AddressPolicy.networks(List.of("0.0.0.0/0", "::/0")));

    assertThat(says(all, "127.0.0.1")).isEqualTo("no");
    assertThat(says(all, "169.254.169.254")).isEqualTo("no");
    assertThat(says(all, "10.0.0.1")).isEqualTo("no");
    assertThat(says(all, "::1")).isEqualTo("no");
    assertThat(says(all, "8.8.8.8")).isEqualTo("yes");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.0",
        "10.0.0.0/",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/08",
        "10.0.0.1/8",
        "10.0.0/8",
        "010.0.0.0/8",
        "10.0.0.0/8 ",
        "fc00::/129",
        "fc00::1/7",
        "::ffff:10.0.0.0/104",
        "host/8"
      })
  void networks_otherForm_rejected(String text) {
    assertThatThrownBy(() -> AddressPolicy.networks(List.of(text)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
