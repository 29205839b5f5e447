package org.sluiceca.api.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.NameCodec;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.testkit.AcceptLine;
import org.sluiceca.core.testkit.CsrFixture;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.SoftwareKey;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.GeneralName;

/** Every example that operators copy, and every shipped profile, loads and issues. */
class ProfileExamplesTest {

  private static final Path EXAMPLES = Path.of("..", "deploy", "profiles");

  private static final SoftwareKey EC = SoftwareKey.named("ec-p256");
  private static final SoftwareKey RSA = SoftwareKey.named("rsa-3072");

  /** A request that each example is made for. */
  private static final Map<String, CsrDer> REQUESTS =
      new TreeMap<>(
          Map.of(
              "smime",
              CsrFixture.host("Alice Example")
                  .names(List.of(new GeneralName.Email("alice@example.com")))
                  .signedBy(RSA),
              "code-signing",
              CsrFixture.host("whatever the tool says").signedBy(EC),
              "tls-server-corp",
              CsrFixture.host("www.example.com").signedBy(EC),
              "workload",
              CsrFixture.empty().signedBy(EC),
              "exhibition",
              CsrFixture.host("reader-17").signedBy(EC),
              "time-stamping",
              CsrFixture.host("TSU 1").signedBy(EC),
              "constrained-ca",
              CsrFixture.host("Lab CA").signedBy(EC)));

  static Stream<CertificateProfile> profiles() {
    return Stream.concat(
        ProfileFiles.read(EXAMPLES.toString()).all().stream(),
        ProfileFiles.read(ProfileFiles.CLASSPATH).all().stream());
  }

  @ParameterizedTest
  @MethodSource("profiles")
  void plan_requestThatFits_issued(CertificateProfile profile) throws Exception {
    CsrDer csr =
        REQUESTS.getOrDefault(
            profile.name().value(), CsrFixture.host("www.example.com").signedBy(EC));

    assertThat(fields(profile, csr).extensions()).isNotEmpty();
  }

  @Test
  void examples_haveARequestEach() {
    assertThat(ProfileFiles.read(EXAMPLES.toString()).all())
        .extracting(p -> p.name().value())
        .containsExactlyElementsOf(REQUESTS.keySet());
  }

  @Test
  void workload_isNamedAfterTheRequesterAlone() throws Exception {
    CertificateProfile workload = example("workload");

    TbsCertificate tbs = fields(workload, CsrFixture.empty().signedBy(EC));

    assertThat(NameCodec.read(tbs.subject()).isEmpty()).isTrue();
    assertThat(names(tbs)).containsExactly(new GeneralName.Uri("spiffe://prod.example.com/alice"));
    CsrDer other =
        CsrFixture.empty()
            .names(List.of(new GeneralName.Uri("spiffe://prod.example.com/bob")))
            .signedBy(EC);
    assertThatExceptionOfType(RejectedException.class).isThrownBy(() -> fields(workload, other));
  }

  @Test
  void corporateServer_foreignOrExcludedNames_refused() throws Exception {
    CertificateProfile server = example("tls-server-corp");

    assertThat(NameCodec.read(fields(server, request("tls-server-corp")).subject()))
        .hasToString("C=CH, L=Bern, O=Example AG, CN=www.example.com");
    for (String name :
        List.of(
            "www.example.org", "payroll.example.com", "a.payroll.example.com", "*.example.com")) {
      assertThatExceptionOfType(RejectedException.class)
          .as(name)
          .isThrownBy(() -> fields(server, CsrFixture.host(name, name).signedBy(EC)));
    }
  }

  @Test
  void codeSigning_subjectIsTheProfilesAlone() throws Exception {
    assertThat(NameCodec.read(fields(example("code-signing"), request("code-signing")).subject()))
        .hasToString("C=CH, O=Example AG, OU=builds by alice, CN=Example AG Code Signing");
  }

  private static CsrDer request(String example) {
    return REQUESTS.getOrDefault(example, CsrFixture.empty().signedBy(EC));
  }

  private static CertificateProfile example(String name) {
    ProfileCatalog examples = ProfileFiles.read(EXAMPLES.toString());
    return examples.find(new ProfileName(name)).orElseThrow();
  }

  private static List<GeneralName> names(TbsCertificate tbs) throws Exception {
    return CsrReader.subjectAltNames(tbs.extension(ExtensionOids.SUBJECT_ALT_NAME).orElseThrow());
  }

  private static TbsCertificate fields(CertificateProfile profile, CsrDer csr) throws Exception {
    Issuer issuer =
        profile.issuer().equals(Fixtures.ROOT)
            ? Fixtures.root(SoftwareKey.named("issuer-ec-p384"))
            : Fixtures.issuing(SoftwareKey.named("issuer-ec-p256"));
    return CertificateReader.read(new AcceptLine(profile, issuer).plan(csr).tbsCertificate());
  }
}
