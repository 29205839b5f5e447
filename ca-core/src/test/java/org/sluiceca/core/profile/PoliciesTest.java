package org.sluiceca.core.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.naming.NameTemplate;
import org.sluiceca.core.profile.CertificateProfile.Content;
import org.sluiceca.core.profile.CertificateProfile.Use;
import org.sluiceca.core.profile.ExtensionPolicy.Revocation;
import org.sluiceca.core.profile.ValidityPolicy.Term.Lasting;
import org.sluiceca.core.profile.ValidityPolicy.Term.Until;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.request.Requester;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.request.Role;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.time.ClockSkew;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.PublicKeyAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKey;
import org.sluiceca.core.x509.Validity;

/** Key, validity and extension policies, profiles and who may use them. */
class PoliciesTest {

  private static final Instant NOW = Fixtures.NOW;
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final SubjectPublicKey ED25519 = SoftwareKey.named("ed25519").publicKey().key();

  @Test
  void key_rsaBits_bothSidesOfTheBound() {
    KeyPolicy policy = new KeyPolicy(Set.of(PublicKeyAlgorithm.RSA), 3072);

    assertThatCode(() -> policy.check(rsa(3072))).doesNotThrowAnyException();
    assertRefused(Reason.WEAK_KEY, () -> policy.check(rsa(3071)));
    assertRefused(Reason.PROFILE_VIOLATION, () -> policy.check(ED25519));
    KeyPolicy only = new KeyPolicy(Set.of(PublicKeyAlgorithm.RSA), 2048, 3072);
    assertThatCode(() -> only.check(rsa(3072))).doesNotThrowAnyException();
    assertRefused(Reason.PROFILE_VIOLATION, () -> only.check(rsa(3073)));
  }

  @Test
  void key_contradictions_refused() {
    Set<PublicKeyAlgorithm> rsa = Set.of(PublicKeyAlgorithm.RSA);
    assertThatIllegalArgumentException().isThrownBy(() -> new KeyPolicy(Set.of(), 2048));
    assertThatIllegalArgumentException().isThrownBy(() -> new KeyPolicy(rsa, 2047));
    assertThatIllegalArgumentException().isThrownBy(() -> new KeyPolicy(rsa, 8193));
    assertThat(new KeyPolicy(rsa, 2048).rsaBitsMin()).isEqualTo(2048);
    assertThat(new KeyPolicy(rsa, 8192).rsaBitsMin()).isEqualTo(8192);
  }

  @Test
  void validity_backdatedPeriod_hasExactlyTheDuration() throws Exception {
    Validity period =
        new ValidityPolicy(DAY, HOUR, false)
            .periodAt(NOW.plusMillis(999), issuer(-DAY_S, DAY_S), ClockSkew.NONE)
            .validity();

    assertThat(period.notBefore()).isEqualTo(NOW.minus(HOUR));
    assertThat(period.notAfter()).isEqualTo(NOW.minus(HOUR).plus(DAY).minusSeconds(1));
  }

  @Test
  void validity_endsWithTheIssuerOrASecondBeyond_bothSides() throws Exception {
    ValidityPolicy policy = new ValidityPolicy(DAY, Duration.ZERO, false);

    assertThat(policy.periodAt(NOW, issuer(-9, DAY_S - 1), ClockSkew.NONE).validity().notAfter())
        .isEqualTo(NOW.plusSeconds(DAY_S - 1));
    assertRefused(
        Reason.PROFILE_VIOLATION,
        () -> policy.periodAt(NOW, issuer(-9, DAY_S - 2), ClockSkew.NONE));
  }

  /** A new issuer issues at once after its certificate was signed. */
  @Test
  void validity_issuerYoungerThanTheBackdate_beginsWithTheIssuer() throws Exception {
    ValidityPolicy policy = new ValidityPolicy(DAY, HOUR, true);

    for (int age : new int[] {0, 1, 3_599, 3_600}) {
      Validity period = policy.periodAt(NOW, issuer(-age, 9 * DAY_S), ClockSkew.NONE).validity();
      assertThat(period.notBefore()).isEqualTo(NOW.minusSeconds(age));
      assertThat(period.notAfter()).isEqualTo(NOW.minusSeconds(age).plus(DAY).minusSeconds(1));
    }
    assertThat(policy.periodAt(NOW, issuer(-3_601, 9 * DAY_S), ClockSkew.NONE).validity())
        .extracting(Validity::notBefore)
        .isEqualTo(NOW.minus(HOUR));
    assertRefused(
        Reason.PROFILE_VIOLATION, () -> policy.periodAt(NOW, issuer(1, 9 * DAY_S), ClockSkew.NONE));
  }

