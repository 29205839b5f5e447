package org.sluiceca.core.plan.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.sluiceca.core.testkit.RawCsr.relativeName;
import static org.sluiceca.core.testkit.RawCsr.utf8;
import static org.sluiceca.core.testkit.RawDer.hex;
import static org.sluiceca.core.testkit.RawDer.sequence;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.Extensions.TextType;
import org.sluiceca.core.naming.NameTemplate;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.profile.AddedExtension;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.CertificateProfile.Content;
import org.sluiceca.core.profile.ExtensionPolicy;
import org.sluiceca.core.profile.ExtensionPolicy.Additions;
import org.sluiceca.core.profile.KeyPolicy;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.FullProfiles;
import org.sluiceca.core.testkit.RawTree;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CertificatePolicy;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.NameConstraints;
import org.sluiceca.core.x509.NameDer;
import org.sluiceca.core.x509.PublicKeyAlgorithm;
import org.sluiceca.core.x509.Validity;

/**
 * One lint at a time: what it says, and the faults that it can find only if another lint, which
 * would have found them first, is not asked.
 */
class LintFaultsTest {

  private static final Issuer ISSUER = Fixtures.issuing(SoftwareKey.named("issuer-ec-p256"));

  /** Of the kind that may agree on keys, which a profile of others must not say. */
  private static final KeyPolicy EC_ONLY = new KeyPolicy(Set.of(PublicKeyAlgorithm.EC_P256), 2048);

  @Test
  void count_lints_all() {
    assertThat(Lints.count()).isEqualTo(Lints.ALL.size());
  }

  @Test
  void validity_beyondTheIssuersOnly_found() throws Exception {
    Validity own = tlsServer().done().tbs().validity();
    Instant from = own.notBefore();
    Instant to = own.notAfter();

    assertThat(validityBelow(new Validity(from, to))).isEmpty();
    assertThat(validityBelow(new Validity(from.plusSeconds(1), to)))
        .contains("notBefore before that of the issuer");
    assertThat(validityBelow(new Validity(from, to.minusSeconds(1))))
        .contains("notAfter after that of the issuer");
  }

  private static Optional<String> validityBelow(Validity issuers) throws Exception {
    return new ValidityLint()
        .fault(
            tlsServer()
                .issuer(
                    issuer ->
                        new IssuerSide(
                            issuer.subject(),
                            issuer.key(),
                            issuer.keyIdentifier(),
                            issuers,
                            issuer.constraints()))
                .done());
  }

  /** An external CA may have a title, say, which no subject here can have: it is another name. */
  @Test
  void subject_issuerOfUnknownAttributes_none() throws Exception {
    byte[] title = hex("060355040c");
    NameDer external = NameDer.of(sequence(relativeName(title, utf8("web-1"))));

    assertThat(
            new SubjectLint()
                .fault(
                    tlsServer()
                        .issuer(
                            issuer ->
                                new IssuerSide(
                                    external,
                                    issuer.key(),
                                    issuer.keyIdentifier(),
                                    issuer.validity(),
                                    issuer.constraints()))
                        .done()))
        .isEmpty();
  }

  /** RFC 3279 2.3.1 and RFC 9295 3. Another key has another identifier, which its lint finds. */
  @ParameterizedTest
  @EnumSource(
      value = PublicKeyAlgorithm.class,
      names = {"RSA", "ED25519"})
  void keyUsage_notForTheKey_found(PublicKeyAlgorithm algorithm) throws Exception {
    String key = algorithm == PublicKeyAlgorithm.RSA ? "rsa-2048" : "ed25519";
    Set<KeyUsage> usages = Set.of(KeyUsage.KEY_AGREEMENT);
    CertificateProfile profile = tlsServer(EC_ONLY, usages, Additions.NONE);
    Extension extension = Extensions.keyUsage(usages);

    PlannedChange right = tlsServer().profile(profile).fields(tbs -> tbs.replacing(extension));
    assertThat(new KeyUsageLint().fault(right.done())).isEmpty();

    PlannedChange wrong = right.fields(tbs -> tbs.key(SoftwareKey.named(key).publicKey()));
    assertThat(new KeyUsageLint().fault(wrong.done()))
        .contains(
            String.format(
                Locale.ROOT, "a key of %s cannot have keyUsage KEY_AGREEMENT", algorithm));
  }

