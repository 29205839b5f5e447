package org.sluiceca.core.plan.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.sluiceca.core.testkit.RawDer.hex;

import java.math.BigInteger;
import java.net.InetAddress;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.testkit.AcceptLine;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertificateDer;
import org.sluiceca.core.x509.Validity;

/** Each lint lets the planner's certificate pass and finds the mistake that it is there for. */
class LintsTest {

  private static final SoftwareKey KEY = SoftwareKey.named("ec-p256");
  private static final Issuer ISSUER = Fixtures.issuing(SoftwareKey.named("issuer-ec-p256"));
  private static final CertificateProfile PROFILE = Fixtures.tlsServer();

  @Test
  void check_planOfEveryProfileAndKey_passes() {
    for (CertificateProfile profile : Fixtures.profiles()) {
      Issuer issuer =
          profile.issuer().equals(Fixtures.ROOT)
              ? Fixtures.root(SoftwareKey.named("issuer-rsa-2048"))
              : ISSUER;
      for (String key : List.of("rsa-3072", "ec-p256", "ec-p521", "ed25519", "ed448")) {
        assertThatCode(
                () ->
                    new AcceptLine(profile, issuer)
                        .plan(CsrFixture.host("a.test").signedBy(SoftwareKey.named(key))))
            .doesNotThrowAnyException();
      }
    }
  }

  @Test
  void serialNumber_otherWeekOrLayoutOrLength_found() {
    assertFound("serial_number", octets(tbs -> with(tbs, 2, b -> (byte) (b + 1))));
    assertFound("serial_number", octets(tbs -> with(tbs, 0, b -> (byte) 2)));
    assertFound("serial_number", octets(tbs -> Arrays.copyOf(tbs, 18)));
    assertFound("serial_number", octets(tbs -> Arrays.copyOf(tbs, 20)));
    assertFound("serial_number", octets(tbs -> Arrays.copyOf(tbs, 21)));
    assertFound("serial_number", octets(tbs -> with(Arrays.copyOf(tbs, 20), 0, b -> (byte) 0x80)));
    assertFound("serial_number", octets(tbs -> new byte[1]));
    assertFound("serial_number", octets(tbs -> new byte[] {1}));
  }

  @Test
  void signatureAlgorithm_anotherThanTheIssuers_found() {
    for (SignatureAlgorithm other : SignatureAlgorithm.values()) {
      if (other != SignatureAlgorithm.ECDSA_SHA256) {
        assertFound("signature_algorithm", tbs -> new TbsChange(tbs).algorithm(other).done());
      }
    }
  }

  @Test
  void issuer_anotherName_found() {
    assertFound("issuer", tbs -> new TbsChange(tbs).issuer("Sluice Test Issuing CB").done());
  }

  @Test
  void validity_asecondBeyondTheIssuerOrTheProfile_found() {
    Validity own = fields().validity();
    Validity issuer = ISSUER.validity();
    assertFound(
        "validity",
        tbs -> new TbsChange(tbs).validity(own.notBefore(), own.notAfter().plusSeconds(1)).done());
    assertFound(
        "validity",
        tbs -> new TbsChange(tbs).validity(own.notBefore().minusSeconds(1), own.notAfter()).done());
    assertFound(
        "validity",
        tbs ->
            new TbsChange(tbs).validity(own.notBefore(), issuer.notAfter().plusSeconds(1)).done());
    assertFound(
        "validity",
        tbs ->
            new TbsChange(tbs).validity(issuer.notBefore().minusSeconds(1), own.notAfter()).done());
  }

  @Test
  void validity_notYetOrNoLongerNow_found() {
    Instant now = Fixtures.NOW;
    assertFound(
        "validity",
        tbs -> new TbsChange(tbs).validity(now.plusSeconds(1), now.plusSeconds(60)).done());
    assertFound(
        "validity",
        tbs -> new TbsChange(tbs).validity(now.minusSeconds(60), now.minusSeconds(1)).done());
  }

  @Test
  void subject_criticalityOfTheNamesWrong_found() {
    List<GeneralName> names = List.of(new GeneralName.Dns("a.test"));
    assertFound("subject", replace(Extensions.subjectAltName(names, true)));
    assertFound("subject", tbs -> new TbsChange(tbs).subject().done());
    assertFound(
        "subject",
        tbs -> new TbsChange(tbs).subject().without(ExtensionOids.SUBJECT_ALT_NAME).done());
  }

