package org.sluiceca.core.plan.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sluiceca.core.testkit.RawDer.hex;
import static org.sluiceca.core.testkit.RawDer.tlv;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.Extensions;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.der.TbsCertificateWriter;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.plan.KeyIdentifiers;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.CertificateProfile.Content;
import org.sluiceca.core.profile.KeyPolicy;
import org.sluiceca.core.testkit.AcceptLine;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.FullProfiles;
import org.sluiceca.core.testkit.RawDer;
import org.sluiceca.core.testkit.RawTree;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CertificatePolicy;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.IssuerConstraints;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.NameConstraints;
import org.sluiceca.core.x509.NameSubtree;
import org.sluiceca.core.x509.PublicKeyAlgorithm;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertificateDer;
import org.sluiceca.core.x509.Validity;

/**
 * One planted bug and more for each lint: that lint reports it, and no other that it need not. A
 * lint without a bug of its own here fails the build, for no test would notice if it stopped
 * working.
 */
class LintMutantsTest {

  private static final SoftwareKey KEY = SoftwareKey.named("ec-p256");
  private static final Issuer ISSUER = Fixtures.issuing(SoftwareKey.named("issuer-ec-p256"));
  private static final Issuer ROOT = Fixtures.root(SoftwareKey.named("issuer-ec-p384"));

  private static final Subject END_ENTITY = new Subject(FullProfiles.everything(), ISSUER);
  private static final Subject CA = new Subject(FullProfiles.constrainedCa(), ROOT);
  private static final Subject RESPONDER = new Subject(FullProfiles.ocspResponder(), ISSUER);
  private static final Subject SHORT_LIVED = new Subject(Fixtures.shortLivedClient(), ISSUER);

  /** What is planned before it is broken. */
  record Subject(CertificateProfile profile, Issuer issuer) {

