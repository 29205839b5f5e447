package org.sluiceca.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.sluiceca.core.testkit.RawDer.hex;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.csr.VerifiedCsr;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.failure.CaUnavailable.IssuerInactive;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.naming.ReservedNames;
import org.sluiceca.core.testkit.AcceptLine;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.ExpiryWeek;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.Validity;

class PlannerTest {

  private static final SoftwareKey KEY = SoftwareKey.named("ec-p256");
  private static final Issuer ISSUER = Fixtures.issuing(SoftwareKey.named("issuer-ec-p384"));
  private static final AcceptLine SERVER = new AcceptLine(Fixtures.tlsServer(), ISSUER);
  private static final AcceptLine CLIENT = new AcceptLine(Fixtures.shortLivedClient(), ISSUER);

  @Test
  void plan_realRequest_everyFieldExactly() throws Exception {
    IssuancePlan plan = SERVER.plan(CsrFixture.file("openssl-full"));

    TbsCertificate tbs = CertificateReader.read(plan.tbsCertificate());
    Instant notBefore = Fixtures.NOW.minus(Duration.ofHours(1));
    assertThat(tbs.serialNumber().octets()).isEqualTo(plan.serialNumber().octets());
    assertThat(tbs.signatureAlgorithm())
        .isEqualTo(SignatureAlgorithm.ECDSA_SHA384)
        .isEqualTo(plan.signatureAlgorithm());
    assertThat(tbs.issuer()).isEqualTo(ISSUER.subject());
    assertThat(tbs.validity())
        .isEqualTo(new Validity(notBefore, notBefore.plus(Duration.ofDays(90)).minusSeconds(1)));
    assertThat(NameCodec.read(tbs.subject()))
        .hasToString("C=CH, ST=Bern, L=Bern, O=Example, OU=Ops, CN=host.example.test");
    assertThat(tbs.subjectPublicKeyInfo())
        .isEqualTo(CsrReader.read(CsrFixture.file("openssl-full")).subjectPublicKeyInfo());
    assertThat(tbs.extensions())
        .containsExactly(
            Extensions.basicConstraints(false, OptionalInt.empty()),
            Extensions.keyUsage(Set.of(KeyUsage.DIGITAL_SIGNATURE)),
            Extensions.extendedKeyUsage(Set.of(ExtendedKeyUsage.SERVER_AUTH)),
            Extensions.subjectKeyIdentifier(KeyIdentifiers.of(tbs.subjectPublicKeyInfo()).octets()),
            Extensions.authorityKeyIdentifier(ISSUER.keyIdentifier().octets()),
            Extensions.subjectAltName(
                List.of(
                    new GeneralName.Dns("host.example.test"),
                    new GeneralName.Dns("www.example.test"),
                    new GeneralName.Ip(InetAddress.ofLiteral("2001:db8::1"))),
                false),
            Extensions.authorityInformationAccess("http://ca.example.test/issuers/issuing.cer"),
            Extensions.crlDistributionPoint("http://ca.example.test/issuers/issuing.crl"));
    assertThat(plan.departures().overridden())
        .containsExactlyInAnyOrder(
            ExtensionOids.KEY_USAGE,
            ExtensionOids.EXTENDED_KEY_USAGE,
            ExtensionOids.BASIC_CONSTRAINTS,
            ExtensionOids.SUBJECT_KEY_IDENTIFIER);
  }

  @Test
  void plan_issuerWithOcspResponder_namedUnlessThereIsNoRevocation() throws Exception {
    Issuer issuer = ISSUER.withOcsp("http://ca.example.test/ocsp");
    String caIssuers = "http://ca.example.test/issuers/issuing.cer";

    assertThat(
            access(new AcceptLine(Fixtures.tlsServer(), issuer).plan(request("a.test", "a.test"))))
        .isEqualTo(
            Extensions.authorityInformationAccess(
                caIssuers, Optional.of("http://ca.example.test/ocsp")));
    assertThat(access(new AcceptLine(Fixtures.shortLivedClient(), issuer).plan(request("Alice"))))
        .isEqualTo(Extensions.authorityInformationAccess(caIssuers));
  }

  private static Extension access(IssuancePlan plan) throws DerException {
    return CertificateReader.read(plan.tbsCertificate())
        .extension(ExtensionOids.AUTHORITY_INFORMATION_ACCESS)
        .orElseThrow();
  }

  @Test
  void plan_serialNumber_has19OctetsAndTheWeekOfNotAfter() throws Exception {
    IssuancePlan plan = SERVER.plan(request("a.test", "a.test"));

    Instant notAfter = CertificateReader.read(plan.tbsCertificate()).validity().notAfter();
    assertThat(plan.serialNumber().octets()).hasSize(19).startsWith(1);
    assertThat(plan.serialNumber().expiryWeek()).isEqualTo(ExpiryWeek.of(notAfter));
  }

  @Test
  void plan_twoOfOneRequest_differInTheSerialNumber() throws Exception {
    Planner planner = SERVER.planner();

    assertThat(planner.plan(SERVER.verify(request("a.test"))).serialNumber())
        .isNotEqualTo(planner.plan(SERVER.verify(request("a.test"))).serialNumber());
  }

