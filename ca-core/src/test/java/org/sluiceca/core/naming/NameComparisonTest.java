package org.sluiceca.core.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.der.NameForm;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.GeneralName.Dns;
import org.sluiceca.core.x509.GeneralName.Email;
import org.sluiceca.core.x509.GeneralName.Ip;
import org.sluiceca.core.x509.GeneralName.Uri;
import org.sluiceca.core.x509.NameAttribute;

/** Each kind of name has one form in which it is compared. */
class NameComparisonTest {

  @Test
  void key_sameNameInAnotherForm_equal() {
    assertSame(new Dns("a.test"), new Dns("A.Test"));
    assertSame(new Email("a@b.test"), new Email("a@B.TEST"));
    assertSame(new Ip(InetAddress.ofLiteral("2001:db8::1")), ip("2001:DB8:0:0::0:1"));
    assertSame(new Uri("HTTPS://Host.test:443/A?b#c"), new Uri("https://host.TEST:443/A?b#c"));
    assertSame(new Uri("URN:a:b"), new Uri("urn:a:b"));
  }

  @Test
  void key_anotherName_differs() {
    assertOther(new Dns("a.test"), new Dns("b.test"));
    assertOther(new Dns("a@b.test"), new Email("a@b.test"));
    assertOther(new Email("A@b.test"), new Email("a@b.test"));
    assertOther(ip("192.0.2.1"), ip("192.0.2.2"));
    assertOther(new Uri("https://a.test/b"), new Uri("https://a.test/B"));
    assertOther(new Uri("https://a.test?b"), new Uri("https://a.test?B"));
    assertOther(new Uri("https://a.test#b"), new Uri("https://a.test#B"));
    assertOther(new Uri("urn:a:b"), new Uri("urn:a:B"));
    assertOther(new GeneralName.Unsupported(0), new GeneralName.Unsupported(4));
  }

  @Test
  void distinct_firstSpellingInOrder() {
    assertThat(
            NameComparison.distinct(
                List.of(new Dns("B.test"), new Dns("a.test"), new Dns("b.test"))))
        .containsExactly(new Dns("B.test"), new Dns("a.test"));
  }

  @Test
  void areSame_anyOrderAndNumber_butNoNameMoreOrLess() {
    List<GeneralName> some = List.of(new Dns("a.test"), new Dns("b.test"));

    assertThat(
            NameComparison.areSame(
                some, List.of(new Dns("B.test"), new Dns("A.test"), new Dns("a.test"))))
        .isTrue();
    assertThat(NameComparison.areSame(some, List.of(new Dns("a.test")))).isFalse();
    assertThat(NameComparison.areSame(List.of(new Dns("a.test")), some)).isFalse();
  }

  @Test
  void beginsWith_attributesInOrder() {
    DistinguishedName base = name("O", "Example  AG");

    assertThat(NameComparison.beginsWith(name("O", " example ag", "CN", "x"), base)).isTrue();
    assertThat(NameComparison.beginsWith(name("CN", "x", "O", "Example AG"), base)).isFalse();
    assertThat(NameComparison.beginsWith(name("O", "Example"), base)).isFalse();
    assertThat(NameComparison.beginsWith(DistinguishedName.EMPTY, base)).isFalse();
  }

  /** Normalizing 16,000 combining characters in reverse order took quadratic time. */
  @Test
  @Timeout(5)
  void nameForm_longRunOfCombiningCharacters_boundedTime() {
    String marks = "\u0315\u0300".repeat(8_000);

    assertThat(NameForm.folded(marks)).isEqualTo(marks);
    assertThatCode(
            () -> {
              for (int i = 0; i < 20; i++) {
                NameForm.of(NameCodec.write(name("CN", "a" + marks)));
              }
            })
        .doesNotThrowAnyException();
  }

  private static void assertSame(GeneralName one, GeneralName other) {
    assertThat(NameComparison.key(one)).isEqualTo(NameComparison.key(other));
  }

  private static void assertOther(GeneralName one, GeneralName other) {
    assertThat(NameComparison.key(one)).isNotEqualTo(NameComparison.key(other));
  }

  private static Ip ip(String literal) {
    return new Ip(InetAddress.ofLiteral(literal));
  }

  private static DistinguishedName name(String... pairs) {
    List<Attribute> attributes = new java.util.ArrayList<>();
    for (int i = 0; i < pairs.length; i += 2) {
      attributes.add(new Attribute(NameAttribute.named(pairs[i]).orElseThrow(), pairs[i + 1]));
    }
    return new DistinguishedName(attributes);
  }
}
