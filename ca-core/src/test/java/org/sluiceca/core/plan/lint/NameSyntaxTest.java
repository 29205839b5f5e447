package org.sluiceca.core.plan.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.sluiceca.core.testkit.RawDer.tlv;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The syntax of names on both sides of each of its limits, without a policy in front. */
class NameSyntaxTest {

  private static final String LABEL = "a".repeat(63);
  private static final String HOST_OF_253 = String.join(".", LABEL, LABEL, LABEL, "a".repeat(61));
  private static final String HOST_OF_251 = HOST_OF_253.substring(2);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "z",
        "A",
        "Z",
        "0a",
        "9z",
        "a0",
        "a9",
        "a.b",
        "1.a",
        "1.2a",
        "a.b1",
        "1-2",
        "a-b.c--d",
        "xn--a.test",
        "*.a.b",
        "*.1.a"
      })
  void fault_dnsName_none(String name) throws Exception {
    assertThat(fault(NameSyntax.DNS, name)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        ".a",
        "a.",
        "a..b",
        "-",
        "-a",
        "a-",
        "a.-b",
        "a-.b",
        "a.b-",
        "a_b",
        "a b",
        "a\u0000",
        // The neighbours of the digits and the letters in ASCII.
        "a/",
        "a:",
        "a@",
        "a[",
        "a`",
        "a{",
        // RFC 1123 2.1: no address in four octets is taken for a name.
        "0",
        "1",
        "a.1",
        "a.09",
        "192.0.2.1",
        "*",
        "*.",
        "*.a",
        "*.a.",
        "*..a",
        "*.1.2",
        "*a.b.c",
        "a*.b.c",
        "a.*.b",
        "*.*.a.b",
        "**.a.b"
      })
  void fault_noDnsName_found(String name) throws Exception {
    assertThat(fault(NameSyntax.DNS, name)).contains("dNSName is no name");
  }

  @Test
  void fault_lengthOfDnsName_63InALabel253InAll() throws Exception {
    assertThat(HOST_OF_253).hasSize(253);

    assertThat(fault(NameSyntax.DNS, LABEL)).isEmpty();
    assertThat(fault(NameSyntax.DNS, LABEL + "a")).isPresent();
    assertThat(fault(NameSyntax.DNS, LABEL + "a.b")).isPresent();
    assertThat(fault(NameSyntax.DNS, "b." + LABEL + "a")).isPresent();
    assertThat(fault(NameSyntax.DNS, HOST_OF_253)).isEmpty();
    assertThat(fault(NameSyntax.DNS, HOST_OF_253 + "a")).isPresent();
  }

  /** The wildcard counts: it is the name in the certificate that has 253 characters. */
  @Test
  void fault_lengthOfWildcard_253InAll() throws Exception {
    assertThat(fault(NameSyntax.DNS, "*." + HOST_OF_251)).isEmpty();
    assertThat(fault(NameSyntax.DNS, "*." + HOST_OF_251 + "a")).isPresent();
    assertThat(fault(NameSyntax.DNS, "*." + HOST_OF_253)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a@b",
        "a@b.test",
        "0@b.test",
        "Z9@b.test",
        "a.b@c.test",
        "a.b.c@d.test",
        "!@b.test",
        "#$%&'*@b.test",
        "+-/=?@b.test",
        "^_`{|}~@b.test",
        "a.!@b.test",
        "a@1.b"
      })
  void fault_mailbox_none(String address) throws Exception {
    assertThat(fault(NameSyntax.EMAIL, address)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "@",
        "a",
        "b.test",
        "@b.test",
        "a@",
        "a@@b.test",
        "a@b@c.test",
        "a@b.test@",
        ".@b.test",
        ".a@b.test",
        "a.@b.test",
        "a..b@c.test",
        "a b@c.test",
        "\"a\"@b.test",
        "a(b)@c.test",
        "a,b@c.test",
        "a:b@c.test",
        "a;b@c.test",
        "<a@b.test>",
        "a[b@c.test",
        "a\\b@c.test",
        "a]b@c.test",
        "a\u007f@b.test",
        "a@-b.test",
        "a@b-",
        "a@b..test",
        "a@b_c.test",
        "a@192.0.2.1",
        "a@[192.0.2.1]",
        "a@*.b.test"
      })
  void fault_noMailbox_found(String address) throws Exception {
    assertThat(fault(NameSyntax.EMAIL, address)).contains("rfc822Name is no mailbox");
  }

  /** RFC 5321 4.5.3.1.1: 64 octets in front of the at. */
  @Test
  void fault_lengthOfMailbox_64InFront253Behind() throws Exception {
    String local = "a".repeat(64);

    assertThat(fault(NameSyntax.EMAIL, local + "@b.test")).isEmpty();
    assertThat(fault(NameSyntax.EMAIL, local + "a@b.test")).isPresent();
    assertThat(fault(NameSyntax.EMAIL, "a@" + HOST_OF_253)).isEmpty();
    assertThat(fault(NameSyntax.EMAIL, "a@" + HOST_OF_253 + "a")).isPresent();
    assertThat(fault(NameSyntax.EMAIL, "a@b.test." + HOST_OF_253)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a:b",
        "z:0",
        "A:b",
        "Z:b",
        "urn:a:b",
        "aZ09:b",
        "a+b:c",
        "a-b:c",
        "a.b:c",
        "a:/",
        "a:/b",
        "a:!",
        "a:~",
        "a:#$&'()*+,;=@[]",
        "x:%41",
        "x:%00%99",
        "x:%aA%fF",
        "x:%25",
        "http://a",
        "http://a/",
        "http://a?b",
        "http://a#b",
        "http://a:80",
        "http://[2001:db8::1]",
        "http://u@a",
        "http://u:p@a/b",
        "http://@a",
        // The at behind the authority is no user's.
        "http://a/@",
        "http://a/@b",
        "http://a/b@:",
        "http://a?@:"
      })
  void fault_uri_none(String uri) throws Exception {
    assertThat(fault(NameSyntax.URI, uri)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        ":",
        "a:",
        ":b",
        "/b",
        "//a/b",
        // RFC 3986 3.1: a letter in front, then the neighbours of digits and letters.
        "1a:b",
        "+a:b",
        "-a:b",
        ".a:b",
        "@a:b",
        "[a:b",
        "`a:b",
        "{a:b",
        "a_b:c",
        "a/b:c",
        "a;b:c",
        "a@b:c",
        "a[b:c",
        "a`b:c",
        "a{b:c",
        "ab_:c"
      })
  void fault_noScheme_found(String uri) throws Exception {
    assertThat(fault(NameSyntax.URI, uri)).contains("URI is not absolute, or malformed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // RFC 3986 2.1: two digits behind every percent.
        "x:%",
        "x:%1",
        "x:b%",
        "x:b%1",
        "x:%g1",
        "x:%1g",
        "x:%@1",
        "x:%1`",
        "x:%/1",
        "x:%1:",
        "x:%%41",
        "x:%41%4",
        // RFC 3986 2: what is none of its characters.
        "a:\u0000",
        "a:b\u001f",
        "a: b",
        "a:b ",
        "a:\"",
        "a:<",
        "a:>",
        "a:\\",
        "a:^",
        "a:`",
        "a:{",
        "a:|",
        "a:}",
        "a:\u007f",
        // RFC 3986 3.2.2: an authority with a host.
        "a://",
        "http://",
        "http:///",
        "http:///a",
        "http://?a",
        "http://#a",
        "http://:80",
        "http://@",
        "http://u@",
        "http://u@/a",
        "http://u@:80",
        "http://a@b@"
      })
  void fault_malformedBehindTheScheme_found(String uri) throws Exception {
    assertThat(fault(NameSyntax.URI, uri)).contains("URI is not absolute, or malformed");
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 16})
  void fault_address_none(int octets) throws Exception {
    assertThat(NameSyntax.fault(name(NameSyntax.IP, new byte[octets]))).isEmpty();
  }

  /** RFC 5280 4.2.1.6: eight octets are an address and a mask, which only constraints have. */
  @ParameterizedTest
  @ValueSource(ints = {0, 3, 5, 8, 15, 17, 32})
  void fault_addressOfAnotherLength_found(int octets) throws Exception {
    assertThat(NameSyntax.fault(name(NameSyntax.IP, new byte[octets])))
        .contains("iPAddress of " + octets + " octets");
  }

  @ParameterizedTest
  @CsvSource({
    "0x80, a name of tag 80",
    "0xa0, a name of tag a0",
    "0xa4, a name of tag a4",
    "0x88, a name of tag 88"
  })
  void fault_anotherForm_found(int tag, String expected) throws Exception {
    assertThat(fault(tag, "a.test")).contains(expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {NameSyntax.DNS, NameSyntax.EMAIL, NameSyntax.URI})
  void fault_octetBeyondAscii_malformed(int tag) throws Exception {
    DerElement name = name(tag, "http://ä@b.test".getBytes(StandardCharsets.UTF_8));

    assertThatExceptionOfType(MalformedException.class).isThrownBy(() -> NameSyntax.fault(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://a", "https://a", "http://a.test/b?c#d", "https://a:8443/b"})
  void httpFault_location_none(String uri) throws Exception {
    assertThat(NameSyntax.httpFault(name(NameSyntax.URI, octets(uri)))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "http:",
        "http:a",
        "http:/a",
        "http://",
        "https://",
        "https://:443",
        "http://a b",
        "ldap://a",
        "ftp://a",
        "file:///a",
        "urn:a:b",
        "httpx://a",
        "/a"
      })
  void httpFault_noLocation_found(String uri) throws Exception {
    assertThat(NameSyntax.httpFault(name(NameSyntax.URI, octets(uri))))
        .contains("a location that is no http URI");
  }

  @Test
  void httpFault_anotherForm_found() throws Exception {
    assertThat(NameSyntax.httpFault(name(NameSyntax.DNS, octets("http://a"))))
        .contains("a name of tag 82, not a URI");
  }

  private static Optional<String> fault(int tag, String text) throws MalformedException {
    return NameSyntax.fault(name(tag, octets(text)));
  }

  private static DerElement name(int tag, byte[] octets) throws MalformedException {
    return DerElement.of(tlv(tag, octets));
  }

  private static byte[] octets(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
