package org.sluiceca.core.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.sluiceca.core.x509.NameAttribute.COMMON_NAME;
import static org.sluiceca.core.x509.NameAttribute.COUNTRY;
import static org.sluiceca.core.x509.NameAttribute.LOCALITY;
import static org.sluiceca.core.x509.NameAttribute.ORGANIZATION;
import static org.sluiceca.core.x509.NameAttribute.ORGANIZATIONAL_UNIT;
import static org.sluiceca.core.x509.NameAttribute.SERIAL_NUMBER;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.NameAttribute;

class SubjectPolicyTest {

  private static final SubjectPolicy POLICY =
      new SubjectPolicy(
          Set.of(COMMON_NAME), Set.of(COUNTRY, ORGANIZATION, ORGANIZATIONAL_UNIT, SERIAL_NUMBER));
  private static final Attribute CN = new Attribute(COMMON_NAME, "a");

  @Test
  void check_requiredAndOptional_unchanged() throws Exception {
    DistinguishedName name =
        name(new Attribute(COUNTRY, "CH"), new Attribute(ORGANIZATION, "Zürich 𝄞 & Söhne"), CN);

    assertThat(POLICY.check(name)).isEqualTo(name);
  }

  @Test
  void check_requiredMissingOrForeign_refused() {
    assertRefused(name(), "lacks CN");
    assertRefused(name(new Attribute(ORGANIZATION, "a")), "lacks CN");
    assertRefused(
        name(CN, new Attribute(LOCALITY, "a")), "L (2.5.4.7) is not allowed by the profile");
  }

