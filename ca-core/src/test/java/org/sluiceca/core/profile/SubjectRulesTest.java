package org.sluiceca.core.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.sluiceca.core.x509.NameAttribute.COMMON_NAME;
import static org.sluiceca.core.x509.NameAttribute.COUNTRY;
import static org.sluiceca.core.x509.NameAttribute.LOCALITY;
import static org.sluiceca.core.x509.NameAttribute.ORGANIZATION;
import static org.sluiceca.core.x509.NameAttribute.ORGANIZATIONAL_UNIT;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.naming.NamePattern;
import org.sluiceca.core.naming.NameTemplate;
import org.sluiceca.core.naming.RequestFacts;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.NameAttribute;

/** What a profile says of single subject attributes. */
class SubjectRulesTest {

  @Test
  void certify_fixedValue_isAddedAtItsPlace() throws Exception {
    SubjectPolicy policy = fixed(ORGANIZATION, "Example AG", false);

    assertThat(certified(policy, attribute(COMMON_NAME, "a"))).hasToString("O=Example AG, CN=a");
    assertThat(certified(policy, attribute(COUNTRY, "CH"), attribute(COMMON_NAME, "a")))
        .hasToString("C=CH, O=Example AG, CN=a");
    assertThat(certified(policy, attribute(COMMON_NAME, "a"), attribute(COUNTRY, "CH")))
        .hasToString("O=Example AG, CN=a, C=CH");
    assertThat(certified(policy)).hasToString("O=Example AG");
  }

  @Test
  void certify_fixedValueAskedFor_staysWhereItIs() throws Exception {
    SubjectPolicy policy = fixed(ORGANIZATION, "Example AG", false);

    assertThat(
            certified(policy, attribute(COMMON_NAME, "a"), attribute(ORGANIZATION, "Example AG")))
        .hasToString("CN=a, O=Example AG");
  }

  @Test
  void certify_anotherValueAskedFor_refusedOrReplacedAndReported() throws Exception {
    Attribute other = attribute(ORGANIZATION, "Evil AG");

    assertRefused(fixed(ORGANIZATION, "Example AG", false), other);
    assertRefused(fixed(ORGANIZATION, "Example AG", false), attribute(ORGANIZATION, "example ag"));
    SubjectPolicy.Certified replaced =
        fixed(ORGANIZATION, "Example AG", true)
            .certify(name(other, attribute(COMMON_NAME, "a"), other), facts(name(other)));
    assertThat(replaced.subject()).hasToString("O=Example AG, CN=a");
    assertThat(replaced.replaced()).containsExactly(ORGANIZATION);
    assertThat(
            fixed(ORGANIZATION, "Example AG", true)
                .certify(name(attribute(ORGANIZATION, "Example AG")), facts(name()))
                .replaced())
        .isEmpty();
  }

  @Test
  void certify_twiceTheFixedValue_refused() {
    Attribute unit = attribute(ORGANIZATIONAL_UNIT, "Ops");

    assertRefused(fixed(ORGANIZATIONAL_UNIT, "Ops", false), unit, unit);
  }

  @Test
  void certify_template_filledFromTheRequest() throws Exception {
    SubjectPolicy policy =
        fixed(ORGANIZATIONAL_UNIT, "of ${requester.id}, ${csr.commonName}", false);

    assertThat(certified(policy, attribute(COMMON_NAME, "a"))).hasToString("OU=of alice, a, CN=a");
    assertRefused(policy);
  }

  @Test
  void certify_templateWhoseResultIsTooLong_refused() throws Exception {
    SubjectPolicy policy = fixed(ORGANIZATIONAL_UNIT, "of ${csr.commonName}", false);

    assertThat(certified(policy, attribute(COMMON_NAME, "a".repeat(61))).attributes()).hasSize(2);
    assertRefused(policy, attribute(COMMON_NAME, "a".repeat(62)));
    assertRefused(policy, attribute(COMMON_NAME, "a\u200bb"));
  }

  @Test
  void certify_default_onlyFillsAGap() throws Exception {
    SubjectPolicy policy =
        policy(Map.of(LOCALITY, AttributeRule.byDefault(NameTemplate.of("Bern"))));

    assertThat(certified(policy, attribute(COMMON_NAME, "a"))).hasToString("L=Bern, CN=a");
    assertThat(certified(policy, attribute(LOCALITY, "Thun"), attribute(COMMON_NAME, "a")))
        .hasToString("L=Thun, CN=a");
  }

  @Test
  void certify_pattern_heldAgainstEveryValueAndTheWholeOfIt() throws Exception {
    SubjectPolicy policy =
        policy(Map.of(ORGANIZATIONAL_UNIT, AttributeRule.matching(NamePattern.of("[a-z]{2,4}"))));

    assertThat(certified(policy, attribute(COMMON_NAME, "a"))).hasToString("CN=a");
    assertThat(certified(policy, attribute(ORGANIZATIONAL_UNIT, "ops"))).hasToString("OU=ops");
    for (String value : List.of("o", "opsss", "Ops", "ops1", "ops\u00e9")) {
      assertRefused(policy, attribute(ORGANIZATIONAL_UNIT, value));
    }
    assertRefused(
        policy, attribute(ORGANIZATIONAL_UNIT, "ops"), attribute(ORGANIZATIONAL_UNIT, "X"));
  }

