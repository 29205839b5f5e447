package org.sluiceca.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.sluiceca.core.testkit.RawCsr.dns;
import static org.sluiceca.core.testkit.RawCsr.extension;
import static org.sluiceca.core.testkit.RawCsr.relativeName;
import static org.sluiceca.core.testkit.RawCsr.sound;
import static org.sluiceca.core.testkit.RawCsr.subjectAltName;
import static org.sluiceca.core.testkit.RawCsr.utf8;
import static org.sluiceca.core.testkit.RawDer.hex;
import static org.sluiceca.core.testkit.RawDer.sequence;
import static org.sluiceca.core.testkit.RawDer.tlv;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ExtensionPolicy;
import org.sluiceca.core.testkit.AcceptLine;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.RawCsr;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.GeneralName;

/**
 * Forms in which real clients write requests, judged by what is certified: the certificate is
 * written again, and what it states in another way than the request is reported as overridden.
 */
class RequestedFormsTest {

  private static final String SMIME_CAPABILITIES = "1.2.840.113549.1.9.15";
  private static final byte[] ORGANIZATION = hex("060355040a");
  private static final byte[] COMMON_NAME = hex("0603550403");
  private static final byte[] SMIME = extension("06092a864886f70d01090f", false, hex("30030c0141"));

  private final AcceptLine line = line(Set.of());

  private static AcceptLine line(Set<String> ignored) {
    CertificateProfile profile = Fixtures.tlsServer();
    CertificateProfile.Content content = profile.content();
    return new AcceptLine(
        Fixtures.withContent(
            profile,
            new CertificateProfile.Content(
                content.validity(),
                content.subject(),
                content.key(),
                content.subjectAltName(),
                ignoring(content.extensions(), ignored))),
        Fixtures.issuing(SoftwareKey.named("issuer-ec-p256")));
  }

  private static ExtensionPolicy ignoring(ExtensionPolicy policy, Set<String> ignored) {
    return new ExtensionPolicy(
        policy.keyUsage(),
        policy.extendedKeyUsage(),
        policy.isCa(),
        policy.pathLen(),
        policy.revocation(),
        policy.additions(),
        ignored);
  }

  /** Go writes two organizations as one relative name of two values. */
  @Test
  void plan_twoOrganizationsInOneRelativeName_eachInItsOwnAndReported() throws Exception {
    byte[] both = tlv(0x31, sequence(ORGANIZATION, utf8("A")), sequence(ORGANIZATION, utf8("B")));

    IssuancePlan plan =
        plan(line, sound().subject(both, relativeName(COMMON_NAME, utf8("a.test"))));

    assertThat(subject(plan)).isEqualTo("O=A, O=B, CN=a.test");
    assertThat(plan.departures().overridden()).containsExactly("2.5.4.10");
  }

  /** Istio's workloads send an organization without a character. */
  @Test
  void plan_attributeWithoutAValue_leftOutAndReported() throws Exception {
    IssuancePlan plan = plan(line, sound().subject(relativeName(ORGANIZATION, tlv(0x13))));

    assertThat(subject(plan)).isEmpty();
    assertThat(plan.departures().overridden()).containsExactly("2.5.4.10");
  }

  @Test
  void plan_bmpString_certifiedInUtf8() throws Exception {
    IssuancePlan plan = plan(line, sound().commonName(tlv(0x1E, hex("0061002e0074006500730074"))));

    assertThat(subject(plan)).isEqualTo("CN=a.test");
    assertThat(plan.departures().overridden()).isEmpty();
  }

  @Test
  void plan_nameTwiceInAnotherCase_certifiedOnceAsWrittenFirst() throws Exception {
    IssuancePlan plan = plan(line, sound().names(dns("A.test"), dns("a.test"), dns("b.test")));

    var fields = CertificateReader.read(plan.tbsCertificate());
    assertThat(CsrReader.subjectAltNames(fields.extension("2.5.29.17").orElseThrow()))
        .containsExactly(new GeneralName.Dns("A.test"), new GeneralName.Dns("b.test"));
  }

  /** Windows asks for S/MIME capabilities in each request. */
  @Test
  void plan_extensionThatTheProfileIgnores_droppedAndReported() throws Exception {
    RawCsr windows = sound().extensions(subjectAltName(dns("a.test")), SMIME);

    IssuancePlan plan = plan(line(Set.of(SMIME_CAPABILITIES)), windows);

    assertThat(plan.departures().overridden()).containsExactly(SMIME_CAPABILITIES);
    assertThat(CertificateReader.read(plan.tbsCertificate()).extension(SMIME_CAPABILITIES))
        .isEmpty();
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> plan(line, windows))
        .withMessageContaining("smimeCapabilities (1.2.840.113549.1.9.15)")
        .withMessageContaining("ignoreRequested");
  }

  /** A power that the profile does not give is refused, unless the profile drops the request. */
  @Test
  void plan_powerInAnExtensionThatTheProfileIgnores_notGiven() throws Exception {
    RawCsr ca =
        sound()
            .extensions(
                subjectAltName(dns("a.test")), extension("0603551d13", true, hex("3003010101")));

    IssuancePlan plan = plan(line(Set.of("2.5.29.19")), ca);

    assertThat(plan.departures().overridden()).containsExactly("2.5.29.19");
    assertThat(
            CertificateReader.read(plan.tbsCertificate())
                .extension("2.5.29.19")
                .orElseThrow()
                .value())
        .isEqualTo(hex("3000"));
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> plan(line, ca))
        .withMessageContaining("no CA");
  }

  @Test
  void ignoreRequested_subjectAltNameOrNoOidOrTooMany_notMade() {
    ExtensionPolicy policy = Fixtures.tlsServer().content().extensions();
    Set<String> many = new java.util.HashSet<>();
    for (int i = 0; i < 64; i++) {
      many.add("1.2.3." + i);
    }

    assertThat(ignoring(policy, many).ignoredRequests()).hasSize(64);
    many.add("1.2.4");
    assertThatIllegalArgumentException().isThrownBy(() -> ignoring(policy, many));
    assertThatIllegalArgumentException().isThrownBy(() -> ignoring(policy, Set.of("2.5.29.17")));
    assertThatIllegalArgumentException().isThrownBy(() -> ignoring(policy, Set.of("smime")));
  }

  private static IssuancePlan plan(AcceptLine line, RawCsr csr) throws RejectedException {
    return line.plan(CsrDer.of(csr.bytes()));
  }

  private static String subject(IssuancePlan plan) throws Exception {
    return NameCodec.read(CertificateReader.read(plan.tbsCertificate()).subject()).toString();
  }
}