  @Test
  void plan_emptySubject_subjectAltNameIsCritical() throws Exception {
    CsrDer csr = CsrFixture.empty().names(List.of(new GeneralName.Dns("a.test"))).signedBy(KEY);

    TbsCertificate tbs = CertificateReader.read(SERVER.plan(csr).tbsCertificate());

    assertThat(NameCodec.read(tbs.subject()).isEmpty()).isTrue();
    assertThat(extension(tbs, ExtensionOids.SUBJECT_ALT_NAME).isCritical()).isTrue();
  }

  @Test
  void plan_nobodyNamed_refused() {
    assertRefused(Reason.NAME_NOT_ALLOWED, SERVER, CsrFixture.empty().signedBy(KEY));
  }

  @Test
  void plan_reservedName_refused() throws Exception {
    Planner planner =
        new Planner(
            new IssuerCatalog(List.of(ISSUER)),
            new SerialNumbers(new SplittableRandom(42)),
            () -> Fixtures.NOW,
            () -> ReservedNames.of(Set.of("node.test"), Set.of()));

    for (CsrDer csr :
        List.of(
            request("node.test"),
            request("a.test", "a.test", "node.test"),
            CsrFixture.empty().names(List.of(new GeneralName.Dns("node.test"))).signedBy(KEY))) {
      VerifiedCsr verified = SERVER.verify(csr);
      assertThatExceptionOfType(RejectedException.class)
          .isThrownBy(() -> planner.plan(verified))
          .withMessageContaining("node.test")
          .satisfies(e -> assertThat(e.rejection().reason()).isEqualTo(Reason.NAME_NOT_ALLOWED));
    }
    assertThat(planner.plan(SERVER.verify(request("a.test")))).isNotNull();
  }

  @Test
  void plan_commonNameOnly_becomesTheDnsName() throws Exception {
    TbsCertificate tbs = CertificateReader.read(SERVER.plan(request("a.test")).tbsCertificate());

    assertThat(CsrReader.subjectAltNames(extension(tbs, ExtensionOids.SUBJECT_ALT_NAME)))
        .containsExactly(new GeneralName.Dns("a.test"));
  }

  @Test
  void plan_shortLived_noRevAvailAndNoCrl() throws Exception {
    TbsCertificate tbs = CertificateReader.read(CLIENT.plan(request("Alice")).tbsCertificate());

    assertThat(tbs.extension(ExtensionOids.NO_REVOCATION_AVAILABLE))
        .contains(Extensions.noRevocationAvailable());
    assertThat(tbs.extension(ExtensionOids.CRL_DISTRIBUTION_POINTS)).isEmpty();
    assertThat(tbs.extension(ExtensionOids.AUTHORITY_INFORMATION_ACCESS)).isPresent();
  }

  @Test
  void plan_issuerEndsSoon_clampedOrRefusedAsTheProfileSays() throws Exception {
    Validity soon = new Validity(Fixtures.NOW.minusSeconds(99_999), Fixtures.NOW.plusSeconds(60));
    Issuer issuer = Fixtures.withValidity(ISSUER, soon);

    IssuancePlan clamped =
        new AcceptLine(Fixtures.shortLivedClient(), issuer).plan(request("Alice"));

    assertThat(CertificateReader.read(clamped.tbsCertificate()).validity().notAfter())
        .isEqualTo(soon.notAfter());
    assertThat(clamped.serialNumber().expiryWeek()).isEqualTo(ExpiryWeek.of(soon.notAfter()));
    assertRefused(
        Reason.PROFILE_VIOLATION, new AcceptLine(Fixtures.tlsServer(), issuer), request("a.test"));
  }

  @Test
  void plan_ceremony_caWithPathLenAndNoSubjectAltName() throws Exception {
    Issuer root = Fixtures.root(SoftwareKey.named("issuer-ec-p384"));

    TbsCertificate tbs =
        CertificateReader.read(
            new AcceptLine(Fixtures.issuingCa(), root)
                .plan(request("Issuing CA"))
                .tbsCertificate());

    assertThat(tbs.extensions())
        .contains(
            Extensions.basicConstraints(true, OptionalInt.of(0)),
            Extensions.keyUsage(Set.of(KeyUsage.KEY_CERT_SIGN, KeyUsage.CRL_SIGN)));
    assertThat(tbs.extension(ExtensionOids.SUBJECT_ALT_NAME)).isEmpty();
  }

  @Test
  void plan_issuerUnknownHere_isNotTheClientsFault() {
    AcceptLine line = new AcceptLine(Fixtures.tlsServer(), Fixtures.root(KEY));

    assertThatExceptionOfType(IssuerInactive.class)
        .isThrownBy(() -> line.plan(request("a.test")))
        .withMessageContaining("issuing")
        .withMessageContaining("tls-server");
  }