  @Test
  void subject_againstTheProfile_found() {
    assertFound(
        "subject",
        tbs -> new TbsChange(tbs).subject(new Attribute(NameAttribute.COMMON_NAME, "a\0b")).done());
    Attribute cn = new Attribute(NameAttribute.COMMON_NAME, "a.test");
    assertFound("subject", tbs -> new TbsChange(tbs).subject(cn, cn).done());
  }

  @Test
  void basicConstraints_caAbsentPathLenOrNotCritical_found() {
    Extension ca = Extensions.basicConstraints(true, OptionalInt.empty());
    Extension none = Extensions.basicConstraints(false, OptionalInt.empty());
    assertFound("basic_constraints", replace(ca));
    assertFound("basic_constraints", replace(Extension.of(none.oid(), false, none.value())));
    assertFound("basic_constraints", tbs -> new TbsChange(tbs).without(none.oid()).done());
    // A path length without cA.
    assertFound("basic_constraints", replace(Extension.of(none.oid(), true, hex("3003020100"))));
  }

  @Test
  void basicConstraints_otherPathLenOfACa_found() throws Exception {
    Issuer root = Fixtures.root(SoftwareKey.named("issuer-ec-p256"));
    CertificateProfile profile = Fixtures.issuingCa();
    TbsCertificateDer planned =
        new AcceptLine(profile, root).plan(CsrFixture.host("CA").signedBy(KEY)).tbsCertificate();
    Extension unlimited = Extensions.basicConstraints(true, OptionalInt.empty());
    TbsCertificate planted = replace(unlimited).apply(CertificateReader.read(planned));

    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(
            () ->
                Lints.check(TbsCertificateWriter.write(planted), side(root), profile, Fixtures.NOW))
        .withMessageStartingWith("basic_constraints:");
  }

  @Test
  void keyUsage_otherAbsentOrNotCritical_found() {
    Extension right = Extensions.keyUsage(Set.of(KeyUsage.DIGITAL_SIGNATURE));
    assertFound(
        "key_usage",
        replace(Extensions.keyUsage(Set.of(KeyUsage.DIGITAL_SIGNATURE, KeyUsage.KEY_CERT_SIGN))));
    assertFound("key_usage", replace(Extension.of(right.oid(), false, right.value())));
    assertFound("key_usage", tbs -> new TbsChange(tbs).without(right.oid()).done());
  }

  @Test
  void extendedKeyUsage_otherMoreAbsentOrCritical_found() {
    Extension right = Extensions.extendedKeyUsage(Set.of(ExtendedKeyUsage.SERVER_AUTH));
    assertFound(
        "extended_key_usage",
        replace(Extensions.extendedKeyUsage(Set.of(ExtendedKeyUsage.CODE_SIGNING))));
    assertFound(
        "extended_key_usage",
        replace(
            Extensions.extendedKeyUsage(
                Set.of(ExtendedKeyUsage.SERVER_AUTH, ExtendedKeyUsage.CLIENT_AUTH))));
    assertFound("extended_key_usage", replace(Extension.of(right.oid(), true, right.value())));
    assertFound("extended_key_usage", tbs -> new TbsChange(tbs).without(right.oid()).done());
  }

  @Test
  void keyIdentifier_absentForeignOrCritical_found() {
    byte[] other = new byte[20];
    assertFound("key_identifier", replace(Extensions.authorityKeyIdentifier(other)));
    assertFound(
        "key_identifier",
        tbs -> new TbsChange(tbs).without(ExtensionOids.AUTHORITY_KEY_IDENTIFIER).done());
    assertFound(
        "key_identifier",
        tbs -> new TbsChange(tbs).without(ExtensionOids.SUBJECT_KEY_IDENTIFIER).done());
    Extension subject = Extensions.subjectKeyIdentifier(other);
    assertFound("key_identifier", replace(Extension.of(subject.oid(), true, subject.value())));
  }

  @Test
  void subjectAltName_againstSyntaxOrProfile_found() {
    for (GeneralName name :
        List.of(
            new GeneralName.Dns("a_b.test"),
            new GeneralName.Email("a@b.test"),
            new GeneralName.Uri("urn:a:b"))) {
      assertFound(
          "subject_alt_name",
          replace(Extensions.subjectAltName(List.of(new GeneralName.Dns("a.test"), name), false)));
    }
    assertFound(
        "subject_alt_name",
        replace(Extensions.subjectAltName(List.of(new GeneralName.Dns("b.test")), false)));
    assertFound(
        "subject_alt_name",
        replace(
            Extensions.subjectAltName(
                List.of(new GeneralName.Dns("a.test"), new GeneralName.Dns("A.test")), false)));
    assertFound(
        "subject_alt_name",
        tbs -> new TbsChange(tbs).without(ExtensionOids.SUBJECT_ALT_NAME).done());
  }

