package org.sluiceca.core.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.naming.NamePattern;
import org.sluiceca.core.naming.NameTemplate;
import org.sluiceca.core.naming.RequestFacts;
import org.sluiceca.core.profile.NameRules.Added;
import org.sluiceca.core.profile.SanPolicy.Form;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.NameConstraints;
import org.sluiceca.core.x509.NameSubtree;

/** Name spaces, patterns, counts, schemes and names of the profile's own. */
class NameRulesTest {

  private static final NameConstraints SPACE =
      new NameConstraints(
          List.of(new NameSubtree.Dns("a.test")), List.of(new NameSubtree.Dns("x.a.test")));

  @Test
  void space_namesOutside_refused() throws Exception {
    SanPolicy policy = policy(rules(SPACE, List.of(), true));

    assertThat(certified(policy, "", dns("a.test"), dns("b.a.test"))).hasSize(2);
    assertRefused(policy, dns("a.test"), dns("b.test"));
    assertRefused(policy, dns("x.a.test"));
    assertRefused(policy, dns("*.a.test"));
    assertThat(certified(policy, "", uri("urn:a:b"))).hasSize(1);
  }

  @Test
  void space_commonNameThatBecomesADnsName_isHeldToIt() throws Exception {
    SanPolicy policy =
        new SanPolicy(Set.of(Form.DNS), false, 9, false, true, rules(SPACE, List.of(), true));

    assertThat(certified(policy, "b.a.test")).containsExactly(dns("b.a.test"));
    assertRefused(policy, "b.test");
  }

