package org.sluiceca.core.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.der.NameConstraintValidation;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.IpLiteral;
import org.sluiceca.core.x509.IpRange;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.NameConstraints;
import org.sluiceca.core.x509.NameSubtree;

/** RFC 5280 4.2.1.10, form by form; then our matcher and the library's side by side. */
class NameSpacesTest {

  @ParameterizedTest
  @CsvSource({
    "dns:example.com, dns:example.com, true",
    "dns:example.com, dns:EXAMPLE.com, true",
    "dns:Example.COM, dns:a.example.com, true",
    "dns:example.com, dns:a.b.example.com, true",
    "dns:example.com, dns:*.example.com, true",
    "dns:example.com, dns:aexample.com, false",
    "dns:example.com, dns:example.com.evil.test, false",
    "dns:example.com, dns:com, false",
    "dns:example.com, dns:*.com, false",
    "dns:.example.com, dns:a.example.com, true",
    "dns:.example.com, dns:example.com, false",
    "dns:.example.com, dns:.example.com, false",
    "dns:, dns:anything.test, true",
    "ip:10.0.0.0/8, ip:10.255.0.1, true",
    "ip:10.0.0.0/8, ip:11.0.0.0, false",
    "ip:10.0.0.0/8, ip:9.255.255.255, false",
    "ip:192.0.2.128/25, ip:192.0.2.128, true",
    "ip:192.0.2.128/25, ip:192.0.2.127, false",
    "ip:192.0.2.1/32, ip:192.0.2.1, true",
    "ip:192.0.2.1/32, ip:192.0.2.0, false",
    "ip:0.0.0.0/0, ip:203.0.113.9, true",
    "ip:0.0.0.0/0, ip:2001:db8::1, false",
    "ip:2001:db8::/32, ip:2001:db8:ffff::1, true",
    "ip:2001:db8::/32, ip:2001:db9::1, false",
    "ip:::/0, ip:10.0.0.1, false",
    "email:example.com, email:a@example.com, true",
    "email:example.com, email:a@EXAMPLE.com, true",
    "email:example.com, email:a@b.example.com, false",
    "email:.example.com, email:a@b.example.com, true",
    "email:.example.com, email:a@example.com, false",
    "email:a@example.com, email:a@Example.com, true",
    "email:a@example.com, email:A@example.com, false",
    "email:a@example.com, email:b@example.com, false",
    "uri:example.com, uri:https://example.com/x, true",
    "uri:example.com, uri:https://example.com, true",
    "uri:example.com, uri:https://u@EXAMPLE.com:8443/x?y#z, true",
    "uri:example.com, uri:https://example.com@evil.test/, false",
    "uri:example.com, uri:https://evil.test/example.com, false",
    "uri:example.com, uri:https://evil.test#@example.com, false",
    "uri:example.com, uri:https://evil.test?@example.com, false",
    "uri:example.com, uri:https://a.example.com/, false",
    "uri:.example.com, uri:https://a.example.com/, true",
    "uri:.example.com, uri:https://example.com/, false",
    "uri:example.com, uri:urn:example.com, false",
    "uri:example.com, uri:mailto:a@example.com, false",
    "uri:example.com, uri:https://192.0.2.1/, false",
    "uri:example.com, uri:https://[2001:db8::1]/, false",
  })
  void outside_permitted_insideOnly(String base, String name, boolean isInside) {
    NameConstraints space = new NameConstraints(List.of(subtree(base)), List.of());

    assertThat(NameSpaces.outside(space, List.of(name(name)), DistinguishedName.EMPTY).isEmpty())
        .isEqualTo(isInside);
  }

