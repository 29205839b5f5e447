package org.sluiceca.core.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.NameAttribute;

class NameTemplateTest {

  private static final RequestFacts FACTS =
      facts(
          new DistinguishedName(
              List.of(
                  new Attribute(NameAttribute.COUNTRY, "CH"),
                  new Attribute(NameAttribute.STATE_OR_PROVINCE, "Bern"),
                  new Attribute(NameAttribute.LOCALITY, "Thun"),
                  new Attribute(NameAttribute.ORGANIZATION, "Example"),
                  new Attribute(NameAttribute.ORGANIZATIONAL_UNIT, "Ops"),
                  new Attribute(NameAttribute.ORGANIZATIONAL_UNIT, "Night"),
                  new Attribute(NameAttribute.SERIAL_NUMBER, "42"),
                  new Attribute(NameAttribute.COMMON_NAME, "web-1"))),
          new GeneralName.Dns("a.test"),
          new GeneralName.Ip(InetAddress.ofLiteral("192.0.2.1")),
          new GeneralName.Dns("b.test"),
          new GeneralName.Unsupported(0),
          new GeneralName.Email("m@a.test"),
          new GeneralName.Uri("urn:x:1"));

  @ParameterizedTest
  @CsvSource({
    "plain text, plain text",
    "${csr.commonName}, web-1",
    "${csr.serialNumber}, 42",
    "${csr.country}, CH",
    "${csr.stateOrProvince}, Bern",
    "${csr.locality}, Thun",
    "${csr.organization}, Example",
    "${csr.organizationalUnit}, Ops",
    "${requester.id}, alice",
    "${profile.name}, tls",
    "${san.dns[0]}, a.test",
    "${san.dns[1]}, b.test",
    "${san.ip[0]}, 192.0.2.1",
    "${san.email[0]}, m@a.test",
    "${san.uri[0]}, urn:x:1",
    "<${requester.id}|${csr.commonName}>, <alice|web-1>",
    "$ {} $5, $ {} $5",
  })
  void expand_eachVariable_itsValue(String template, String expected) throws Exception {
    assertThat(NameTemplate.of(template).expand(FACTS)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "${csr.shoe}",
        "${csr.CommonName}",
        "${san.dns}",
        "${san.dns[]}",
        "${san.dns[-1]}",
        "${san.dns[100]}",
        "${san.dns[01]}",
        "${san.x400[0]}",
        "${env.HOME}",
        "${}",
        "${requester}",
        "${requester.id",
        "${ requester.id}",
        "a${${requester.id}}"
      })
  void of_unknownVariable_refusedAtStart(String template) {
    assertThatIllegalArgumentException().isThrownBy(() -> NameTemplate.of(template));
  }

  @Test
  void of_lengths_bothSides() {
    assertThatIllegalArgumentException().isThrownBy(() -> NameTemplate.of(""));
    assertThat(NameTemplate.of("a".repeat(512)).constant()).contains("a".repeat(512));
    assertThatIllegalArgumentException().isThrownBy(() -> NameTemplate.of("a".repeat(513)));
  }

  @Test
  void constant_onlyWithoutVariables() {
    assertThat(NameTemplate.of("x").constant()).contains("x");
    assertThat(NameTemplate.of("${requester.id}").constant()).isEmpty();
    assertThat(NameTemplate.of("x${requester.id}").constant()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"${csr.commonName}", "${san.dns[0]}", "${san.dns[2]}", "x${san.ip[0]}"})
  void expand_variableThatTheRequestLacks_refused(String template) {
    RequestFacts facts = facts(DistinguishedName.EMPTY);

    assertRefused(() -> NameTemplate.of(template).expand(facts));
    assertRefused(() -> NameTemplate.of(template).expandName(facts));
  }

  /** What a requester could move a name to another host, mailbox or path with. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.test/",
        "evil.test#",
        "evil.test?",
        "u@evil.test",
        "a:b",
        "a b",
        "..",
        "a..b",
        ".",
        "%2e",
        "é",
        "a\\b",
        "*",
        "a\0b",
        "a,b",
        "a\nb"
      })
  void expandName_separatorBesideOtherText_refused(String commonName) {
    RequestFacts facts = named(commonName);

    for (String template :
        List.of(
            "https://${csr.commonName}.example.com/",
            "spiffe://example.com/${csr.commonName}",
            "${csr.commonName}@example.com",
            "${csr.commonName}.example.com",
            "${requester.id}${csr.commonName}")) {
      assertRefused(() -> NameTemplate.of(template).expandName(facts));
    }
  }

  @Test
  void expandName_lettersDigitsAndTheThreeMarks_taken() throws Exception {
    assertThat(
            NameTemplate.of("spiffe://example.com/${csr.commonName}")
                .expandName(named("aZ09.b_c-d")))
        .isEqualTo("spiffe://example.com/aZ09.b_c-d");
  }

  @Test
  void expandName_variableAlone_takenWhole() throws Exception {
    assertThat(NameTemplate.of("${csr.commonName}").expandName(named("u@a.test")))
        .isEqualTo("u@a.test");
  }

  private static RequestFacts named(String commonName) {
    return facts(
        new DistinguishedName(List.of(new Attribute(NameAttribute.COMMON_NAME, commonName))));
  }

  private static RequestFacts facts(DistinguishedName subject, GeneralName... names) {
    return new RequestFacts(
        new RequesterId("alice"), new ProfileName("tls"), subject, List.of(names));
  }

  private interface Expansion {
    String run() throws RejectedException;
  }

  private static void assertRefused(Expansion expansion) {
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(expansion::run)
        .satisfies(e -> assertThat(e.rejection().reason()).isEqualTo(Reason.NAME_NOT_ALLOWED));
  }
}