  /** For any caller: what has found its profile already, responders, the node for itself. */
  @Test
  void plan_issuerRetired_nothingMore() throws Exception {
    IssuerCatalog issuers = new IssuerCatalog(List.of(ISSUER));
    AcceptLine line = new AcceptLine(Fixtures.tlsServer(), issuers);
    assertThat(line.plan(request("a.test"))).isNotNull();

    issuers.retire(List.of(ISSUER.name()));

    assertThatExceptionOfType(IssuerInactive.class).isThrownBy(() -> line.plan(request("a.test")));
    assertThat(issuers.find(ISSUER.name())).isPresent();
  }

  @Test
  void plan_crlProfileUnderAnIssuerWithoutPublications_refused() {
    Issuer silent =
        new Issuer(
            ISSUER.name(),
            ISSUER.subject(),
            ISSUER.subjectPublicKeyInfo(),
            ISSUER.keyIdentifier(),
            ISSUER.validity(),
            List.of(),
            Optional.empty(),
            ISSUER.constraints());

    assertRefused(Reason.LINT, new AcceptLine(Fixtures.tlsServer(), silent), request("a.test"));
  }

  @Test
  void plan_subjectIsTheIssuersOwn_refused() {
    // RFC 5280 6.1: such a certificate is self-issued, and pathLen does not count it.
    for (String name : List.of("Sluice Test Issuing CA", "SLUICE test  issuing ca")) {
      assertRefused(Reason.LINT, CLIENT, request(name));
    }
  }

  @Test
  void plan_wishesForPower_refused() {
    for (Extension wish :
        List.of(
            Extensions.basicConstraints(true, OptionalInt.empty()),
            Extensions.keyUsage(Set.of(KeyUsage.KEY_CERT_SIGN)),
            Extensions.keyUsage(Set.of(KeyUsage.DIGITAL_SIGNATURE, KeyUsage.CRL_SIGN)),
            Extensions.extendedKeyUsage(Set.of(ExtendedKeyUsage.CODE_SIGNING)),
            Extensions.extendedKeyUsage(
                Set.of(ExtendedKeyUsage.SERVER_AUTH, ExtendedKeyUsage.OCSP_SIGNING)),
            // anyExtendedKeyUsage.
            Extension.of(ExtensionOids.EXTENDED_KEY_USAGE, false, hex("30060604551d2500")))) {
      assertRefused(Reason.PROFILE_VIOLATION, SERVER, withExtension(wish));
    }
  }

  @Test
  void plan_harmlessWishes_overriddenAndReported() throws Exception {
    Extension usage = Extensions.keyUsage(Set.of(KeyUsage.KEY_ENCIPHERMENT));

    IssuancePlan plan = SERVER.plan(withExtension(usage));

    assertThat(plan.departures().overridden()).containsExactly(ExtensionOids.KEY_USAGE);
    assertThat(CertificateReader.read(plan.tbsCertificate()).extension(ExtensionOids.KEY_USAGE))
        .contains(Extensions.keyUsage(Set.of(KeyUsage.DIGITAL_SIGNATURE)));
  }

  @Test
  void plan_unknownExtension_refusedCriticalOrNot() {
    for (String oid :
        List.of(
            "1.3.6.1.5.5.7.1.24",
            "2.5.29.32",
            "2.5.29.30",
            "1.3.6.1.4.1.11129.2.4.3",
            "2.5.29.35",
            "2.5.29.31",
            "2.5.29.18")) {
      for (boolean critical : new boolean[] {true, false}) {
        assertRefused(
            Reason.PROFILE_VIOLATION,
            SERVER,
            withExtension(Extension.of(oid, critical, hex("0500"))));
      }
    }
  }

  @Test
  void plan_malformedExtensionValue_refused() {
    for (String oid :
        List.of(
            ExtensionOids.SUBJECT_ALT_NAME,
            ExtensionOids.BASIC_CONSTRAINTS,
            ExtensionOids.KEY_USAGE,
            ExtensionOids.EXTENDED_KEY_USAGE)) {
      for (String value : List.of("", "30", "0500", "30053003020101", "3080", "300100")) {
        CsrDer csr =
            CsrFixture.host("a.test").extension(Extension.of(oid, false, hex(value))).signedBy(KEY);
        assertThatExceptionOfType(RejectedException.class)
            .as("%s %s", oid, value)
            .isThrownBy(() -> SERVER.plan(csr))
            .satisfies(e -> assertThat(e.rejection().reason()).isEqualTo(Reason.MALFORMED_CSR));
      }
    }
  }

  private static CsrDer withExtension(Extension extension) {
    return CsrFixture.host("a.test", "a.test").extension(extension).signedBy(KEY);
  }

  private static CsrDer request(String commonName, String... names) {
    SoftwareKey key = SoftwareKey.named("ec-p256");
    return names.length == 0
        ? CsrFixture.empty()
            .subject(new Attribute(NameAttribute.COMMON_NAME, commonName))
            .signedBy(key)
        : CsrFixture.host(commonName, names).signedBy(key);
  }

  private static Extension extension(TbsCertificate tbs, String oid) {
    return tbs.extension(oid).orElseThrow();
  }

  private static void assertRefused(Reason reason, AcceptLine line, CsrDer csr) {
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> line.plan(csr))
        .satisfies(
            e -> assertThat(e.rejection().reason()).as(e.rejection().detail()).isEqualTo(reason));
  }
}