  @Test
  void revocation_neitherOrBothOrOther_found() {
    Extension never = Extensions.noRevocationAvailable();
    String crl = ExtensionOids.CRL_DISTRIBUTION_POINTS;
    assertFound("revocation", tbs -> new TbsChange(tbs).with(never).done());
    assertFound("revocation", tbs -> new TbsChange(tbs).without(crl).with(never).done());
    assertFound("revocation", tbs -> new TbsChange(tbs).without(crl).done());
  }

  @Test
  void extensions_oneThatNobodyPlanned_found() {
    Extension foreign = Extension.of("2.5.29.36", true, hex("3000"));
    assertFound("extensions", tbs -> new TbsChange(tbs).with(foreign).done());
    Extension issuerAltName = Extension.of("2.5.29.18", false, hex("3003820161"));
    assertFound("extensions", tbs -> new TbsChange(tbs).with(issuerAltName).done());
  }

  @Test
  void publicKey_againstTheProfile_found() throws Exception {
    CertificateProfile profile = Fixtures.shortLivedClient();
    TbsCertificateDer planned =
        new AcceptLine(profile, ISSUER)
            .plan(CsrFixture.host("Alice").signedBy(KEY))
            .tbsCertificate();
    TbsCertificate planted =
        new TbsChange(CertificateReader.read(planned))
            .key(SoftwareKey.named("rsa-2048").publicKey())
            .done();

    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(
            () ->
                Lints.check(
                    TbsCertificateWriter.write(planted), side(ISSUER), profile, Fixtures.NOW))
        .withMessageStartingWith("public_key:");
  }

  @Test
  void wellFormed_bytesThatAreNoCertificate_found() {
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(
            () ->
                Lints.check(TbsCertificateDer.of(hex("3000")), side(ISSUER), PROFILE, Fixtures.NOW))
        .withMessageStartingWith("well_formed:");
  }

  /** Plants a mistake that the planner could not make, and asserts which lint finds it. */
  private static void assertFound(String lint, UnaryOperator<TbsCertificate> mistake) {
    TbsCertificateDer planted = TbsCertificateWriter.write(mistake.apply(fields()));

    assertThatExceptionOfType(RejectedException.class)
        .as(lint)
        .isThrownBy(() -> Lints.check(planted, side(ISSUER), PROFILE, Fixtures.NOW))
        .satisfies(e -> assertThat(e.rejection().reason()).isEqualTo(Reason.LINT))
        .withMessageStartingWith(lint + ":");
  }

  private static TbsCertificate fields() {
    try {
      return CertificateReader.read(
          new AcceptLine(PROFILE, ISSUER)
              .plan(
                  CsrFixture.host("a.test")
                      .names(
                          List.of(
                              new GeneralName.Dns("a.test"),
                              new GeneralName.Ip(InetAddress.ofLiteral("192.0.2.1"))))
                      .signedBy(KEY))
              .tbsCertificate());
    } catch (RejectedException | org.sluiceca.core.der.DerException e) {
      throw new AssertionError(e);
    }
  }

  private static IssuerSide side(Issuer issuer) {
    return new IssuerSide(
        issuer.subject(),
        issuer.subjectPublicKeyInfo(),
        issuer.keyIdentifier(),
        issuer.validity(),
        issuer.constraints());
  }

  private static UnaryOperator<TbsCertificate> replace(Extension extension) {
    return tbs -> new TbsChange(tbs).replacing(extension).done();
  }

  private static UnaryOperator<TbsCertificate> octets(UnaryOperator<byte[]> change) {
    return tbs ->
        new TbsCertificate(
            OctetString.copyOf(
                new BigInteger(1, change.apply(tbs.serialNumber().octets())).toByteArray()),
            tbs.signatureAlgorithm(),
            tbs.issuer(),
            tbs.validity(),
            tbs.subject(),
            tbs.subjectPublicKeyInfo(),
            tbs.extensions());
  }

  private interface OctetChange {
    byte of(byte octet);
  }

  private static byte[] with(byte[] octets, int at, OctetChange change) {
    byte[] copy = octets.clone();
    copy[at] = change.of(copy[at]);
    return copy;
  }
}