  @ParameterizedTest
  @CsvSource({
    "dns:secret.example.com, dns:secret.example.com, false",
    "dns:secret.example.com, dns:a.secret.example.com, false",
    "dns:secret.example.com, dns:public.example.com, true",
    "dns:secret.example.com, dns:example.com, true",
    // A wildcard stands for secret.example.com too, but for nothing two labels below it.
    "dns:secret.example.com, dns:*.example.com, false",
    "dns:SECRET.example.com, dns:*.Example.com, false",
    "dns:a.secret.example.com, dns:*.example.com, true",
    "dns:.secret.example.com, dns:*.example.com, true",
    "dns:.secret.example.com, dns:*.secret.example.com, false",
    "dns:, dns:a.test, false",
    "ip:0.0.0.0/0, ip:192.0.2.1, false",
    "ip:0.0.0.0/0, ip:2001:db8::1, true",
    "email:example.com, email:a@example.com, false",
    "email:example.com, email:a@b.example.com, true",
    "email:a@example.com, email:A@Example.com, false",
    "email:a@example.com, email:ab@example.com, true",
    "uri:example.com, uri:https://example.com/, false",
    "uri:example.com, uri:https://other.test/, true",
    // A URI without a certain host is not let through.
    "uri:example.com, uri:urn:a:b, false",
    // Another form is not spoken of.
    "dns:example.com, email:a@example.com, true",
    "dns:example.com, uri:https://example.com/, true",
  })
  void outside_excluded_outsideOnly(String base, String name, boolean isAllowed) {
    NameConstraints space = new NameConstraints(List.of(), List.of(subtree(base)));

    assertThat(NameSpaces.outside(space, List.of(name(name)), DistinguishedName.EMPTY).isEmpty())
        .isEqualTo(isAllowed);
  }

  @Test
  void outside_excludedWithinPermitted_exclusionWins() {
    NameConstraints space =
        new NameConstraints(
            List.of(subtree("dns:example.com"), subtree("dns:example.org")),
            List.of(subtree("dns:b.example.com")));

    assertInside(space, "dns:a.example.com", "dns:example.org");
    assertOutside(space, "dns:a.example.com", "dns:x.b.example.com");
    assertOutside(space, "dns:example.net");
    assertInside(space, "ip:192.0.2.1");
  }

  @Test
  void outside_directoryName_comparedFromTheRoot() {
    NameConstraints space =
        new NameConstraints(
            List.of(new NameSubtree.Directory(subject("CH", "Example  AG"))), List.of());

    assertThat(outside(space, subject("CH", "example ag"))).isEmpty();
    assertThat(outside(space, subject("CH", "EXAMPLE AG", "more"))).isEmpty();
    assertThat(outside(space, subject("CH", "Example GmbH"))).isPresent();
    assertThat(outside(space, subject("CH"))).isPresent();
    assertThat(outside(space, subject("DE", "Example AG"))).isPresent();
    // RFC 5280 4.2.1.10: no name of the form, no constraint.
    assertThat(outside(space, DistinguishedName.EMPTY)).isEmpty();
    NameConstraints excluding = new NameConstraints(List.of(), space.permitted());
    assertThat(outside(excluding, subject("CH", "example ag", "x"))).isPresent();
    assertThat(outside(excluding, subject("CH", "other"))).isEmpty();
  }