    TbsCertificateDer planned() {
      try {
        return new AcceptLine(profile, issuer)
            .plan(CsrFixture.host("web-1").signedBy(KEY))
            .tbsCertificate();
      } catch (org.sluiceca.core.failure.RejectedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** A bug, and the lint that must find it. */
  record Mutant(
      String lint,
      String bug,
      Subject subject,
      UnaryOperator<byte[]> change,
      UnaryOperator<CertificateProfile> profile,
      IssuerConstraints constraints) {

    @Override
    public String toString() {
      return lint + ": " + bug;
    }
  }

  private static Mutant raw(
      String lint, String bug, Subject subject, UnaryOperator<byte[]> change) {
    return new Mutant(lint, bug, subject, change, UnaryOperator.identity(), IssuerConstraints.NONE);
  }

  private static Mutant fields(
      String lint, String bug, Subject subject, UnaryOperator<TbsChange> change) {
    return raw(
        lint,
        bug,
        subject,
        der -> write(change.apply(new TbsChange(read(TbsCertificateDer.of(der)))).done()));
  }

  private static Mutant replaced(String lint, String bug, Subject subject, Extension extension) {
    return fields(lint, bug, subject, tbs -> tbs.replacing(extension));
  }

  private static Mutant below(String lint, String bug, Subject subject, IssuerConstraints above) {
    return new Mutant(
        lint, bug, subject, UnaryOperator.identity(), UnaryOperator.identity(), above);
  }

  private static Mutant under(
      String lint, String bug, Subject subject, UnaryOperator<CertificateProfile> profile) {
    return new Mutant(
        lint, bug, subject, UnaryOperator.identity(), profile, IssuerConstraints.NONE);
  }

  static Stream<Mutant> mutants() {
    return Stream.of(
            structure(),
            subjectMutants(),
            alternativeNameMutants(),
            keyMutants(),
            policyMutants(),
            locationMutants(),
            additionMutants(),
            criticalityMutants(),
            constraintMutants())
        .flatMap(List::stream);
  }

  private static List<Mutant> structure() {
    Subject end = END_ENTITY;
    Validity own = read(end.planned()).validity();
    return List.of(
        raw("well_formed", "an octet behind", end, der -> Arrays.copyOf(der, der.length + 1)),
        raw("well_formed", "version 1", end, at(tree -> tree.at(0).replace(0, hex("020100")))),
        raw(
            "well_formed",
            "an extension twice",
            end,
            at(tree -> extensionsOf(tree).add(extensionsOf(tree).at(1).encoded()))),
        raw(
            "well_formed",
            "critical, the default, encoded",
            end,
            at(
                tree ->
                    extensionsOf(tree)
                        .at(2)
                        .replace(
                            1, RawDer.join(hex("010100"), extensionsOf(tree).at(2, 1).encoded())))),
        raw(
            "well_formed",
            "an issuerUniqueID",
            end,
            at(tree -> tree.replace(6, RawDer.join(tree.at(6).encoded(), hex("810200aa"))))),
        raw(
            "serial_number",
            "another week",
            end,
            at(
                tree -> {
                  byte[] serial = tree.at(1).contents();
                  serial[2]++;
                  tree.replace(1, tlv(2, serial));
                })),
        fields(
            "signature_algorithm",
            "another hash",
            end,
            tbs -> tbs.algorithm(SignatureAlgorithm.ECDSA_SHA384)),
        fields("issuer", "another CA", end, tbs -> tbs.issuer("Sluice Test Issuing CB")),
        fields(
            "validity",
            "a second too long",
            end,
            tbs -> tbs.validity(own.notBefore(), own.notAfter().plusSeconds(1))),
        raw(
            "validity_encoding",
            "GeneralizedTime before 2050",
            end,
            at(tree -> tree.at(4).replace(0, tlv(0x18, ascii("20261121110000Z"))))),
        raw(
            "validity_encoding",
            "GeneralizedTime before 2050, notAfter",
            end,
            at(
                tree ->
                    tree.at(4)
                        .replace(
                            1,
                            tlv(
                                0x18,
                                ascii(
                                    "20"
                                        + new String(
                                            tree.at(4, 1).contents(),
                                            StandardCharsets.US_ASCII)))))));
  }

  private static List<Mutant> subjectMutants() {
    Subject end = END_ENTITY;
    return List.of(
        fields(
            "subject",
            "not the profile's country",
            end,
            tbs ->
                tbs.subject(
                    new Attribute(NameAttribute.COUNTRY, "DE"),
                    new Attribute(NameAttribute.LOCALITY, "Bern"),
                    new Attribute(NameAttribute.ORGANIZATION, "Example AG"),
                    new Attribute(NameAttribute.ORGANIZATIONAL_UNIT, "x"),
                    new Attribute(NameAttribute.COMMON_NAME, "web-1"))),
        fields(
            "subject",
            "not the profile's pattern",
            end,
            tbs ->
                tbs.subject(
                    new Attribute(NameAttribute.COUNTRY, "CH"),
                    new Attribute(NameAttribute.LOCALITY, "Bern"),
                    new Attribute(NameAttribute.ORGANIZATION, "Example AG"),
                    new Attribute(NameAttribute.ORGANIZATIONAL_UNIT, "x"),
                    new Attribute(NameAttribute.COMMON_NAME, "web-1000"))),
        raw(
            "subject_encoding",
            "a common name as IA5String",
            end,
            at(tree -> lastAttribute(tree).replace(1, tlv(0x16, ascii("web-1"))))),
        raw(
            "subject_encoding",
            "a country as UTF8String",
            end,
            at(tree -> tree.at(5, 0, 0).replace(1, tlv(0x0C, ascii("CH"))))));
  }

  private static List<Mutant> alternativeNameMutants() {
    Subject end = END_ENTITY;
    return List.of(
        replaced(
            "subject_alt_name",
            "a name outside the permitted ones",
            end,
            sans(end, new GeneralName.Dns("a.other.test"))),
        replaced(
            "subject_alt_name",
            "an excluded name",
            end,
            sans(end, new GeneralName.Dns("secret.example.test"))),
        replaced(
            "subject_alt_name",
            "a scheme that is not the profile's",
            end,
            sans(end, new GeneralName.Uri("http://id.example.test/x"))),
        replaced(
            "subject_alt_name",
            "an e-mail address not of the pattern",
            end,
            sans(end, new GeneralName.Email("a1@example.test"))),
        replaced(
            "subject_alt_name",
            "one address too many",
            end,
            sans(end, ip("192.0.2.1"), ip("192.0.2.2"))),
        replaced(
            "subject_alt_name_syntax",
            "half an octet behind %",
            end,
            sans(end, new GeneralName.Uri("https://id.example.test/%1"))),
        replaced(
            "subject_alt_name_syntax",
            "empty",
            end,
            Extension.of(ExtensionOids.SUBJECT_ALT_NAME, false, hex("3000"))));
  }

  private static List<Mutant> keyMutants() {
    Subject end = END_ENTITY;
    Extension usage = Extensions.keyUsage(Set.of(KeyUsage.CONTENT_COMMITMENT));
    Extension purpose = Extensions.extendedKeyUsage(Set.of(ExtendedKeyUsage.CODE_SIGNING));
    SoftwareKey other = SoftwareKey.named("ec-p384");
    return List.of(
        under("public_key", "a key that the profile does not allow", end, LintMutantsTest::rsaOnly),
        fields(
            "key_identifier",
            "the identifier of another key",
            end,
            tbs -> tbs.key(other.publicKey())),
        replaced(
            "key_identifier",
            "not the issuer's",
            end,
            Extensions.authorityKeyIdentifier(hex("01"))),
        replaced(
            "key_identifier", "of octets 0", end, Extensions.subjectKeyIdentifier(new byte[20])),
        replaced(
            "key_identifier",
            "a longer hash",
            end,
            Extensions.subjectKeyIdentifier(
                Arrays.copyOf(KeyIdentifiers.of(KEY.publicKey()).octets(), 21))),
        replaced("key_usage", "another usage", end, usage),
        replaced("extended_key_usage", "another purpose", end, purpose),
        fields(
            "extended_key_usage",
            "no purpose",
            end,
            tbs -> tbs.without(ExtensionOids.EXTENDED_KEY_USAGE)));
  }

  private static List<Mutant> policyMutants() {
    Subject end = END_ENTITY;
    CertificatePolicy policy =
        new CertificatePolicy("1.3.6.1.4.1.55555.2.1", Optional.empty(), Optional.empty());
    return List.of(
        replaced(
            "certificate_policies",
            "one left out",
            end,
            Extensions.certificatePolicies(List.of(policy))),
        replaced(
            "certificate_policies",
            "one twice",
            end,
            Extensions.certificatePolicies(List.of(policy, policy))),
        replaced(
            "certificate_policies",
            "empty",
            end,
            Extension.of(ExtensionOids.CERTIFICATE_POLICIES, false, hex("3000"))),
        replaced(
            "certificate_policies",
            "an octet too many in an OID",
            end,
            policiesWithSpareOctet(end)),
        replaced(
            "certificate_policies",
            "explicitText as BMPString",
            end,
            Extension.of(
                ExtensionOids.CERTIFICATE_POLICIES,
                false,
                hex("301b301906032a03043012301006082b0601050507020230041e020041"))));
  }

  private static List<Mutant> locationMutants() {
    Subject end = END_ENTITY;
    String aia = ExtensionOids.AUTHORITY_INFORMATION_ACCESS;
    String cdp = ExtensionOids.CRL_DISTRIBUTION_POINTS;
    return List.of(
        fields("revocation", "no CRL", end, tbs -> tbs.without(cdp)),
        fields(
            "revocation",
            "no noRevAvail",
            SHORT_LIVED,
            tbs -> tbs.without(ExtensionOids.NO_REVOCATION_AVAILABLE)),
        replaced(
            "authority_information_access",
            "ldap",
            end,
            Extensions.authorityInformationAccess("ldap://ca.example.test/x")),
        replaced(
            "authority_information_access", "empty", end, Extension.of(aia, false, hex("3000"))),
        replaced(
            "authority_information_access",
            "a method without a location",
            end,
            Extension.of(aia, false, hex("300c300a06082b06010505073002"))),
        replaced(
            "authority_information_access",
            "another form of name",
            end,
            Extension.of(aia, false, hex("300f300d06082b06010505073002820161"))),
        replaced(
            "authority_information_access",
            "another method",
            end,
            Extension.of(aia, false, hex("3016301406032a0304860d687474703a2f2f612e74657374"))),
        replaced(
            "crl_distribution_points",
            "relative",
            end,
            Extensions.crlDistributionPoint("/crl/issuing.crl")),
        replaced("crl_distribution_points", "empty", end, Extension.of(cdp, false, hex("3000"))),
        replaced(
            "crl_distribution_points",
            "without a name",
            end,
            Extension.of(cdp, false, hex("30063004a002a000"))),
        replaced(
            "crl_distribution_points",
            "of some reasons only",
            end,
            Extension.of(
                cdp, false, hex("30193017a011a00f860d687474703a2f2f612e7465737481020640"))));
  }

  private static List<Mutant> additionMutants() {
    Subject end = END_ENTITY;
    return List.of(
        fields(
            "ocsp_no_check",
            "left out",
            RESPONDER,
            tbs -> tbs.without(ExtensionOids.OCSP_NO_CHECK)),
        replaced(
            "ocsp_no_check",
            "not NULL",
            RESPONDER,
            Extension.of(ExtensionOids.OCSP_NO_CHECK, false, hex("0c0161"))),
        replaced(
            "ocsp_no_check",
            "NULL with content",
            RESPONDER,
            Extension.of(ExtensionOids.OCSP_NO_CHECK, false, hex("050100"))),
        replaced(
            "added_extensions",
            "another constant",
            end,
            Extension.of(FullProfiles.TLS_FEATURE, false, hex("3003020111"))),
        replaced(
            "added_extensions",
            "critical",
            end,
            Extension.of(FullProfiles.TLS_FEATURE, true, hex("3003020105"))),
        replaced(
            "added_extensions",
            "another type of string",
            end,
            Extension.of(FullProfiles.OWN_TEXT, false, hex("160161"))),
        replaced(
            "added_extensions",
            "an empty text",
            end,
            Extension.of(FullProfiles.OWN_TEXT, false, hex("0c00"))),
        fields("added_extensions", "left out", end, tbs -> tbs.without(FullProfiles.TLS_FEATURE)),
        fields(
            "extensions",
            "one that was not planned",
            end,
            tbs -> tbs.with(Extension.of("2.5.29.18", false, hex("3003820161")))));
  }

  private static List<Mutant> criticalityMutants() {
    Subject end = END_ENTITY;
    String aia = ExtensionOids.AUTHORITY_INFORMATION_ACCESS;
    String cdp = ExtensionOids.CRL_DISTRIBUTION_POINTS;
    return List.of(
        replaced("criticality", "authority information access", end, critical(end, aia)),
        replaced("criticality", "distribution points", end, critical(end, cdp)),
        replaced("criticality", "policies", end, critical(end, ExtensionOids.CERTIFICATE_POLICIES)),
        replaced(
            "criticality",
            "ocsp-nocheck",
            RESPONDER,
            critical(RESPONDER, ExtensionOids.OCSP_NO_CHECK)),
        replaced(
            "criticality",
            "noRevAvail",
            SHORT_LIVED,
            critical(SHORT_LIVED, ExtensionOids.NO_REVOCATION_AVAILABLE)));
  }

  private static List<Mutant> constraintMutants() {
    Subject end = END_ENTITY;
    NameConstraints elsewhere =
        new NameConstraints(List.of(new NameSubtree.Dns("other.test")), List.of());
    NameConstraints notThis =
        new NameConstraints(List.of(), List.of(new NameSubtree.Dns("web-1.example.test")));
    return List.of(
        replaced(
            "basic_constraints",
            "another path length",
            CA,
            Extensions.basicConstraints(true, OptionalInt.of(1))),
        below(
            "issuer_path_length",
            "no CA may follow",
            CA,
            new IssuerConstraints(OptionalInt.of(0), List.of())),
        below(
            "issuer_name_constraints",
            "outside the permitted names",
            end,
            new IssuerConstraints(OptionalInt.empty(), List.of(NameConstraints.NONE, elsewhere))),
        below(
            "issuer_name_constraints",
            "an excluded name",
            end,
            new IssuerConstraints(OptionalInt.empty(), List.of(notThis))),
        replaced("name_constraints", "one left out", CA, Extensions.nameConstraints(elsewhere)),
        fields(
            "name_constraints",
            "left out",
            CA,
            tbs -> tbs.without(ExtensionOids.NAME_CONSTRAINTS)));
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void faults_plantedBug_foundByItsLintAlone(Mutant mutant) {
    byte[] planned = mutant.subject().planned().encoded();
    TbsCertificateDer broken = TbsCertificateDer.of(mutant.change().apply(planned));
    Issuer issuer = Fixtures.withConstraints(mutant.subject().issuer, mutant.constraints());

    assertThat(
            Lints.faults(
                broken,
                side(issuer),
                mutant.profile().apply(mutant.subject().profile),
                Fixtures.NOW))
        .extracting(Lints.Fault::lint)
        .containsExactlyInAnyOrderElementsOf(finders(mutant.lint()));
  }

  /** The policy demands the same syntax of names, by other code, so both lints must find it. */
  private static List<String> finders(String lint) {
    return lint.equals("subject_alt_name_syntax")
        ? List.of(lint, "subject_alt_name")
        : List.of(lint);
  }

  @Test
  void faults_nothingPlanted_none() {
    for (Subject subject : List.of(END_ENTITY, CA, RESPONDER, SHORT_LIVED)) {
      assertThat(
              Lints.faults(subject.planned(), side(subject.issuer), subject.profile, Fixtures.NOW))
          .as(subject.profile().name().value())
          .isEmpty();
    }
  }

  /** An issuer whose constraints leave room is no fault either. */
  @Test
  void faults_constraintsThatAreKept_none() {
    IssuerConstraints room =
        new IssuerConstraints(
            OptionalInt.of(1),
            List.of(
                new NameConstraints(
                    List.of(
                        new NameSubtree.Dns("example.test"),
                        new NameSubtree.Uri("id.example.test")),
                    List.of(new NameSubtree.Dns("web-2.example.test")))));
    for (Subject subject : List.of(END_ENTITY, CA)) {
      assertThat(
              Lints.faults(
                  subject.planned(),
                  side(Fixtures.withConstraints(subject.issuer, room)),
                  subject.profile,
                  Fixtures.NOW))
          .isEmpty();
    }
  }

  @Test
  void mutants_everyLint_hasOne() {
    Set<String> planted = new TreeSet<>();
    mutants().forEach(m -> planted.add(m.lint()));
    Set<String> lints = new TreeSet<>(Set.of(Lints.WELL_FORMED));
    Lints.ALL.forEach(l -> assertThat(lints.add(l.name())).as("%s twice", l.name()).isTrue());

    assertThat(planted).isEqualTo(lints);
  }

  @Test
  void lints_nameCitationAndDate_areThere() {
    for (Lint lint : Lints.ALL) {
      assertThat(lint.name()).matches("[a-z]+(_[a-z]+)*");
      assertThat(lint.citation()).contains("RFC ");
      assertThat(lint.effective()).isAfter(LocalDate.of(2000, 1, 1));
    }
  }

  /** An early clock must not switch off a rule: that would fail open. */
  @Test
  void isInEffect_earlyClock_onlyComingRulesWait() {
    for (Lint lint : Lints.ALL) {
      assertThat(Lints.isInEffect(lint.effective(), Instant.EPOCH)).as(lint.name()).isTrue();
    }
    LocalDate coming = LocalDate.of(2027, 3, 15);
    assertThat(Lints.isInEffect(coming, Instant.parse("2027-03-14T23:59:59Z"))).isFalse();
    assertThat(Lints.isInEffect(coming, Instant.parse("2027-03-15T00:00:00Z"))).isTrue();
    assertThat(Lints.isInEffect(LocalDate.of(2026, 11, 21), Instant.EPOCH)).isTrue();
    assertThat(Lints.isInEffect(LocalDate.of(2026, 11, 22), Instant.EPOCH)).isFalse();
  }

  private static CertificateProfile rsaOnly(CertificateProfile profile) {
    Content c = profile.content();
    return Fixtures.withContent(
        profile,
        new Content(
            c.validity(),
            c.subject(),
            new KeyPolicy(Set.of(PublicKeyAlgorithm.RSA), 2048),
            c.subjectAltName(),
            c.extensions()));
  }

  private interface TreeChange {
    void apply(RawTree tree);
  }

  private static UnaryOperator<byte[]> at(TreeChange change) {
    return der -> {
      RawTree tree = RawTree.of(der);
      change.apply(tree);
      return tree.encoded();
    };
  }

  private static RawTree extensionsOf(RawTree tbs) {
    return tbs.at(7, 0);
  }

  private static RawTree lastAttribute(RawTree tbs) {
    RawTree subject = tbs.at(5);
    return subject.at(subject.size() - 1, 0);
  }

  /** The planned names and these. */
  private static Extension sans(Subject subject, GeneralName... more) {
    try {
      List<GeneralName> names =
          new ArrayList<>(
              org.sluiceca.core.der.CsrReader.subjectAltNames(
                  read(subject.planned()).extension(ExtensionOids.SUBJECT_ALT_NAME).orElseThrow()));
      names.addAll(List.of(more));
      return Extensions.subjectAltName(names, false);
    } catch (org.sluiceca.core.der.DerException e) {
      throw new AssertionError(e);
    }
  }

  /** 2.23.140.1.2.1 with an arc in three octets: others compare the octets, not the arcs. */
  private static Extension policiesWithSpareOctet(Subject subject) {
    String oid = ExtensionOids.CERTIFICATE_POLICIES;
    RawTree policies = RawTree.of(read(subject.planned()).extension(oid).orElseThrow().value());
    policies.at(1).replace(0, hex("0607 67 80810c 01 02 01"));
    return Extension.of(oid, false, policies.encoded());
  }

  private static GeneralName ip(String address) {
    return new GeneralName.Ip(java.net.InetAddress.ofLiteral(address));
  }

  private static Extension critical(Subject subject, String oid) {
    Extension planned = read(subject.planned()).extension(oid).orElseThrow();
    return Extension.of(oid, true, planned.value());
  }

  private static TbsCertificate read(TbsCertificateDer tbs) {
    try {
      return CertificateReader.read(tbs);
    } catch (org.sluiceca.core.der.DerException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] write(TbsCertificate tbs) {
    return TbsCertificateWriter.write(tbs).encoded();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static IssuerSide side(Issuer issuer) {
    return new IssuerSide(
        issuer.subject(),
        issuer.subjectPublicKeyInfo(),
        issuer.keyIdentifier(),
        issuer.validity(),
        issuer.constraints());
  }
}
