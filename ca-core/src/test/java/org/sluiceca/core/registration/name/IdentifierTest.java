package org.sluiceca.core.registration.name;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.x509.GeneralName;

class IdentifierTest {

  /** RFC 5952 4. */
  @ParameterizedTest
  @CsvSource({
    "2001:0db8:0:0:0:0:0:1, 2001:db8::1",
    "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
    "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
    "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
    "::, ::",
    "::1, ::1",
    "1::, 1::",
    "2001:DB8::ABCD, 2001:db8::abcd",
    "192.0.2.1, 192.0.2.1",
  })
  void value_address_shortestForm(String text, String shown) {
    Identifier ip = Identifier.parse("ip", text).orElseThrow();

    assertThat(ip.value()).isEqualTo(shown);
    assertThat(Identifier.parse("ip", shown)).contains(ip);
  }

  @ParameterizedTest
  @CsvSource({
    "www.Example.COM, www.example.com",
    "*.example.com, *.example.com",
    "xn--mnchen-3ya.example, xn--mnchen-3ya.example"
  })
  void parse_dns_lowerCase(String text, String name) {
    assertThat(Identifier.parse("dns", text)).contains(new Identifier.Dns(name));
    assertThat(Identifier.of(new GeneralName.Dns(text))).contains(new Identifier.Dns(name));
  }

  /** Characters beyond ASCII whose lower or upper case is an ASCII letter. */
  @ParameterizedTest
  @ValueSource(strings = {"\u212A.example", "\u0130.example", "\u017F.example", "\uFF4B.example"})
  void parse_dnsBeyondAscii_empty(String text) {
    assertThat(Identifier.parse("dns", text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "dns, ''",
    "dns, *.",
    "dns, a..b",
    "dns, 192.0.2.1",
    "dns, *.example",
    "ip, 1.2.3",
    "ip, [::1]",
    "ip, www.example.com",
    "email, a@example.com"
  })
  void parse_whatCannotBeCertified_empty(String type, String value) {
    assertThat(Identifier.parse(type, value)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a@example.com"})
  void of_anotherForm_empty(String address) {
    assertThat(Identifier.of(new GeneralName.Email(address))).isEmpty();
    assertThat(Identifier.of(new GeneralName.Uri("https://example.com"))).isEmpty();
  }
}