  /** What the one reader finds and the other does not is no certificate. */
  @Test
  void keyIdentifier_seenByOneReaderOnly_malformed() throws Exception {
    PlannedCertificate planned =
        tlsServer()
            .raw(
                tbs -> {
                  RawTree extensions = tbs.at(7, 0);
                  for (int i = 0; i < extensions.size(); i++) {
                    if (Arrays.equals(extensions.at(i, 0).encoded(), hex("0603551d0e"))) {
                      extensions.replace(i, new byte[0]);
                    }
                  }
                })
            .done();

    assertThatExceptionOfType(MalformedException.class)
        .isThrownBy(() -> new KeyIdentifierLint().fault(planned))
        .satisfies(e -> assertThat(e.fault()).isEqualTo("subjectKeyIdentifier absent"));
  }

  @Test
  void ocspNoCheck_missingOrNotWanted_saysWhich() throws Exception {
    String oid = ExtensionOids.OCSP_NO_CHECK;
    Extension noCheck = Extension.of(oid, false, hex("0500"));

    assertThat(new OcspNoCheckLint().fault(responder().fields(tbs -> tbs.without(oid)).done()))
        .contains("ocsp-nocheck is missing");
    assertThat(new OcspNoCheckLint().fault(tlsServer().fields(tbs -> tbs.with(noCheck)).done()))
        .contains("ocsp-nocheck is not the profile's");
  }

  /** RFC 6960 4.2.2.2.1: it means nothing but in the certificate of a responder. */
  @Test
  void ocspNoCheck_anotherPurpose_found() throws Exception {
    String purpose = ExtensionOids.EXTENDED_KEY_USAGE;
    Extension client = Extensions.extendedKeyUsage(Set.of(ExtendedKeyUsage.CLIENT_AUTH));
    Extension both =
        Extensions.extendedKeyUsage(
            Set.of(ExtendedKeyUsage.OCSP_SIGNING, ExtendedKeyUsage.CLIENT_AUTH));

    for (PlannedChange change :
        List.of(
            responder().fields(tbs -> tbs.without(purpose)),
            responder().fields(tbs -> tbs.replacing(client)),
            responder().fields(tbs -> tbs.replacing(both)))) {
      assertThat(new OcspNoCheckLint().fault(change.done()))
          .contains("ocsp-nocheck in a certificate with another purpose");
    }
  }

  @Test
  void addedExtensions_lengthOfText_upTo512() throws Exception {
    assertThat(addedText("${requester.id}", "a")).isEmpty();
    assertThat(addedText("${requester.id}", "a".repeat(AddedExtension.TEXT_MAX))).isEmpty();
    assertThat(addedText("${requester.id}", "a".repeat(AddedExtension.TEXT_MAX + 1))).isPresent();
    assertThat(addedText("${requester.id}", "")).isPresent();
  }

  @Test
  void addedExtensions_constantText_thatAndNoOther() throws Exception {
    assertThat(addedText("as it is", "as it is")).isEmpty();
    assertThat(addedText("as it is", "as it was"))
        .contains("extension " + FullProfiles.OWN_TEXT + " is not what the profile says");
  }

  private static Optional<String> addedText(String template, String text) throws Exception {
    AddedExtension added =
        new AddedExtension(
            FullProfiles.OWN_TEXT,
            false,
            new AddedExtension.Value.Text(TextType.UTF8, NameTemplate.of(template)));
    Additions additions = new Additions(List.of(), NameConstraints.NONE, false, List.of(added));
    return new AddedExtensionsLint()
        .fault(
            tlsServer()
                .profile(tlsServer(EC_ONLY, Set.of(KeyUsage.DIGITAL_SIGNATURE), additions))
                .fields(tbs -> tbs.with(Extension.of(added.oid(), false, utf8(text))))
                .done());
  }

