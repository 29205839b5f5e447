package org.sluiceca.core.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.sluiceca.core.testkit.RawDer.hex;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sluiceca.core.der.Extensions.TextType;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.naming.NameTemplate;
import org.sluiceca.core.naming.RequestFacts;
import org.sluiceca.core.profile.AddedExtension.Value;
import org.sluiceca.core.profile.CertificateProfile.Content;
import org.sluiceca.core.profile.CertificateProfile.Use;
import org.sluiceca.core.profile.ExtensionPolicy.Additions;
import org.sluiceca.core.profile.ExtensionPolicy.Revocation;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.FullProfiles;
import org.sluiceca.core.time.ClockSkew;
import org.sluiceca.core.x509.CertificatePolicy;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.NameConstraints;
import org.sluiceca.core.x509.NameSubtree;
import org.sluiceca.core.x509.PublicKeyAlgorithm;
import org.sluiceca.core.x509.Validity;

/** Extensions by OID, policies, fixed ends, and the contradictions that stop a node. */
class AdditionsTest {

  private static final String OWN = "1.3.6.1.4.1.55555.1";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2.5.29.19",
        "2.5.29.15",
        "2.5.29.17",
        "2.5.29.30",
        "2.5.29.32",
        "2.5.29.36",
        "2.5.29.37",
        "2.5.29.54",
        "2.5.29.99",
        "2.5.29",
        "1.3.6.1.5.5.7.1.1",
        "1.3.6.1.5.5.7.1.7",
        "1.3.6.1.5.5.7.1.8",
        "1.3.6.1.5.5.7.1.11",
        "1.3.6.1.5.5.7.1.14",
        "1.3.6.1.5.5.7.1.28",
        "1.3.6.1.5.5.7.1.29",
        "1.3.6.1.5.5.7.48.1.5",
        "1.3.6.1.4.1.11129.2.4.2",
        "1.3.6.1.4.1.11129.2.4.3",
        "2.16.840.1.113730.1.1",
        "1",
        "x",
        "2.5.029.1"
      })
  void added_governedOidOrNone_refused(String oid) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AddedExtension.constant(oid, false, hex("0500")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.3.6.1.5.5.7.1.24", "1.3.6.1.5.5.7.1.10", "2.5.290.1", OWN})
  void added_otherOid_taken(String oid) throws Exception {
    assertThat(AddedExtension.constant(oid, true, hex("0500")).extension(facts("x")))
        .isEqualTo(Extension.of(oid, true, hex("0500")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "05", "050000", "0500ff", "30800000", "308100", "0101aa", "058100"})
  void added_constantThatIsNotOneStrictDerValue_refused(String der) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AddedExtension.constant(OWN, false, hex(der)));
  }

  @Test
  void added_constantsLength_bothSides() {
    byte[] longest = new byte[4096];
    longest[0] = 0x04;
    longest[1] = (byte) 0x82;
    longest[2] = (byte) (4092 >>> 8);
    longest[3] = (byte) 4092;
    assertThat(AddedExtension.constant(OWN, false, longest).oid()).isEqualTo(OWN);
    byte[] tooLong = java.util.Arrays.copyOf(longest, 4097);
    tooLong[3]++;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AddedExtension.constant(OWN, false, tooLong));
  }

  @Test
  void added_text_ofItsTypeOnly() throws Exception {
    assertThat(text(TextType.UTF8, "${csr.commonName}").extension(facts("é")).value())
        .isEqualTo(hex("0c02c3a9"));
    assertThat(text(TextType.IA5, "${csr.commonName}").extension(facts("a@")).value())
        .isEqualTo(hex("16026140"));
    assertThat(text(TextType.PRINTABLE, "${csr.commonName}").extension(facts("a")).value())
        .isEqualTo(hex("130161"));
    assertTextRefused(TextType.IA5, "é");
    assertTextRefused(TextType.IA5, "a\u0007");
    assertTextRefused(TextType.PRINTABLE, "a@");
    assertTextRefused(TextType.UTF8, "a\u0000");
    assertThat(text(TextType.UTF8, "${csr.commonName}").extension(facts("a".repeat(512))).value())
        .hasSize(516);
    assertTextRefused(TextType.UTF8, "a".repeat(513));
  }

  @Test
  void added_constantTextOfAnotherType_refusedAtStart() {
    assertThatIllegalArgumentException().isThrownBy(() -> text(TextType.PRINTABLE, "a@b"));
    assertThatIllegalArgumentException().isThrownBy(() -> text(TextType.IA5, "é"));
  }

  @Test
  void policy_bounds_bothSides() {
    assertThat(policy("x".repeat(200)).userNotice()).isPresent();
    for (String notice : List.of("", "x".repeat(201), "a\nb", "a\ud800")) {
      assertThatIllegalArgumentException().as(notice).isThrownBy(() -> policy(notice));
    }
    for (String uri :
        List.of("ftp://a.test", "a.test", "http://", "https://a test/", "http:///x")) {
      assertThatIllegalArgumentException()
          .as(uri)
          .isThrownBy(() -> new CertificatePolicy(OWN, Optional.of(uri), Optional.empty()));
    }
    String base = "https://a.test/";
    String longest = base + "x".repeat(512 - base.length());
    assertThat(new CertificatePolicy(OWN, Optional.of(longest), Optional.empty()).cpsUri())
        .contains(longest);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CertificatePolicy(OWN, Optional.of(longest + "x"), Optional.empty()));
  }

  @Test
  void additions_oneOidTwice_refused() {
    CertificatePolicy policy = policy("x");
    AddedExtension own = AddedExtension.constant(OWN, false, hex("0500"));
    NameConstraints none = NameConstraints.NONE;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Additions(List.of(policy, policy), none, false, List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Additions(List.of(), none, false, List.of(own, own)));
  }

  @Test
  void additions_nameConstraintWithLeadingPeriod_refusedOnBothLists() {
    List<NameSubtree> dotted = List.of(new NameSubtree.Dns(".a.test"));
    for (NameConstraints constraints :
        List.of(new NameConstraints(dotted, List.of()), new NameConstraints(List.of(), dotted))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Additions(List.of(), constraints, false, List.of()))
          .withMessageContaining("leading period");
    }
  }

  @Test
  void extensions_contradictions_refused() {
    NameConstraints names = new NameConstraints(List.of(new NameSubtree.Dns("a.test")), List.of());
    NameConstraints dotted =
        new NameConstraints(List.of(), List.of(new NameSubtree.Dns(".a.test")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Additions(List.of(), dotted, false, List.of()));
    assertNotMade(Set.of(ExtendedKeyUsage.SERVER_AUTH), additions(names, false));
    assertNotMade(Set.of(ExtendedKeyUsage.SERVER_AUTH), additions(NameConstraints.NONE, true));
    assertNotMade(Set.of(), additions(NameConstraints.NONE, true));
    assertNotMade(
        Set.of(ExtendedKeyUsage.OCSP_SIGNING, ExtendedKeyUsage.SERVER_AUTH),
        additions(NameConstraints.NONE, true));
    assertNotMade(
        Set.of(ExtendedKeyUsage.TIME_STAMPING, ExtendedKeyUsage.CODE_SIGNING), Additions.NONE);
    for (KeyUsage half : List.of(KeyUsage.ENCIPHER_ONLY, KeyUsage.DECIPHER_ONLY)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> policyOf(Set.of(half), Set.of(), Additions.NONE));
      assertThat(
              policyOf(Set.of(half, KeyUsage.KEY_AGREEMENT), Set.of(), Additions.NONE).keyUsage())
          .contains(half);
    }
  }

  @Test
  void profile_keyUsageThatAKeyCannotHave_refused() {
    // RFC 8813 3, RFC 9295 3, RFC 3279 2.3.1.
    assertKeys(KeyUsage.KEY_ENCIPHERMENT, Set.of(PublicKeyAlgorithm.RSA));
    assertKeys(KeyUsage.DATA_ENCIPHERMENT, Set.of(PublicKeyAlgorithm.RSA));
    assertKeys(
        KeyUsage.KEY_AGREEMENT,
        Set.of(PublicKeyAlgorithm.EC_P256, PublicKeyAlgorithm.EC_P384, PublicKeyAlgorithm.EC_P521));
    assertKeys(KeyUsage.CONTENT_COMMITMENT, Set.of(PublicKeyAlgorithm.values()));
  }

  @Test
  void profile_ocspSigningForEnrollment_refused() {
    CertificateProfile responder = FullProfiles.ocspResponder();

    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new CertificateProfile(
                    responder.name(), "x", Use.ENROLLMENT, responder.issuer(), responder.content()))
        .withMessageContaining("ceremony");
  }

  @Test
  void key_rsaBitsMax_bothSides() {
    Set<PublicKeyAlgorithm> rsa = Set.of(PublicKeyAlgorithm.RSA);
    assertThat(new KeyPolicy(rsa, 3072, 3072).rsaBitsMax()).isEqualTo(3072);
    assertThat(new KeyPolicy(rsa, 2048).rsaBitsMax()).isEqualTo(8192);
    assertThatIllegalArgumentException().isThrownBy(() -> new KeyPolicy(rsa, 3072, 3071));
    assertThatIllegalArgumentException().isThrownBy(() -> new KeyPolicy(rsa, 3072, 8193));
  }

  @Test
  void validity_fixedEnd_isTheEndWhenever() throws Exception {
    Instant end = Fixtures.NOW.plusSeconds(1000);
    ValidityPolicy policy = until(end, false);

    assertThat(policy.periodAt(Fixtures.NOW, around(end), ClockSkew.NONE).validity())
        .isEqualTo(new Validity(Fixtures.NOW.minusSeconds(60), end));
    assertThat(policy.periodAt(end, around(end), ClockSkew.NONE).validity().notAfter())
        .isEqualTo(end);
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> policy.periodAt(end.plusMillis(1), around(end), ClockSkew.NONE));
  }

  @Test
  void validity_fixedEndBeyondTheIssuers_clampedAndSaidOrRefused() throws Exception {
    Instant end = Fixtures.NOW.plusSeconds(1000);
    Validity issuer = around(end.minusSeconds(1));

    ValidityPolicy.Period clamped = until(end, true).periodAt(Fixtures.NOW, issuer, ClockSkew.NONE);

    assertThat(clamped.validity().notAfter()).isEqualTo(end.minusSeconds(1));
    assertThat(clamped.clampedFrom()).contains(end);
    assertThat(until(end, true).periodAt(Fixtures.NOW, around(end), ClockSkew.NONE).clampedFrom())
        .isEmpty();
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> until(end, false).periodAt(Fixtures.NOW, issuer, ClockSkew.NONE));
  }

  /** Not a moment is left, which is a refusal and no fault of the program. */
  @Test
  void validity_askedAtTheFixedEnd_refused() {
    ValidityPolicy atOnce =
        new ValidityPolicy(new ValidityPolicy.Term.Until(Fixtures.NOW), Duration.ZERO, false);
    Validity issuer =
        new Validity(Fixtures.NOW.minus(Duration.ofDays(1)), Fixtures.NOW.plus(Duration.ofDays(1)));

    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> atOnce.periodAt(Fixtures.NOW, issuer, ClockSkew.NONE));
  }

  @Test
  void validity_fixedEnd_bounds() {
    Instant last = Instant.parse("2100-01-01T00:00:00Z");
    assertThat(until(last, false).term()).isEqualTo(new ValidityPolicy.Term.Until(last));
    assertThatIllegalArgumentException().isThrownBy(() -> until(last.plusSeconds(1), false));
    assertThatIllegalArgumentException().isThrownBy(() -> until(last.minusMillis(1), false));
  }

  private static void assertKeys(KeyUsage usage, Set<PublicKeyAlgorithm> able) {
    CertificateProfile server = Fixtures.tlsServer();
    for (PublicKeyAlgorithm algorithm : PublicKeyAlgorithm.values()) {
      Content content =
          new Content(
              server.content().validity(),
              server.content().subject(),
              new KeyPolicy(Set.of(algorithm), 2048),
              server.content().subjectAltName(),
              policyOf(Set.of(usage), Set.of(), Additions.NONE));
      if (able.contains(algorithm)) {
        assertThat(Fixtures.withContent(server, content).content()).isEqualTo(content);
      } else {
        assertThatIllegalArgumentException()
            .as("%s %s", usage, algorithm)
            .isThrownBy(() -> Fixtures.withContent(server, content))
            .withMessageContaining(usage.name());
      }
    }
  }

  private static void assertNotMade(Set<ExtendedKeyUsage> purposes, Additions additions) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> policyOf(Set.of(KeyUsage.DIGITAL_SIGNATURE), purposes, additions));
  }

  private static ExtensionPolicy policyOf(
      Set<KeyUsage> usages, Set<ExtendedKeyUsage> purposes, Additions additions) {
    return new ExtensionPolicy(
        usages, purposes, false, OptionalInt.empty(), Revocation.UNSTATED, additions);
  }

  private static Additions additions(NameConstraints names, boolean noCheck) {
    return new Additions(List.of(), names, noCheck, List.of());
  }

  private static CertificatePolicy policy(String notice) {
    return new CertificatePolicy(OWN, Optional.empty(), Optional.of(notice));
  }

  private static AddedExtension text(TextType type, String template) {
    return new AddedExtension(OWN, false, new Value.Text(type, NameTemplate.of(template)));
  }

  private static void assertTextRefused(TextType type, String commonName) {
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> text(type, "${csr.commonName}").extension(facts(commonName)));
  }

  private static ValidityPolicy until(Instant end, boolean clamp) {
    return new ValidityPolicy(new ValidityPolicy.Term.Until(end), Duration.ofSeconds(60), clamp);
  }

  private static Validity around(Instant end) {
    return new Validity(Fixtures.NOW.minusSeconds(60), end);
  }

  private static RequestFacts facts(String commonName) {
    return new RequestFacts(
        new RequesterId("alice"),
        new ProfileName("tls"),
        new DistinguishedName(List.of(new Attribute(NameAttribute.COMMON_NAME, commonName))),
        List.of());
  }
}
