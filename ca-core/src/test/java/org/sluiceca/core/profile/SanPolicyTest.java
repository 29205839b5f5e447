package org.sluiceca.core.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.profile.SanPolicy.Form;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.GeneralName.Dns;
import org.sluiceca.core.x509.GeneralName.Email;
import org.sluiceca.core.x509.GeneralName.Ip;
import org.sluiceca.core.x509.GeneralName.Uri;
import org.sluiceca.core.x509.NameAttribute;

class SanPolicyTest {

  private static final DistinguishedName NO_REQUESTER = DistinguishedName.EMPTY;
  private static final SanPolicy EVERYTHING =
      new SanPolicy(EnumSet.allOf(Form.class), false, 100, true, false);
  private static final SanPolicy HOSTS =
      new SanPolicy(Set.of(Form.DNS, Form.IP), true, 3, false, true);

  @Test
  void check_everyForm_unchangedInOrder() throws Exception {
    List<GeneralName> names =
        List.of(
            new Uri("https://example.test/a?b=c#d"),
            new Dns("Host.Example.test"),
            new Email("first.last+tag@example.test"),
            ip("2001:db8::1"),
            ip("192.0.2.1"),
            new Dns("*.example.test"));

    assertThat(EVERYTHING.check(names, NO_REQUESTER)).isEqualTo(names);
  }

  @Test
  void check_formNotAllowed_refusedNeverDropped() {
    SanPolicy dnsOnly = new SanPolicy(Set.of(Form.DNS), false, 9, false, false);
    for (GeneralName name :
        List.of(
            ip("192.0.2.1"),
            new Email("a@example.test"),
            new Uri("urn:a:b"),
            new GeneralName.Unsupported(4))) {
      assertRefused(dnsOnly, List.of(new Dns("a.test"), name), NO_REQUESTER);
    }
    assertRefused(EVERYTHING, List.of(new GeneralName.Unsupported(0)), NO_REQUESTER);
    SanPolicy emailOnly = new SanPolicy(Set.of(Form.EMAIL), false, 9, false, false);
    assertRefused(emailOnly, List.of(new Dns("a.test")), NO_REQUESTER);
  }

