package org.sluiceca.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.ChainConstraints;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.ExtensionReader;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.testkit.AcceptLine;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.FullProfiles;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.IssuerConstraints;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.NameConstraints;
import org.sluiceca.core.x509.NameSubtree;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.Validity;

/** The planner with profiles that have rules of every kind, and issuers that are constrained. */
class PlannerProfileTest {

  private static final SoftwareKey KEY = SoftwareKey.named("ec-p256");
  private static final Issuer ISSUER = Fixtures.issuing(SoftwareKey.named("issuer-ec-p256"));
  private static final Issuer ROOT = Fixtures.root(SoftwareKey.named("issuer-ec-p384"));
  private static final AcceptLine EVERYTHING = new AcceptLine(FullProfiles.everything(), ISSUER);

  @Test
  void plan_everyRule_subjectAndNamesAsTheProfileMakesThem() throws Exception {
    TbsCertificate tbs =
        fields(
            EVERYTHING.plan(
                CsrFixture.empty()
                    .subject(
                        new Attribute(NameAttribute.ORGANIZATION, "Internet Widgits"),
                        new Attribute(NameAttribute.COMMON_NAME, "web-7"))
                    .names(List.of(new GeneralName.Dns("a.example.test")))
                    .signedBy(KEY)));

    assertThat(NameCodec.read(tbs.subject()))
        .hasToString("C=CH, L=Bern, O=Example AG, OU=of alice, CN=web-7");
    assertThat(CsrReader.subjectAltNames(extension(tbs, ExtensionOids.SUBJECT_ALT_NAME)))
        .containsExactly(
            new GeneralName.Dns("a.example.test"),
            new GeneralName.Dns("web-7.example.test"),
            new GeneralName.Uri("spiffe://id.example.test/alice"));
    assertThat(tbs.extensions())
        .extracting(Extension::oid)
        .endsWith(FullProfiles.TLS_FEATURE, FullProfiles.OWN_TEXT)
        .contains(ExtensionOids.CERTIFICATE_POLICIES);
  }

  @Test
  void plan_replacedAttribute_isReported() throws Exception {
    IssuancePlan plan =
        EVERYTHING.plan(
            CsrFixture.empty()
                .subject(
                    new Attribute(NameAttribute.ORGANIZATION, "Internet Widgits"),
                    new Attribute(NameAttribute.COMMON_NAME, "web-7"))
                .signedBy(KEY));

    assertThat(plan.departures().overridden()).containsExactly(NameAttribute.ORGANIZATION.oid());
    assertThat(EVERYTHING.plan(CsrFixture.host("web-7").signedBy(KEY)).departures().overridden())
        .isEmpty();
  }

  @Test
  void plan_requestersTextInATemplate_cannotMoveTheName() {
    for (String commonName :
        List.of("web-7/../x", "evil.test#", "web-7.evil.test", "a@b", "*", "web-1234")) {
      assertRefused(EVERYTHING, CsrFixture.host(commonName).signedBy(KEY));
    }
  }

  @Test
  void plan_clamped_saysSo() throws Exception {
    Instant end = Fixtures.NOW.plusSeconds(60);
    Issuer soon =
        Fixtures.withValidity(ISSUER, new Validity(Fixtures.NOW.minusSeconds(99_999), end));
    CertificateProfile profile = FullProfiles.everything();

    IssuancePlan plan = new AcceptLine(profile, soon).plan(CsrFixture.host("web-7").signedBy(KEY));

    Instant wanted = profile.content().validity().notAfterFor(fields(plan).validity().notBefore());
    assertThat(plan.departures().clamped()).contains(new IssuancePlan.Clamped(wanted, end));
    assertThat(EVERYTHING.plan(CsrFixture.host("web-7").signedBy(KEY)).departures().clamped())
        .isEmpty();
  }

  @Test
  void plan_fixedEnd_isTheProfilesAndTimeStampingIsCritical() throws Exception {
    TbsCertificate tbs =
        fields(
            new AcceptLine(FullProfiles.timeStamping(), ISSUER)
                .plan(CsrFixture.host("TSU 1").signedBy(KEY)));

    assertThat(tbs.validity().notAfter()).isEqualTo(Instant.parse("2027-06-30T23:59:59Z"));
    Extension purposes = extension(tbs, ExtensionOids.EXTENDED_KEY_USAGE);
    assertThat(purposes.isCritical()).isTrue();
    assertThat(ExtensionReader.extendedKeyUsage(purposes))
        .isEqualTo(Set.of(ExtendedKeyUsage.TIME_STAMPING.oid()));
  }

  @Test
  void plan_nameOutsideTheIssuersConstraints_refusedInStep4() throws Exception {
    NameConstraints space =
        new NameConstraints(
            List.of(new NameSubtree.Dns("a.test")), List.of(new NameSubtree.Dns("x.a.test")));
    AcceptLine line = constrained(space);

    assertThat(line.plan(host("www.a.test"))).isNotNull();
    for (String name : List.of("b.test", "www.b.test", "x.a.test", "y.x.a.test", "*.a.test")) {
      assertRefused(line, host(name));
    }
    // Every certificate of the chain counts, not the nearest alone.
    assertRefused(
        new AcceptLine(
            Fixtures.tlsServer(),
            Fixtures.withConstraints(
                ISSUER,
                new IssuerConstraints(
                    OptionalInt.empty(),
                    List.of(
                        space,
                        new NameConstraints(
                            List.of(new NameSubtree.Dns("b.a.test")), List.of()))))),
        host("www.a.test"));
  }

