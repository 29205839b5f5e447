package org.sluiceca.core.x509;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpRangeTest {

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.0.0.0/8, ff000000",
    "0.0.0.0/0, 0.0.0.0/0, 00000000",
    "192.0.2.1/32, 192.0.2.1/32, ffffffff",
    "192.0.2.128/25, 192.0.2.128/25, ffffff80",
    "192.128.0.0/8, , ",
    "2001:db8::/32, 2001:db8:0:0:0:0:0:0/32, ffffffff000000000000000000000000",
    "::1/128, 0:0:0:0:0:0:0:1/128, ffffffffffffffffffffffffffffffff",
  })
  void parse_range_networkAndMask(String text, String shown, String mask) {
    if (shown == null) {
      assertThatIllegalArgumentException().isThrownBy(() -> IpRange.parse(text));
      return;
    }
    assertThat(IpRange.parse(text)).hasToString(shown);
    assertThat(IpRange.parse(text).mask()).hasToString(mask);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.0",
        "10.0.0.0/33",
        "10.0.0.1/8",
        "10.0.0.0/08",
        "10.0.0.0/-1",
        "10.0.0/8",
        "/8",
        "010.0.0.0/8",
        "256.0.0.0/8",
        "::/129",
        "2001:db8::1/32",
        "example.com/8",
        "10.0.0.0/8/8",
        "::ffff:10.0.0.0/104",
        "::ffff:0a00:0/104",
        "fe80::1%eth0/64",
        "[::]/0"
      })
  void parse_otherText_refused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> IpRange.parse(text));
  }

  @Test
  void literal_onlyThePlainestForm() {
    assertThat(IpLiteral.parse("192.0.2.1")).isPresent();
    assertThat(IpLiteral.parse("2001:DB8::1")).isPresent();
    for (String other :
        new String[] {"1", "1.2", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.256", "::g", ":", ""}) {
      assertThat(IpLiteral.parse(other)).as(other).isEmpty();
    }
  }

  @Test
  void construct_bounds_bothSides() {
    OctetString four = OctetString.copyOf(new byte[4]);
    assertThat(new IpRange(four, 32).prefixLength()).isEqualTo(32);
    assertThatIllegalArgumentException().isThrownBy(() -> new IpRange(four, 33));
    assertThatIllegalArgumentException().isThrownBy(() -> new IpRange(four, -1));
    for (int octets : new int[] {0, 3, 5, 15, 17}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new IpRange(OctetString.copyOf(new byte[octets]), 0));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2.5.29.17, true",
    "0.39, true",
    "0.40, false",
    "1.39.1, true",
    "2.999, true",
    "3.1, false",
    "1, false",
    "1.2.03, false",
    "1.2., false",
    "1.2.3.0, true",
    "a.b, false",
  })
  void oid_syntax(String oid, boolean isOne) {
    if (isOne) {
      Oids.check(oid);
      assertThat(Oids.isBelow(oid + ".1", oid)).isTrue();
      assertThat(Oids.isBelow(oid, oid)).isTrue();
      assertThat(Oids.isBelow(oid + "1", oid)).isFalse();
    } else {
      assertThatIllegalArgumentException().isThrownBy(() -> Oids.check(oid));
    }
  }
}