  @Test
  void constructor_attributeRequiredAndOptional_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SubjectPolicy(Set.of(COMMON_NAME), Set.of(COMMON_NAME)));
  }

  @Test
  void check_lengthOfEachAttribute_bothSides() throws Exception {
    for (NameAttribute type : NameAttribute.values()) {
      SubjectPolicy policy = new SubjectPolicy(Set.of(type), Set.of());
      // RFC 5321 4.5.3.1.3 allows a mailbox one character less than RFC 5280 does.
      String longest =
          type == NameAttribute.EMAIL_ADDRESS
              ? "a@" + "b".repeat(63) + (".c" + "b".repeat(60)).repeat(3) + ".de"
              : "A".repeat(type.lengthMax());

      assertThat(policy.check(name(new Attribute(type, longest))).attributes()).hasSize(1);
      String more = "A".repeat(type.lengthMax() + 1);
      assertRefused(policy, name(new Attribute(type, more)), "characters");
      assertRefused(policy, name(new Attribute(type, "")), "characters");
    }
  }

  @Test
  void check_domainComponent_oneLabelOfAHostName() throws Exception {
    SubjectPolicy policy = new SubjectPolicy(Set.of(NameAttribute.DOMAIN_COMPONENT), Set.of());

    assertThat(
            policy.check(
                name(
                    new Attribute(NameAttribute.DOMAIN_COMPONENT, "test"),
                    new Attribute(NameAttribute.DOMAIN_COMPONENT, "example"))))
        .hasToString("DC=test, DC=example");
    for (String bad : new String[] {"a.test", "-a", "a b", "a_b"}) {
      assertRefused(policy, name(new Attribute(NameAttribute.DOMAIN_COMPONENT, bad)), "one label");
    }
  }

  @Test
  void check_emailAddress_aMailboxInAscii() throws Exception {
    SubjectPolicy policy = new SubjectPolicy(Set.of(NameAttribute.EMAIL_ADDRESS), Set.of());

    assertThat(policy.check(name(new Attribute(NameAttribute.EMAIL_ADDRESS, "a@b.test"))))
        .hasToString("emailAddress=a@b.test");
    for (String bad : new String[] {"a", "@b.test", "a@", "a b@c.test", "a@b..test"}) {
      assertRefused(
          policy, name(new Attribute(NameAttribute.EMAIL_ADDRESS, bad)), "not an e-mail address");
    }
    assertRefused(
        policy, name(new Attribute(NameAttribute.EMAIL_ADDRESS, "\u00fc@b.test")), "IA5String");
  }

  @Test
  void check_dnQualifierBeyondPrintableString_refused() {
    SubjectPolicy policy = new SubjectPolicy(Set.of(NameAttribute.DN_QUALIFIER), Set.of());

    assertRefused(
        policy, name(new Attribute(NameAttribute.DN_QUALIFIER, "a_b")), "PrintableString");
  }

  @Test
  void check_lengthBeyondTheBasicPlane_countsCharactersNotChars() throws Exception {
    assertThat(POLICY.check(name(new Attribute(COMMON_NAME, "𝄞".repeat(64)))).isEmpty()).isFalse();
    assertRefused(name(new Attribute(COMMON_NAME, "𝄞".repeat(65))), "65 characters");
  }

  @Test
  void check_controlFormatOrPrivateCharacters_refused() {
    for (String value :
        new String[] {
          "a\0b",
          "host.example.test\0.evil.test",
          "a\nb",
          "a\tb",
          "a\u007f",
          "a\u0085b",
          "a\u202eb",
          "a\u200bb",
          "a\u2028b",
          "\ufeffa",
          "a\ud800",
          "a\ue000",
          "a\ufffe",
          "a\u0378",
          " a",
          "a ",
          "\u2003a",
          "a\u00a0b",
          "a\u3000b",
          "a\u034fb",
          "a\u115fb",
          "a\u1160b",
          "a\u17b4b",
          "a\u17b5b",
          "a\u180bb",
          "a\u180fb",
          "a\u3164b",
          "a\ufe00b",
          "a\ufe0fb",
          "a\uffa0b",
          "a\udb40\udd00b",
          "a\u061cb",
          "a\u2066b",
          " "
        }) {
      assertRefused(name(new Attribute(COMMON_NAME, value)), "control character");
    }
  }

  /** The neighbours of the invisible: ordinary characters. */
  @Test
  void check_charactersBesideTheInvisible_taken() throws Exception {
    for (int c :
        new int[] {
          ' ', 0xA1, 0x34E, 0x350, 0x115E, 0x1161, 0x17B3, 0x17B6, 0x180A, 0x1810, 0x3163, 0x3165,
          0xFDFF, 0xFE10, 0xFF9F, 0xFFC2
        }) {
      String value = "a" + Character.toString(c) + "b";
      assertThat(POLICY.check(name(new Attribute(COMMON_NAME, value))).attributes())
          .as("%x", c)
          .hasSize(1);
    }
  }

  @Test
  void check_country_twoCapitalLettersOnly() throws Exception {
    for (String value : new String[] {"CH", "AZ"}) {
      assertThat(POLICY.check(name(new Attribute(COUNTRY, value), CN)).isEmpty()).isFalse();
    }
    for (String value : new String[] {"ch", "C", "C1", "C-"}) {
      assertRefused(name(new Attribute(COUNTRY, value), CN), "two capital letters");
    }
    for (String value : new String[] {"ÄÖ", "ＣＨ", "A[", "@Z"}) {
      assertRefused(name(new Attribute(COUNTRY, value), CN), "outside PrintableString");
    }
  }

  @Test
  void check_serialNumber_printableStringOnly() throws Exception {
    assertThat(POLICY.check(name(new Attribute(SERIAL_NUMBER, "AZ-az09 '()+,./:=?"), CN)).isEmpty())
        .isFalse();
    for (String value : new String[] {"a@b", "a_b", "a*b", "ä", "a\"b", "[", "`", "{", ";"}) {
      assertRefused(name(new Attribute(SERIAL_NUMBER, value), CN), "PrintableString");
    }
  }

  @Test
  void check_singleValuedAttributesTwice_refused() {
    assertRefused(name(CN, CN), "more than one CN");
    assertRefused(name(CN, new Attribute(COUNTRY, "CH"), new Attribute(COUNTRY, "DE")), "one C");
    assertRefused(
        name(CN, new Attribute(SERIAL_NUMBER, "1"), new Attribute(SERIAL_NUMBER, "2")),
        "more than one serialNumber");
  }

  @Test
  void check_sixteenOrSeventeenAttributes_bothSides() throws Exception {
    Attribute[] attributes = new Attribute[16];
    Arrays.fill(attributes, new Attribute(ORGANIZATIONAL_UNIT, "a"));
    attributes[0] = CN;

    assertThat(POLICY.check(name(attributes)).attributes()).hasSize(16);
    Attribute[] more = Arrays.copyOf(attributes, 17);
    more[16] = attributes[15];
    assertRefused(name(more), "17 attributes");
  }

  private static DistinguishedName name(Attribute... attributes) {
    return new DistinguishedName(List.of(attributes));
  }

  private static void assertRefused(DistinguishedName name, String detail) {
    assertRefused(POLICY, name, detail);
  }

  private static void assertRefused(SubjectPolicy policy, DistinguishedName name, String detail) {
    assertThatExceptionOfType(RejectedException.class)
        .as(() -> name.toString())
        .isThrownBy(() -> policy.check(name))
        .satisfies(
            e -> {
              assertThat(e.rejection().reason()).isEqualTo(Reason.NAME_NOT_ALLOWED);
              assertThat(e.rejection().detail()).contains(detail).matches("[ -~]*");
            });
  }
}