  @Test
  void validity_noBackdateOfItsOwn_theAllowanceOfAll() throws Exception {
    ValidityPolicy policy =
        new ValidityPolicy(new ValidityPolicy.Term.Lasting(DAY), Optional.empty(), true);

    assertThat(policy.periodAt(NOW, issuer(-DAY_S, DAY_S), ClockSkew.STANDARD).validity())
        .extracting(Validity::notBefore)
        .isEqualTo(NOW.minusSeconds(300));
  }

  @Test
  void validity_clamped_endsWithTheIssuerWhileItLives() throws Exception {
    ValidityPolicy policy = new ValidityPolicy(DAY, HOUR, true);

    assertThat(policy.periodAt(NOW, issuer(-DAY_S, 5), ClockSkew.NONE).validity().notAfter())
        .isEqualTo(NOW.plusSeconds(5));
    assertThat(policy.periodAt(NOW, issuer(-DAY_S, 1), ClockSkew.NONE).validity().notAfter())
        .isEqualTo(NOW.plusSeconds(1));
    assertRefused(
        Reason.PROFILE_VIOLATION, () -> policy.periodAt(NOW, issuer(-DAY_S, 0), ClockSkew.NONE));
    assertRefused(
        Reason.PROFILE_VIOLATION, () -> policy.periodAt(NOW, issuer(-DAY_S, -1), ClockSkew.NONE));
  }

  @Test
  void validity_bounds_bothSides() {
    Duration most = Duration.ofDays(50 * 366L);
    Duration least = Duration.ofMinutes(1);

    assertThat(new ValidityPolicy(least, Duration.ZERO, false).term())
        .isEqualTo(new Lasting(least));
    assertThat(new ValidityPolicy(most, Duration.ZERO, false).term()).isEqualTo(new Lasting(most));
    assertThat(until(most).backdate()).contains(most);
    assertThatIllegalArgumentException().isThrownBy(() -> until(most.plusSeconds(1)));
    assertThat(new ValidityPolicy(HOUR, HOUR.minusSeconds(1), false).backdate().orElseThrow())
        .isLessThan(HOUR);
    for (Duration[] pair :
        new Duration[][] {
          {least.minusSeconds(1), Duration.ZERO},
          {most.plusSeconds(1), Duration.ZERO},
          {HOUR, HOUR},
          {HOUR, Duration.ofSeconds(-1)},
          {HOUR.plusMillis(1), Duration.ZERO},
          {HOUR, Duration.ofMillis(1_500)}
        }) {
      assertThatIllegalArgumentException()
          .as("%s back %s", pair[0], pair[1])
          .isThrownBy(() -> new ValidityPolicy(pair[0], pair[1], false));
    }
  }