  @Test
  void certify_patternOnATemplatesResult_held() throws Exception {
    AttributeRule rule =
        new AttributeRule(
            Optional.of(NameTemplate.of("u-${csr.commonName}")),
            false,
            Optional.empty(),
            Optional.of(NamePattern.of("u-[0-9]+")));
    SubjectPolicy policy = policy(Map.of(ORGANIZATIONAL_UNIT, rule));

    assertThat(certified(policy, attribute(COMMON_NAME, "7"))).hasToString("OU=u-7, CN=7");
    assertRefused(policy, attribute(COMMON_NAME, "x"));
  }

  @Test
  void check_ofTheResult_demandsTheFixedValue() {
    SubjectPolicy policy = fixed(ORGANIZATION, "Example AG", true);

    assertCheckRefused(policy, attribute(COMMON_NAME, "a"));
    assertCheckRefused(policy, attribute(ORGANIZATION, "Evil AG"));
    Attribute right = attribute(ORGANIZATION, "Example AG");
    assertCheckRefused(policy, right, right);
  }

  @Test
  void construct_contradictions_refused() {
    AttributeRule fixed = AttributeRule.fixed(NameTemplate.of("x"), false);
    AttributeRule byDefault = AttributeRule.byDefault(NameTemplate.of("x"));
    AttributeRule pattern = AttributeRule.matching(NamePattern.of("x"));
    assertNotMade(Set.of(LOCALITY), Set.of(), Map.of(LOCALITY, fixed));
    assertNotMade(Set.of(), Set.of(LOCALITY), Map.of(LOCALITY, fixed));
    assertNotMade(Set.of(LOCALITY), Set.of(), Map.of(LOCALITY, byDefault));
    assertNotMade(Set.of(), Set.of(), Map.of(LOCALITY, byDefault));
    assertNotMade(Set.of(), Set.of(), Map.of(LOCALITY, pattern));
    // Constants are judged at start: too long, no country, not of its own pattern.
    assertNotMade(
        Set.of(), Set.of(), Map.of(COUNTRY, AttributeRule.fixed(NameTemplate.of("ch"), false)));
    assertNotMade(
        Set.of(),
        Set.of(),
        Map.of(ORGANIZATION, AttributeRule.fixed(NameTemplate.of("x".repeat(65)), false)));
    assertNotMade(
        Set.of(),
        Set.of(LOCALITY),
        Map.of(
            LOCALITY,
            new AttributeRule(
                Optional.empty(),
                false,
                Optional.of(NameTemplate.of("Bern")),
                Optional.of(NamePattern.of("[A-Z]+")))));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new AttributeRule(
                    Optional.of(NameTemplate.of("x")),
                    false,
                    Optional.of(NameTemplate.of("y")),
                    Optional.empty()));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new AttributeRule(
                    Optional.empty(), true, Optional.of(NameTemplate.of("y")), Optional.empty()));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new AttributeRule(Optional.empty(), false, Optional.empty(), Optional.empty()));
  }

  private static void assertNotMade(
      Set<NameAttribute> required,
      Set<NameAttribute> optional,
      Map<NameAttribute, AttributeRule> rules) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SubjectPolicy(required, optional, rules));
  }

  private static SubjectPolicy fixed(NameAttribute type, String value, boolean replaces) {
    return policy(Map.of(type, AttributeRule.fixed(NameTemplate.of(value), replaces)));
  }

  private static SubjectPolicy policy(Map<NameAttribute, AttributeRule> rules) {
    Set<NameAttribute> optional =
        new java.util.HashSet<>(
            Set.of(COMMON_NAME, COUNTRY, LOCALITY, ORGANIZATION, ORGANIZATIONAL_UNIT));
    rules.forEach(
        (type, rule) -> {
          if (rule.value().isPresent()) {
            optional.remove(type);
          }
        });
    return new SubjectPolicy(Set.of(), optional, rules);
  }

  private static DistinguishedName certified(SubjectPolicy policy, Attribute... attributes)
      throws RejectedException {
    return policy.certify(name(attributes), facts(name(attributes))).subject();
  }

  private static void assertRefused(SubjectPolicy policy, Attribute... attributes) {
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> certified(policy, attributes))
        .satisfies(e -> assertThat(e.rejection().reason()).isEqualTo(Reason.NAME_NOT_ALLOWED));
  }

  private static void assertCheckRefused(SubjectPolicy policy, Attribute... attributes) {
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> policy.check(name(attributes)));
  }

  private static Attribute attribute(NameAttribute type, String value) {
    return new Attribute(type, value);
  }

  private static DistinguishedName name(Attribute... attributes) {
    return new DistinguishedName(new ArrayList<>(List.of(attributes)));
  }

  private static RequestFacts facts(DistinguishedName subject) {
    return new RequestFacts(new RequesterId("alice"), new ProfileName("tls"), subject, List.of());
  }
}