  @Test
  void check_refusedNameOf80Or81Characters_shownWholeOrCut() {
    Dns whole = new Dns("_".repeat(80 - "DNS:".length()));
    Dns cut = new Dns(whole.name() + "_");

    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> EVERYTHING.check(List.of(whole), NO_REQUESTER))
        .withMessageEndingWith("DNS:" + whole.name());
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> EVERYTHING.check(List.of(cut), NO_REQUESTER))
        .withMessageEndingWith("DNS:" + whole.name() + "…");
  }

  @Test
  void check_noFormsAndNoNames_empty() throws Exception {
    SanPolicy none = new SanPolicy(Set.of(), false, 0, false, false);

    assertThat(none.check(List.of(), commonName("a"))).isEmpty();
    assertRefused(none, List.of(new Dns("a.test")), NO_REQUESTER);
  }

  @Test
  void check_100Or101Names_bothSides() throws Exception {
    List<GeneralName> names = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      names.add(new Dns("h" + i + ".example.test"));
    }

    assertThat(EVERYTHING.check(names, NO_REQUESTER)).hasSize(100);
    names.add(new Dns("h100.example.test"));
    assertRefused(EVERYTHING, names, NO_REQUESTER);
  }

  @Test
  void check_requiredButNone_refused() {
    assertRefused(HOSTS, List.of(), NO_REQUESTER);
  }

  @Test
  void check_duplicatesByCaseOrForm_oneNameAsItWasWrittenFirst() throws Exception {
    for (List<GeneralName> twice :
        List.<List<GeneralName>>of(
            List.of(new Dns("a.Test"), new Dns("A.test")),
            List.of(ip("2001:db8::1"), ip("2001:DB8:0::1")),
            List.of(new Email("a@b.test"), new Email("a@B.test")),
            List.of(new Uri("urn:a:b"), new Uri("urn:a:b")),
            List.of(new Uri("HTTPS://A.test/B"), new Uri("https://a.TEST/B")))) {
      assertThat(EVERYTHING.check(twice, NO_REQUESTER)).containsExactly(twice.getFirst());
    }
    assertThat(
            HOSTS.check(
                List.of(new Dns("a"), new Dns("A"), new Dns("b"), new Dns("c")), NO_REQUESTER))
        .as("counted once")
        .hasSize(3);
    assertThat(
            EVERYTHING.check(
                List.of(new Uri("https://a.test/b"), new Uri("https://a.test/B")), NO_REQUESTER))
        .as("a path has case")
        .hasSize(2);
  }

  @Test
  void check_emailLocalPartsThatDifferInCase_bothKept() throws Exception {
    // RFC 5321 2.4: local parts are case-sensitive.
    assertThat(
            EVERYTHING.check(List.of(new Email("a@b.test"), new Email("A@b.test")), NO_REQUESTER))
        .hasSize(2);
  }

  @Test
  void check_dnsNames_syntaxOfHosts() throws Exception {
    String label63 = "a".repeat(63);
    String name253 = String.join(".", label63, label63, label63, "a".repeat(61));
    for (String name :
        List.of("a", "localhost", "a-b.c", "1a.test", "xn--bcher-kva.test", label63, name253)) {
      assertThat(EVERYTHING.check(List.of(new Dns(name)), NO_REQUESTER)).hasSize(1);
    }
    for (String name :
        List.of(
            "",
            ".",
            ".a",
            "a.",
            "a..b",
            "-a.test",
            "a-.test",
            "a_b.test",
            "a b.test",
            "a\0.test",
            "a.test\n",
            "bücher.test",
            "192.0.2.1",
            "a.1",
            "1",
            "a/b",
            "a:80",
            "a@b.test",
            label63 + "a.test",
            name253 + "a")) {
      assertRefused(EVERYTHING, List.of(new Dns(name)), NO_REQUESTER);
    }
  }

  @Test
  void check_wildcards_onlyLeftmostWholeLabelOverTwoLabels() throws Exception {
    assertThat(EVERYTHING.check(List.of(new Dns("*.example.test")), NO_REQUESTER)).hasSize(1);
    for (String name :
        List.of(
            "*",
            "*.",
            "*.test",
            "a.*.test",
            "*a.example.test",
            "a*.example.test",
            "*.*.test",
            "**.example.test",
            "*.example.test.",
            "*.1.2",
            "example.*")) {
      assertRefused(EVERYTHING, List.of(new Dns(name)), NO_REQUESTER);
    }
    assertRefused(HOSTS, List.of(new Dns("*.example.test")), NO_REQUESTER);
  }

  @Test
  void check_wildcardOf253Or254Characters_bothSides() throws Exception {
    String rest = String.join(".", "a".repeat(63), "a".repeat(63), "a".repeat(63), "a".repeat(59));

    assertThat(EVERYTHING.check(List.of(new Dns("*." + rest)), NO_REQUESTER)).hasSize(1);
    assertRefused(EVERYTHING, List.of(new Dns("*." + rest + "a")), NO_REQUESTER);
  }

  @Test
  void check_emails_syntaxOfMailboxes() throws Exception {
    String local64 = "a".repeat(64);
    assertThat(EVERYTHING.check(List.of(new Email(local64 + "@b.test")), NO_REQUESTER)).hasSize(1);
    for (String address :
        List.of(
            "",
            "a",
            "@b.test",
            "a@",
            "a@b@c.test",
            ".a@b.test",
            "a.@b.test",
            "a..b@c.test",
            "a b@c.test",
            "\"a\"@b.test",
            "a@[192.0.2.1]",
            "a@192.0.2.1",
            "ä@b.test",
            "a@b.test\0",
            local64 + "a@b.test",
            "a@" + "a.".repeat(200) + "test")) {
      assertRefused(EVERYTHING, List.of(new Email(address)), NO_REQUESTER);
    }
  }

  /** RFC 5321 4.5.3.1.3: 256 octets with the brackets. */
  @Test
  void check_emailOf254Or255Characters_bothSides() throws Exception {
    String domain = String.join(".", "a".repeat(63), "a".repeat(63), "a".repeat(61));
    String address = "a".repeat(64) + "@" + domain;
    assertThat(address).hasSize(254);

    assertThat(EVERYTHING.check(List.of(new Email(address)), NO_REQUESTER)).hasSize(1);
    assertRefused(EVERYTHING, List.of(new Email(address + "a")), NO_REQUESTER);
  }

  @Test
  void check_aLabels_thoseOfIdnaOnly() throws Exception {
    for (String name :
        List.of(
            "xn--bcher-kva.test", "www.XN--BCHER-KVA.test", "*.xn--bcher-kva.test", "a.xn--p1ai")) {
      assertThat(EVERYTHING.check(List.of(new Dns(name)), NO_REQUESTER)).hasSize(1);
    }
    for (String name :
        List.of(
            "xn--.test",
            "xn--a.test",
            "a.xn--ls8h",
            "a.xn--ls8h.test",
            "xn--*.example.test",
            "*.xn--abc-.test",
            "ab--cd.test",
            "a.ab--cd",
            "zz--bcher-kva.test")) {
      assertRefused(EVERYTHING, List.of(new Dns(name)), NO_REQUESTER);
    }
    assertThat(
            EVERYTHING.check(List.of(new Dns("a--b.test"), new Dns("abc--d.test")), NO_REQUESTER))
        .hasSize(2);
  }

  @Test
  void check_addresses_ofNobodyRefused() throws Exception {
    for (String address :
        List.of(
            "127.0.0.1",
            "::1",
            "169.254.1.1",
            "fe80::1",
            "10.0.0.1",
            "255.255.255.254",
            "0.0.0.1",
            "223.255.255.255",
            "240.0.0.1",
            "::2",
            "fdff::1")) {
      assertThat(EVERYTHING.check(List.of(ip(address)), NO_REQUESTER)).hasSize(1);
    }
    for (String address :
        List.of("0.0.0.0", "::", "224.0.0.1", "239.255.255.255", "ff02::1", "255.255.255.255")) {
      assertRefused(EVERYTHING, List.of(ip(address)), NO_REQUESTER);
    }
  }

  @Test
  void check_formsNobodyAllows_namedInTheRefusal() {
    String[] forms = {
      "otherName", "", "", "x400Address", "directoryName", "ediPartyName", "", "", "registeredID"
    };
    for (int tag : new int[] {0, 3, 4, 5, 8}) {
      assertThatExceptionOfType(RejectedException.class)
          .isThrownBy(
              () -> EVERYTHING.check(List.of(new GeneralName.Unsupported(tag)), NO_REQUESTER))
          .withMessageContaining(forms[tag]);
    }
  }

  @Test
  void check_uris_hostWithoutUserOrZone() throws Exception {
    for (String uri :
        List.of(
            "https://a.test",
            "https://a.test:8443/b?c#d",
            "https://192.0.2.1/",
            "https://[2001:db8::1]:1/",
            "spiffe://trust/workload",
            "mailto:a@b.test",
            "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
            "ldap://a.test/cn=a%20b")) {
      assertThat(EVERYTHING.check(List.of(new Uri(uri)), NO_REQUESTER)).as(uri).hasSize(1);
    }
    for (String uri :
        List.of(
            "https://user@a.test/",
            "https://user:secret@a.test/",
            "https://@a.test/",
            "https://",
            "https:///path",
            "https://a_b.test/",
            "https://a.test:/x%",
            "https://a.test/%zz",
            "https://-a.test/",
            "https://xn--a.test/",
            "https://256.0.2.1/",
            "https://192.0.2.01/",
            "https://192.0.2/",
            "https://192.0.2.1.5/",
            "https://[fe80::1%25eth0]/",
            "https://[::g]/",
            "https://[192.0.2.1]/",
            "https://a.test/[",
            "https://*.a.test/",
            "https://a..test/",
            "https://a.test:port/",
            "https://a.test:65536/",
            "https:a.test",
            "https:/a.test/",
            "HTTP:a.test",
            "wss:a.test",
            "spiffe:a.test")) {
      assertRefused(EVERYTHING, List.of(new Uri(uri)), NO_REQUESTER);
    }
  }

  /** RFC 3986 6.2.2.3: readers that remove them, and readers that do not, see two names. */
  @Test
  void check_urisWithDotSegments_refused() throws Exception {
    for (String uri :
        List.of(
            "spiffe://a.test/x/../y",
            "spiffe://a.test/..",
            "spiffe://a.test/./y",
            "https://a.test/x/%2e%2E/y",
            "https://a.test/.%2e?q",
            "https://a.test/x/.#f",
            "urn:../a")) {
      assertRefused(EVERYTHING, List.of(new Uri(uri)), NO_REQUESTER);
    }
    for (String uri :
        List.of(
            "https://a.test/.well-known/x",
            "https://a.test/x..y/...",
            "https://a.test/x?/../y",
            "https://a.test/#/..")) {
      assertThat(EVERYTHING.check(List.of(new Uri(uri)), NO_REQUESTER)).as(uri).hasSize(1);
    }
  }

  @Test
  void check_uris_absoluteOnly() throws Exception {
    String longest = "urn:" + "a".repeat(508);
    assertThat(
            EVERYTHING.check(List.of(new Uri(longest), new Uri("spiffe://a.test/b")), NO_REQUESTER))
        .hasSize(2);
    for (String uri :
        List.of(
            "",
            "a",
            "/a",
            "//a.test",
            ":a",
            "urn:",
            "1rn:a",
            "urn:a b",
            "urn:a\0b",
            "urn:ä",
            "urn:<a>",
            longest + "a")) {
      assertRefused(EVERYTHING, List.of(new Uri(uri)), NO_REQUESTER);
    }
  }

  @Test
  void check_commonNameAsDns_mustBeAmongTheNames() throws Exception {
    assertThat(HOSTS.check(List.of(new Dns("A.test")), commonName("a.test"))).hasSize(1);
    assertThat(HOSTS.check(List.of(ip("192.0.2.1")), commonName("192.0.2.1"))).hasSize(1);
    assertRefused(HOSTS, List.of(new Dns("a.test")), commonName("b.test"));
    assertRefused(HOSTS, List.of(ip("192.0.2.1")), commonName("192.0.2.2"));
    // U+212A, the Kelvin sign: its lower case is the letter k, and it is no letter of a host name.
    assertRefused(HOSTS, List.of(new Dns("k.test")), commonName("\u212A.test"));
  }

  @Test
  void check_commonNameAsIpv6_anyTextOfTheAddress() throws Exception {
    for (String text : List.of("2001:db8::1", "2001:DB8:0:0::1", "2001:db8:0:0:0:0:0:1")) {
      assertThat(HOSTS.check(List.of(ip("2001:db8::1")), commonName(text))).hasSize(1);
    }
    assertThat(HOSTS.check(List.of(ip("::2")), commonName("::2"))).hasSize(1);
    assertRefused(HOSTS, List.of(ip("::2")), commonName("[::2]"));
    for (String text :
        List.of("2001:db8::2", "fe80::1%1", "[2001:db8::1]", "2001:db8::1%lo", ":")) {
      assertRefused(HOSTS, List.of(ip("2001:db8::1"), ip("fe80::1")), commonName(text));
    }
  }

  @Test
  void check_commonNameAndNoNames_becomesTheDnsName() throws Exception {
    assertThat(HOSTS.check(List.of(), commonName("a.test"))).containsExactly(new Dns("a.test"));
    assertRefused(HOSTS, List.of(), commonName("Alice Example"));
    assertRefused(HOSTS, List.of(), commonName("*.example.test"));
    assertRefused(HOSTS, List.of(), commonName("192.0.2.1"));
  }

  @Test
  void check_commonNameNotAsDns_mayBeAnything() throws Exception {
    SanPolicy people = new SanPolicy(Set.of(Form.EMAIL), false, 1, false, false);

    assertThat(people.check(List.of(), commonName("Alice Example"))).isEmpty();
  }

  @Test
  void constructor_contradictions_refused() {
    Set<Form> dns = Set.of(Form.DNS);
    Set<Form> ip = Set.of(Form.IP);
    Set<Form> none = Set.of();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SanPolicy(dns, false, 101, false, false));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SanPolicy(dns, false, -1, false, false));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SanPolicy(dns, false, 0, false, false));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SanPolicy(none, true, 0, false, false));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SanPolicy(none, false, 1, false, false));
    assertThatIllegalArgumentException().isThrownBy(() -> new SanPolicy(ip, false, 1, true, false));
    assertThatIllegalArgumentException().isThrownBy(() -> new SanPolicy(ip, false, 1, false, true));
  }

  private static Ip ip(String literal) {
    return new Ip(InetAddress.ofLiteral(literal));
  }

  private static DistinguishedName commonName(String value) {
    return new DistinguishedName(List.of(new Attribute(NameAttribute.COMMON_NAME, value)));
  }

  private static void assertRefused(
      SanPolicy policy, List<GeneralName> names, DistinguishedName subject) {
    assertThatExceptionOfType(RejectedException.class)
        .as("%s of %s", names, subject)
        .isThrownBy(() -> policy.check(names, subject))
        .satisfies(
            e -> {
              assertThat(e.rejection().reason()).isEqualTo(Reason.NAME_NOT_ALLOWED);
              assertThat(e.rejection().detail()).hasSizeLessThan(200).matches("[ -~…]*");
            });
  }
}