  @Test
  void extensions_oneThatNobodyPlanned_saysWhich() throws Exception {
    Extension foreign = Extension.of("2.5.29.18", false, hex("3003820161"));

    assertThat(new ExtensionsLint().fault(tlsServer().fields(tbs -> tbs.with(foreign)).done()))
        .contains("extension 2.5.29.18 is not one of the profile's");
  }

  @Test
  void criticality_eitherWay_saysWhich() throws Exception {
    Extension none = Extensions.basicConstraints(false, OptionalInt.empty());
    Extension lax = Extension.of(none.oid(), false, none.value());
    Extension key = Extensions.subjectKeyIdentifier(new byte[20]);
    Extension strict = Extension.of(key.oid(), true, key.value());

    assertThat(new CriticalityLint().fault(tlsServer().fields(tbs -> tbs.replacing(lax)).done()))
        .contains("extension 2.5.29.19 is not critical");
    assertThat(new CriticalityLint().fault(tlsServer().fields(tbs -> tbs.replacing(strict)).done()))
        .contains("extension 2.5.29.14 is critical");
  }

  /** RFC 5280 4.2.1.4: also where the profile itself should say it twice. */
  @Test
  void certificatePolicies_oneTwice_found() throws Exception {
    CertificatePolicy one =
        new CertificatePolicy("1.3.6.1.4.1.55555.2.1", Optional.empty(), Optional.empty());
    CertificatePolicy other =
        new CertificatePolicy("2.23.140.1.2.1", Optional.empty(), Optional.empty());

    assertThat(policies(List.of(one))).contains("certificatePolicies are not the profile's");
    assertThat(policies(List.of(one, other))).contains("certificatePolicies are not the profile's");
    assertThat(policies(List.of(one, one))).contains("a certificate policy twice");
    assertThat(policies(List.of(one, other, one))).contains("a certificate policy twice");
  }

  private static Optional<String> policies(List<CertificatePolicy> policies) throws Exception {
    return new CertificatePoliciesLint()
        .fault(
            tlsServer().fields(tbs -> tbs.with(Extensions.certificatePolicies(policies))).done());
  }

  /** RFC 5280 4.2.1.4: one or two parts, at least one qualifier of two parts, of a known kind. */
  @ParameterizedTest
  @CsvSource({
    "3002 3000, a policy of 0 parts",
    "300a 3008 06022a03 3000 0500, a policy of 3 parts",
    "3008 3006 06022a03 3000, policyQualifiers without one",
    "300a 3008 06022a03 3002 3000, a qualifier of 0 parts",
    "3012 3010 06022a03 300a 3008 06022a04 0500 0500, a qualifier of 3 parts",
    "3010 300e 06022a03 3008 3006 06022a04 0500, an unknown policy qualifier"
  })
  void certificatePolicies_malformed_saysHow(String value, String fault) {
    Extension extension = Extension.of(ExtensionOids.CERTIFICATE_POLICIES, false, hex(value));

    assertThatExceptionOfType(MalformedException.class)
        .isThrownBy(
            () ->
                new CertificatePoliciesLint()
                    .fault(tlsServer().fields(tbs -> tbs.with(extension)).done()))
        .satisfies(e -> assertThat(e.fault()).isEqualTo(fault));
  }

  private static PlannedChange tlsServer() {
    return new PlannedChange(Fixtures.tlsServer(), ISSUER);
  }

  private static PlannedChange responder() {
    return new PlannedChange(FullProfiles.ocspResponder(), ISSUER);
  }

  private static CertificateProfile tlsServer(
      KeyPolicy keys, Set<KeyUsage> usages, Additions additions) {
    Content c = Fixtures.tlsServer().content();
    ExtensionPolicy e = c.extensions();
    return Fixtures.withContent(
        Fixtures.tlsServer(),
        new Content(
            c.validity(),
            c.subject(),
            keys,
            c.subjectAltName(),
            new ExtensionPolicy(
                usages, e.extendedKeyUsage(), e.isCa(), e.pathLen(), e.revocation(), additions)));
  }
}