  /** The allowance for late clocks may be an hour: such a certificate would have ended before. */
  @Test
  void validity_belowAnHour_needsABackdateOfItsOwn() {
    assertThat(new ValidityPolicy(new Lasting(HOUR), Optional.empty(), true).backdate()).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new ValidityPolicy(new Lasting(HOUR.minusSeconds(1)), Optional.empty(), true))
        .withMessageContaining("needs a backdate");
  }

  private static ValidityPolicy until(Duration backdate) {
    return new ValidityPolicy(new Until(NOW), backdate, false);
  }

  @Test
  void extensions_contradictions_refused() {
    Set<KeyUsage> sign = Set.of(KeyUsage.DIGITAL_SIGNATURE);
    Set<KeyUsage> certSign = Set.of(KeyUsage.KEY_CERT_SIGN);

    assertExtensionsRefused(Set.of(), false, OptionalInt.empty(), Revocation.CRL);
    assertExtensionsRefused(certSign, false, OptionalInt.empty(), Revocation.CRL);
    assertExtensionsRefused(sign, true, OptionalInt.empty(), Revocation.CRL);
    assertExtensionsRefused(sign, false, OptionalInt.of(0), Revocation.CRL);
    assertExtensionsRefused(certSign, true, OptionalInt.of(-1), Revocation.CRL);
    assertExtensionsRefused(certSign, true, OptionalInt.empty(), Revocation.NEVER_AVAILABLE);
  }

  @Test
  void profile_caForEnrollmentOrWithoutName_refused() {
    CertificateProfile ca = Fixtures.issuingCa();
    Content content = ca.content();
    Content nameless =
        new Content(
            content.validity(),
            new SubjectPolicy(Set.of(), Set.of()),
            content.key(),
            content.subjectAltName(),
            content.extensions());

    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new CertificateProfile(ca.name(), "x", Use.ENROLLMENT, ca.issuer(), content));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Fixtures.withContent(ca, nameless))
        .withMessageContaining("required attribute");
  }

  @Test
  void profile_caNamedByTheProfileAlone_made() {
    CertificateProfile ca = Fixtures.issuingCa();
    NameTemplate name = NameTemplate.of("Sub CA");
    for (AttributeRule rule :
        List.of(
            AttributeRule.fixed(name, false),
            new AttributeRule(Optional.empty(), false, Optional.of(name), Optional.empty()))) {
      Set<NameAttribute> optional =
          rule.value().isPresent() ? Set.of() : Set.of(NameAttribute.COMMON_NAME);
      Content content = ca.content();
      Content named =
          new Content(
              content.validity(),
              new SubjectPolicy(Set.of(), optional, Map.of(NameAttribute.COMMON_NAME, rule)),
              content.key(),
              content.subjectAltName(),
              content.extensions());

      assertThat(Fixtures.withContent(ca, named).content().subject().rules()).hasSize(1);
    }
  }

  @Test
  void profile_description_bothSides() {
    CertificateProfile p = Fixtures.tlsServer();
    for (String text : List.of("", " ", "x".repeat(201))) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () -> new CertificateProfile(p.name(), text, p.use(), p.issuer(), p.content()));
    }
    assertThat(
            new CertificateProfile(p.name(), "x".repeat(200), p.use(), p.issuer(), p.content())
                .description())
        .hasSize(200);
  }

  @Test
  void catalog_twoOfOneName_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ProfileCatalog(List.of(Fixtures.tlsServer(), Fixtures.tlsServer())));
    assertThat(new ProfileCatalog(Fixtures.profiles()).all())
        .extracting(p -> p.name().value())
        .containsExactly("issuing-ca", "root-ca", "short-lived-client", "tls-server");
  }

  @Test
  void mayUse_enrollmentProfile_needsRoleAndProfile() {
    CertificateProfile profile = Fixtures.tlsServer();

    assertThat(ProfileAuthorizer.mayUse(Fixtures.requester(), profile)).isTrue();
    assertThat(mayUse(profile, Set.of(), Set.of(profile.name()))).isFalse();
    assertThat(mayUse(profile, Set.of(Role.ADMIN, Role.OFFICER), Set.of(profile.name()))).isFalse();
    assertThat(mayUse(profile, Set.of(Role.REQUESTER), Set.of())).isFalse();
    assertThat(mayUse(profile, Set.of(Role.REQUESTER), Set.of(new ProfileName("other")))).isFalse();
  }

  @Test
  void mayUse_ceremonyProfile_needsTheCeremonyWhateverTheRoles() {
    for (CertificateProfile profile : List.of(Fixtures.issuingCa(), Fixtures.rootCa())) {
      assertThat(ProfileAuthorizer.mayUse(Fixtures.ceremony(), profile)).isTrue();
      assertThat(mayUse(profile, Set.of(Role.values()), Set.of(profile.name()))).isFalse();
    }
  }

  @Test
  void mayUse_ceremonyWithoutRole_noEnrollmentProfile() {
    assertThat(ProfileAuthorizer.mayUse(Fixtures.ceremony(), Fixtures.tlsServer())).isFalse();
  }

  private static final long DAY_S = 86_400;

  private static boolean mayUse(
      CertificateProfile profile, Set<Role> roles, Set<ProfileName> profiles) {
    return ProfileAuthorizer.mayUse(
        new Requester(
            new RequesterId("bob"), Requester.Authentication.CLIENT_CERTIFICATE, roles, profiles),
        profile);
  }

  private static Validity issuer(long fromSeconds, long toSeconds) {
    return new Validity(NOW.plusSeconds(fromSeconds), NOW.plusSeconds(toSeconds));
  }

  private static SubjectPublicKey rsa(int bits) {
    return new SubjectPublicKey.Rsa(
        BigInteger.ONE.shiftLeft(bits - 1).add(BigInteger.ONE), BigInteger.valueOf(65_537));
  }

  private static void assertExtensionsRefused(
      Set<KeyUsage> usages, boolean isCa, OptionalInt pathLen, Revocation revocation) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ExtensionPolicy(usages, Set.of(), isCa, pathLen, revocation));
  }

  private interface Check {
    void run() throws RejectedException;
  }

  private static void assertRefused(Reason reason, Check check) {
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(check::run)
        .satisfies(e -> assertThat(e.rejection().reason()).isEqualTo(reason));
  }
}