  @Test
  void outside_composedAndDecomposedLetters_areTheSame() {
    NameConstraints excluding =
        new NameConstraints(
            List.of(), List.of(new NameSubtree.Directory(subject("CH", "Caf\u00e9"))));

    assertThat(outside(excluding, subject("CH", "Cafe\u0301"))).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a..b", "-", "a b", "*.example.com", "example.com.", "é.test", "a/b"})
  void subtree_malformed_refused(String domain) {
    if (!domain.equals("-")) {
      assertThatIllegalArgumentException().isThrownBy(() -> new NameSubtree.Dns(domain));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> new NameSubtree.Uri(domain + "/"));
    assertThatIllegalArgumentException().isThrownBy(() -> new NameSubtree.Email("a@." + domain));
    assertThatIllegalArgumentException().isThrownBy(() -> new NameSubtree.Email("@example.com"));
  }

  /** Whatever ours lets through, the library must let through too, and the other way round. */
  @Test
  void outside_randomNames_likeTheLibrary() throws Exception {
    long seed = Long.getLong("seed", 20261121L);
    SplittableRandom random = new SplittableRandom(seed);
    int inside = 0;
    for (int i = 0; i < 20_000; i++) {
      NameConstraints space = new NameConstraints(subtrees(random), subtrees(random));
      GeneralName name = randomName(random);
      boolean ours = NameSpaces.outside(space, List.of(name), DistinguishedName.EMPTY).isEmpty();
      boolean theirs =
          NameConstraintValidation.violation(
                  space,
                  NameCodec.write(DistinguishedName.EMPTY),
                  Optional.of(Extensions.subjectAltName(List.of(name), true)))
              .isEmpty();
      inside += ours ? 1 : 0;
      assertThat(ours).as("%s in %s, seed %d", name, space, seed).isEqualTo(theirs);
    }
    assertThat(inside).isBetween(2_000, 18_000);
  }

  /** RFC 5280 4.2.1.10: adding labels to nothing gives every name. */
  @Test
  void outside_permittedEveryDnsName_bothLetAllThrough() throws Exception {
    NameConstraints space =
        new NameConstraints(List.of(subtree("dns:"), subtree("dns:a.test")), List.of());
    GeneralName name = name("dns:b.test");

    assertThat(NameSpaces.outside(space, List.of(name), DistinguishedName.EMPTY)).isEmpty();
    assertThat(
            NameConstraintValidation.violation(
                space,
                NameCodec.write(DistinguishedName.EMPTY),
                Optional.of(Extensions.subjectAltName(List.of(name), true))))
        .isEmpty();
  }

  private static final List<String> HOSTS =
      List.of("a.test", "b.a.test", "c.b.a.test", "xa.test", "test", "b.test");

  private static List<NameSubtree> subtrees(SplittableRandom random) {
    List<NameSubtree> subtrees = new ArrayList<>();
    int count = random.nextInt(3);
    for (int i = 0; i < count; i++) {
      String host = HOSTS.get(random.nextInt(HOSTS.size()));
      subtrees.add(
          switch (random.nextInt(7)) {
            case 0 -> new NameSubtree.Email(host);
            case 1 -> new NameSubtree.Email("m@" + host);
            case 2 -> new NameSubtree.Email("." + host);
            case 3 -> new NameSubtree.Uri(host);
            case 4 -> new NameSubtree.Uri("." + host);
            case 5 ->
                new NameSubtree.Ip(
                    IpRange.parse(
                        List.of("10.0.0.0/8", "10.64.0.0/10", "0.0.0.0/0", "2001:db8::/32", "::/0")
                            .get(random.nextInt(5))));
            default -> new NameSubtree.Dns(host);
          });
    }
    return subtrees;
  }

  private static GeneralName randomName(SplittableRandom random) {
    String host = HOSTS.get(random.nextInt(HOSTS.size()));
    return switch (random.nextInt(4)) {
      case 0 -> name("dns:" + host);
      case 1 -> name("email:m@" + host);
      case 2 -> name("uri:https://" + host + "/x");
      default ->
          name(
              List.of("ip:10.1.2.3", "ip:10.65.0.1", "ip:192.0.2.1", "ip:2001:db8::1", "ip:::1")
                  .get(random.nextInt(5)));
    };
  }

  private static Optional<String> outside(NameConstraints space, DistinguishedName subject) {
    return NameSpaces.outside(space, List.of(), subject);
  }

  private static void assertInside(NameConstraints space, String... names) {
    assertThat(outsideOf(space, names)).isEmpty();
  }

  private static void assertOutside(NameConstraints space, String... names) {
    assertThat(outsideOf(space, names)).isPresent();
  }

  private static Optional<String> outsideOf(NameConstraints space, String... names) {
    return NameSpaces.outside(
        space, List.of(names).stream().map(NameSpacesTest::name).toList(), DistinguishedName.EMPTY);
  }

  private static NameSubtree subtree(String text) {
    String value = text.substring(text.indexOf(':') + 1);
    return switch (text.substring(0, text.indexOf(':'))) {
      case "dns" -> new NameSubtree.Dns(value);
      case "ip" -> new NameSubtree.Ip(IpRange.parse(value));
      case "email" -> new NameSubtree.Email(value);
      default -> new NameSubtree.Uri(value);
    };
  }

  private static GeneralName name(String text) {
    String value = text.substring(text.indexOf(':') + 1);
    return switch (text.substring(0, text.indexOf(':'))) {
      case "dns" -> new GeneralName.Dns(value);
      case "ip" -> new GeneralName.Ip(IpLiteral.parse(value).orElseThrow());
      case "email" -> new GeneralName.Email(value);
      default -> new GeneralName.Uri(value);
    };
  }

  private static DistinguishedName subject(String country, String... organizations) {
    List<Attribute> attributes = new ArrayList<>();
    attributes.add(new Attribute(NameAttribute.COUNTRY, country));
    for (String organization : organizations) {
      attributes.add(new Attribute(NameAttribute.ORGANIZATION, organization));
    }
    return new DistinguishedName(attributes);
  }
}
