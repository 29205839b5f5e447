package org.sluiceca.api.issuer.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluiceca.api.issuer.store.RegisteredIssuer;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.verify.BouncyCastleVerifier;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.NameConstraints;
import org.sluiceca.core.x509.NameSubtree;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.Validity;

/** What a renewal may change above an issuer, and how long each of a chain may last. */
class IssuerRulesTest {

  private static final Instant NOW = Fixtures.NOW;
  private static final Extension ONE_DOMAIN = domain("one.example");
  private static final TestCa ROOT = TestCa.of("Root", "issuer-ec-p384").valid(years(20));
  private static final TestCa MIDDLE = TestCa.of("Middle", "issuer-ed25519").valid(years(10));
  private static final TestCa ISSUING = TestCa.of("Issuing", "issuer-ec-p256").valid(years(5));
  private static final CertificateDer ANCHOR = ROOT.selfSigned();

  // Made once: a signature by EC is another each time.
  private static final CertificateDer OWN = ISSUING.by(MIDDLE);
  private static final CertificateDer LATER = ISSUING.valid(years(6)).by(MIDDLE);
  private static final List<CertificateDer> PRESENT = List.of(OWN, MIDDLE.by(ROOT), ANCHOR);

  private static Validity years(int years) {
    return new Validity(TestCa.YEAR.notBefore(), NOW.plus(Duration.ofDays(366L * years)));
  }

  private static Extension domain(String name) {
    return Extensions.nameConstraints(
        new NameConstraints(List.of(new NameSubtree.Dns(name)), List.of()));
  }

  private static RegisteredIssuer row(TestCa ca, List<CertificateDer> chain) {
    return new RegisteredIssuer(
        new IssuerName("issuing"),
        ca.publicKey(),
        chain.getFirst(),
        chain.subList(1, chain.size()),
        new RegisteredIssuer.Key(OctetString.copyOf(new byte[] {1}), "ec-p256", "tokens"),
        RegisteredIssuer.State.ACTIVE,
        new RegisteredIssuer.Origin(Optional.empty(), chain.getFirst(), 0, NOW));
  }

  private static IssuerChain judged(List<CertificateDer> chain) {
    return IssuerChain.of(chain, new BouncyCastleVerifier(), NOW);
  }

  static Stream<Arguments> tooLong() {
    return Stream.of(
        Arguments.of(
            "1 of the chain ends",
            List.of(ISSUING.valid(years(11)).by(MIDDLE), MIDDLE.by(ROOT), ANCHOR)),
        Arguments.of("2 of the chain ends", List.of(OWN, MIDDLE.valid(years(21)).by(ROOT), ANCHOR)),
        Arguments.of("1 of the chain ends", List.of(ISSUING.valid(years(21)).by(ROOT), ANCHOR)),
        // A renewal whose CA above ends before the issuer's present certificate does.
        Arguments.of(
            "1 of the chain ends", List.of(LATER, MIDDLE.valid(years(1)).by(ROOT), ANCHOR)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tooLong")
  void of_endsAfterOneAbove_refused(String reason, List<CertificateDer> chain) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> judged(chain))
        .withMessageContaining(reason)
        .withMessageContaining("after the one above it");
  }

  @Test
  void of_allEndAtOnce_good() {
    TestCa middle = MIDDLE.valid(ROOT.validity());
    TestCa issuing = ISSUING.valid(ROOT.validity());

    assertThat(judged(List.of(issuing.by(middle), middle.by(ROOT), ANCHOR)).certificates())
        .hasSize(3);
  }

  static Stream<Arguments> swapped() {
    List<CertificateDer> bounded = List.of(OWN, MIDDLE.with(ONE_DOMAIN).by(ROOT), ANCHOR);
    List<CertificateDer> one = List.of(OWN, MIDDLE.atMost(1).by(ROOT), ANCHOR);
    return Stream.of(
        Arguments.of("constraint gone", "constraints", bounded, above(MIDDLE)),
        Arguments.of("constraint new", "constraints", PRESENT, above(MIDDLE.with(ONE_DOMAIN))),
        Arguments.of(
            "constraint another",
            "constraints",
            bounded,
            above(MIDDLE.with(domain("two.example")))),
        Arguments.of("path length gone", "path length", one, above(MIDDLE)),
        Arguments.of("path length more", "path length", one, above(MIDDLE.atMost(2))),
        Arguments.of(
            "own path length",
            "path length",
            PRESENT,
            List.of(ISSUING.atMost(0).by(MIDDLE), MIDDLE.by(ROOT), ANCHOR)),
        Arguments.of(
            "own certificate the same",
            "the certificate itself is the present one",
            PRESENT,
            List.of(OWN, MIDDLE.valid(years(12)).by(ROOT), ANCHOR)));
  }

  /** A later certificate of the issuer, below this one of the same CA above. */
  private static List<CertificateDer> above(TestCa middle) {
    return List.of(LATER, middle.by(ROOT), ANCHOR);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("swapped")
  void ofRenewalOverTheNetwork_chainAboveSwapped_refused(
      String what, String reason, List<CertificateDer> present, List<CertificateDer> fresh) {
    RegisteredIssuer row = row(ISSUING, present);

    assertThat(IssuerRules.ofRenewal(row, judged(fresh))).as(what).isEmpty();
    assertThat(IssuerRules.ofRenewalOverTheNetwork(row, judged(fresh)))
        .hasValueSatisfying(fault -> assertThat(fault).contains(reason));
  }

  @Test
  void ofRenewalOverTheNetwork_sameConstraints_good() {
    List<CertificateDer> bounded = List.of(OWN, MIDDLE.with(ONE_DOMAIN).by(ROOT), ANCHOR);
    TestCa renewed = MIDDLE.with(ONE_DOMAIN).valid(years(12));

    assertThat(IssuerRules.ofRenewalOverTheNetwork(row(ISSUING, bounded), judged(above(renewed))))
        .isEmpty();
  }

  /**
   * Otherwise a CA that certifies the root's key makes a subordinate of it, by the ceremony too.
   */
  @Test
  void ofRenewal_root_refused() {
    TestCa above = MIDDLE.valid(ROOT.validity());
    List<CertificateDer> fresh = List.of(ROOT.by(above), above.selfSigned());

    assertThat(IssuerRules.ofRenewal(row(ROOT, List.of(ANCHOR)), judged(fresh)))
        .hasValueSatisfying(fault -> assertThat(fault).contains("is a root's"));
    // The same, were it none.
    assertThat(IssuerRules.ofRenewal(row(ROOT, fresh), judged(fresh))).isEmpty();
  }
}