  @Test
  void plan_subjectOutsideTheIssuersDirectory_refused() throws Exception {
    NameConstraints switzerland =
        new NameConstraints(
            List.of(
                new NameSubtree.Directory(
                    new org.sluiceca.core.x509.DistinguishedName(
                        List.of(new Attribute(NameAttribute.COUNTRY, "CH"))))),
            List.of());
    AcceptLine line = constrained(switzerland);

    assertThat(
            line.plan(
                CsrFixture.empty()
                    .subject(
                        new Attribute(NameAttribute.COUNTRY, "CH"),
                        new Attribute(NameAttribute.COMMON_NAME, "a.test"))
                    .signedBy(KEY)))
        .isNotNull();
    assertRefused(line, host("a.test"));
  }

  @Test
  void plan_caBelowAnIssuerWithoutRoom_refused() throws Exception {
    AcceptLine room = ca(OptionalInt.of(1));
    AcceptLine none = ca(OptionalInt.of(0));
    CsrDer csr = CsrFixture.host("Sub CA").signedBy(KEY);

    assertThat(room.plan(csr)).isNotNull();
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> none.plan(csr))
        .withMessageStartingWith("issuer_path_length");
  }

  /** What one CA's profile encodes, the next one's planner reads and keeps. */
  @Test
  void plan_constrainedCa_itsCertificateConstrainsTheNext() throws Exception {
    IssuancePlan plan =
        new AcceptLine(FullProfiles.constrainedCa(), ROOT)
            .plan(CsrFixture.host("Constrained CA").signedBy(KEY));
    CertificateDer certificate =
        TbsCertificateWriter.assemble(
            plan.tbsCertificate(), plan.signatureAlgorithm(), OctetString.copyOf(new byte[64]));

    IssuerConstraints constraints = ChainConstraints.of(List.of(certificate));

    assertThat(constraints.names()).containsExactly(FullProfiles.constraints());
    assertThat(constraints.pathLen()).hasValue(0);
    assertThat(extension(fields(plan), ExtensionOids.NAME_CONSTRAINTS).isCritical()).isTrue();
  }

  @Test
  void chain_pathLengths_theTightestCounts() throws Exception {
    CertificateDer one = caCertificate(1);
    CertificateDer none = caCertificate(0);

    assertThat(ChainConstraints.of(List.of(one)).pathLen()).hasValue(1);
    // The upper one's 1 is used up by the lower CA.
    assertThat(ChainConstraints.of(List.of(one, one)).pathLen()).hasValue(0);
    assertThat(ChainConstraints.of(List.of(none, one)).pathLen()).hasValue(0);
    assertThat(ChainConstraints.of(List.of(one, none)).pathLen()).hasValue(0);
    assertThat(ChainConstraints.of(List.of()).pathLen()).isEmpty();
  }

  private static CertificateDer caCertificate(int pathLen) throws Exception {
    TbsCertificate tbs =
        fields(
            new AcceptLine(FullProfiles.constrainedCa(), ROOT)
                .plan(CsrFixture.host("CA").signedBy(KEY)));
    List<Extension> extensions =
        tbs.extensions().stream()
            .map(
                e ->
                    e.oid().equals(ExtensionOids.BASIC_CONSTRAINTS)
                        ? org.sluiceca.core.der.Extensions.basicConstraints(
                            true, OptionalInt.of(pathLen))
                        : e)
            .toList();
    return TbsCertificateWriter.assemble(
        TbsCertificateWriter.write(
            new TbsCertificate(
                tbs.serialNumber(),
                tbs.signatureAlgorithm(),
                tbs.issuer(),
                tbs.validity(),
                tbs.subject(),
                tbs.subjectPublicKeyInfo(),
                extensions)),
        tbs.signatureAlgorithm(),
        OctetString.copyOf(new byte[64]));
  }

  private static AcceptLine constrained(NameConstraints space) {
    return new AcceptLine(
        Fixtures.tlsServer(),
        Fixtures.withConstraints(
            ISSUER, new IssuerConstraints(OptionalInt.empty(), List.of(space))));
  }

  private static AcceptLine ca(OptionalInt pathLen) {
    return new AcceptLine(
        Fixtures.issuingCa(),
        Fixtures.withConstraints(ROOT, new IssuerConstraints(pathLen, List.of())));
  }

  private static CsrDer host(String name) {
    return CsrFixture.host(name, name).signedBy(KEY);
  }

  private static TbsCertificate fields(IssuancePlan plan) throws Exception {
    return CertificateReader.read(plan.tbsCertificate());
  }

  private static Extension extension(TbsCertificate tbs, String oid) {
    Optional<Extension> extension = tbs.extension(oid);
    return extension.orElseThrow();
  }

  private static void assertRefused(AcceptLine line, CsrDer csr) {
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> line.plan(csr))
        .satisfies(
            e ->
                assertThat(e.rejection().reason())
                    .as(e.rejection().detail())
                    .isEqualTo(Reason.NAME_NOT_ALLOWED));
  }
}