  /** RFC 5280 4.2.1.10: an emailAddress in the subject is a mailbox like any other. */
  @Test
  void space_emailAddressInTheSubject_heldToIt() throws Exception {
    NameConstraints mail =
        new NameConstraints(List.of(new NameSubtree.Email("example.test")), List.of());
    SanPolicy policy = policy(rules(mail, List.of(), true));

    assertThat(policy.check(List.of(dns("a.test")), mailbox("a@example.test"))).hasSize(1);
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> policy.check(List.of(dns("a.test")), mailbox("ceo@evil.test")));
  }

  private static DistinguishedName mailbox(String address) {
    return new DistinguishedName(List.of(new Attribute(NameAttribute.EMAIL_ADDRESS, address)));
  }

  @Test
  void pattern_ofAForm_heldAgainstEachNameOfItInLowerCase() throws Exception {
    NameRules rules =
        new NameRules(
            NameConstraints.NONE,
            Map.of(Form.DNS, NamePattern.of("[a-z]\\.test"), Form.URI, NamePattern.of("urn:.*")),
            Map.of(),
            Set.of(),
            List.of(),
            true);

    assertThat(certified(policy(rules), "", dns("A.test"), uri("urn:x"))).hasSize(2);
    assertRefused(policy(rules), dns("a.test"), dns("bb.test"));
    assertRefused(policy(rules), uri("URN:x"));
    assertThat(certified(policy(rules), "", new GeneralName.Email("any@b.test"))).hasSize(1);
  }

  @Test
  void counts_ofAForm_bothSides() throws Exception {
    NameRules rules =
        new NameRules(
            NameConstraints.NONE, Map.of(), Map.of(Form.DNS, 2), Set.of(), List.of(), true);

    assertThat(certified(policy(rules), "", dns("a.test"), dns("b.test"), uri("urn:x"))).hasSize(3);
    assertRefused(policy(rules), dns("a.test"), dns("b.test"), dns("c.test"));
  }

  @Test
  void schemes_others_refused() throws Exception {
    NameRules rules =
        new NameRules(NameConstraints.NONE, Map.of(), Map.of(), Set.of("https"), List.of(), true);

    assertThat(certified(policy(rules), "", uri("HTTPS://a.test/"))).hasSize(1);
    assertRefused(policy(rules), uri("http://a.test/"));
    assertRefused(policy(rules), uri("httpsx://a.test/"));
  }

  @Test
  void added_besideTheRequested_eachOnce() throws Exception {
    SanPolicy policy =
        policy(
            rules(
                NameConstraints.NONE, List.of(added(Form.DNS, "${csr.commonName}.a.test")), true));

    assertThat(certified(policy, "web", dns("b.test")))
        .containsExactly(dns("b.test"), dns("web.a.test"));
    assertThat(certified(policy, "web", dns("WEB.a.test"), dns("b.test")))
        .containsExactly(dns("b.test"), dns("web.a.test"));
    assertThat(certified(policy, "web")).containsExactly(dns("web.a.test"));
    assertRefused(policy, dns("b.test"));
  }

  @Test
  void added_besideTheCommonNameAsDns_both() throws Exception {
    NameRules rules = rules(NameConstraints.NONE, List.of(added(Form.DNS, "x.test")), true);
    SanPolicy policy = new SanPolicy(Set.of(Form.DNS), false, 9, false, true, rules);

    assertThat(certified(policy, "a.test")).containsExactly(dns("a.test"), dns("x.test"));
  }

  @Test
  void added_uriThatIsRequestedToo_once() throws Exception {
    SanPolicy policy =
        policy(rules(NameConstraints.NONE, List.of(added(Form.URI, "urn:a:b")), true));

    assertThat(certified(policy, "", uri("urn:a:b"), uri("urn:a:c")))
        .containsExactlyInAnyOrder(uri("urn:a:b"), uri("urn:a:c"));
  }

  @Test
  void construct_schemesWhereOnlyUrisAreAllowed_made() {
    NameRules https =
        new NameRules(NameConstraints.NONE, Map.of(), Map.of(), Set.of("https"), List.of(), true);

    assertThat(new SanPolicy(Set.of(Form.URI), false, 1, false, false, https).forms())
        .containsExactly(Form.URI);
  }

  @Test
  void added_isHeldToSyntaxAndSpace() {
    SanPolicy policy = policy(rules(SPACE, List.of(added(Form.DNS, "${csr.commonName}")), true));

    assertRefused(policy, "b.test");
    assertRefused(policy, "no name");
    assertRefused(policy, "*.a.test");
  }

  @Test
  void added_everyForm() throws Exception {
    SanPolicy policy =
        policy(
            rules(
                NameConstraints.NONE,
                List.of(
                    added(Form.IP, "${csr.commonName}"),
                    added(Form.EMAIL, "${requester.id}@a.test"),
                    added(Form.URI, "spiffe://a.test/${requester.id}")),
                true));

    assertThat(certified(policy, "192.0.2.1"))
        .containsExactly(
            new GeneralName.Ip(InetAddress.ofLiteral("192.0.2.1")),
            new GeneralName.Email("alice@a.test"),
            uri("spiffe://a.test/alice"));
    assertRefused(policy, "192.0.2");
    assertRefused(policy, "host");
  }

  @Test
  void fromRequest_false_onlyTheProfilesNames() throws Exception {
    SanPolicy policy =
        policy(rules(NameConstraints.NONE, List.of(added(Form.DNS, "${csr.commonName}")), false));

    assertThat(certified(policy, "a.test")).containsExactly(dns("a.test"));
    assertThat(certified(policy, "a.test", dns("A.test"))).containsExactly(dns("a.test"));
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> certified(policy, "a.test", dns("b.test")));
  }

  @Test
  void countMax_countsTheAddedNamesToo() throws Exception {
    NameRules rules = rules(NameConstraints.NONE, List.of(added(Form.DNS, "a.test")), true);
    SanPolicy policy = new SanPolicy(Set.of(Form.DNS), false, 2, false, false, rules);

    assertThat(certified(policy, "", dns("b.test"))).hasSize(2);
    assertRefused(policy, dns("b.test"), dns("c.test"));
  }

  @Test
  void construct_contradictions_refused() {
    NameConstraints none = NameConstraints.NONE;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new NameRules(none, Map.of(), Map.of(), Set.of(), List.of(), false));
    for (int count : new int[] {0, 101}) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  new NameRules(
                      none, Map.of(), Map.of(Form.DNS, count), Set.of(), List.of(), true));
    }
    assertThat(
            new NameRules(none, Map.of(), Map.of(Form.DNS, 100), Set.of(), List.of(), true)
                .counts())
        .containsEntry(Form.DNS, 100);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new NameRules(none, Map.of(), Map.of(), Set.of("HTTPS"), List.of(), true));
    for (NameRules rules :
        List.of(
            new NameRules(
                none, Map.of(Form.IP, NamePattern.of("x")), Map.of(), Set.of(), List.of(), true),
            new NameRules(none, Map.of(), Map.of(Form.IP, 1), Set.of(), List.of(), true),
            new NameRules(none, Map.of(), Map.of(), Set.of("https"), List.of(), true),
            rules(none, List.of(added(Form.EMAIL, "a@a.test")), true),
            rules(none, List.of(added(Form.DNS, "a.test"), added(Form.DNS, "b.test")), true))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new SanPolicy(Set.of(Form.DNS), false, 1, false, false, rules));
    }
  }

  private static SanPolicy policy(NameRules rules) {
    return new SanPolicy(EnumSet.allOf(Form.class), false, 9, true, false, rules);
  }

  private static NameRules rules(NameConstraints space, List<Added> added, boolean fromRequest) {
    return new NameRules(space, Map.of(), Map.of(), Set.of(), added, fromRequest);
  }

  private static Added added(Form form, String template) {
    return new Added(form, NameTemplate.of(template));
  }

  private static List<GeneralName> certified(
      SanPolicy policy, String commonName, GeneralName... requested) throws RejectedException {
    DistinguishedName subject =
        commonName.isEmpty()
            ? DistinguishedName.EMPTY
            : new DistinguishedName(List.of(new Attribute(NameAttribute.COMMON_NAME, commonName)));
    RequestFacts facts =
        new RequestFacts(
            new RequesterId("alice"), new ProfileName("tls"), subject, List.of(requested));
    return policy.certify(List.of(requested), subject, facts);
  }

  private static void assertRefused(SanPolicy policy, GeneralName... requested) {
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> certified(policy, "", requested))
        .satisfies(e -> assertThat(e.rejection().reason()).isEqualTo(Reason.NAME_NOT_ALLOWED));
  }

  private static void assertRefused(SanPolicy policy, String commonName) {
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> certified(policy, commonName));
  }

  private static GeneralName dns(String name) {
    return new GeneralName.Dns(name);
  }

  private static GeneralName uri(String uri) {
    return new GeneralName.Uri(uri);
  }
}
