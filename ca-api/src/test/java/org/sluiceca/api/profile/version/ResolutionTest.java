package org.sluiceca.api.profile.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.sluiceca.api.profile.version.VersionFiles.activation;
import static org.sluiceca.api.profile.version.VersionFiles.file;
import static org.sluiceca.api.profile.version.VersionFiles.toFile;
import static org.sluiceca.api.profile.version.VersionFiles.yaml;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.profile.ProfileFiles;
import org.sluiceca.api.profile.store.Activation;
import org.sluiceca.api.profile.store.StoredVersion;
import org.sluiceca.core.profile.CertificateProfile;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;

/** What is in force, from files and rows; and what a version must be. */
class ResolutionTest {

  private static final ProfileName WEB = new ProfileName("tls-server");

  private final VersionRules rules =
      new VersionRules(
          ProfileFiles.read(ProfileFiles.CLASSPATH), new IssuerName("issuing")::equals, true);

  private Resolution resolve(List<StoredVersion> versions, Activation... activations) {
    return resolve(versions, List.of(activations), List.of());
  }

  private Resolution resolve(
      List<StoredVersion> versions,
      List<Activation> activations,
      List<CertificateProfile> inForce) {
    return resolve(versions, activations, inForce, Set.of());
  }

  private Resolution resolve(
      List<StoredVersion> versions,
      List<Activation> activations,
      List<CertificateProfile> inForce,
      Set<IssuerName> retired) {
    JudgedVersions judged = new JudgedVersions(rules, keys -> versions);
    return Resolution.of(
        rules.files(), activations, judged.of(VersionFiles.keys(versions)), inForce, retired);
  }

  private static CertificateProfile issuing(Resolution resolution, ProfileName name) {
    return resolution.issuing().stream()
        .filter(p -> p.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void of_nothingActivated_theFilesIssue() {
    Resolution resolution = resolve(List.of());

    assertThat(resolution.issuing()).containsExactlyInAnyOrderElementsOf(rules.files().all());
    assertThat(resolution.taken()).isEmpty();
    assertThat(resolution.refused()).isEmpty();
  }

  @Test
  void of_editions_newestActivationIssuesAndOthersAreKnown() {
    Resolution resolution =
        resolve(
            List.of(file("tls-server", 2, "P10D"), file("tls-server", 3, "P20D")),
            activation(1, WEB, 3),
            activation(2, WEB, 2));

    assertThat(issuing(resolution, WEB).version().number()).isEqualTo(2);
    assertThat(
            resolution.profiles().stream()
                .filter(p -> p.name().equals(WEB))
                .map(p -> p.version().number()))
        .containsExactlyInAnyOrder(1, 2, 3);
    assertThat(resolution.taken().get("tls-server")).isEqualTo(activation(2, WEB, 2));
  }

  @Test
  void of_fileAgain_theFileIssuesAndTheEditionIsKnown() {
    Resolution resolution =
        resolve(List.of(file("tls-server", 2, "P10D")), activation(1, WEB, 2), toFile(2, WEB));

    assertThat(issuing(resolution, WEB)).isEqualTo(rules.files().find(WEB).orElseThrow());
    assertThat(resolution.profiles()).anyMatch(p -> p.version().number() == 2);
  }

  @Test
  void of_profileWithoutAFile_issuesUntilItIsGivenBackToNone() {
    ProfileName extra = new ProfileName("extra");
    List<StoredVersion> stored = List.of(file("extra", 2, "P10D"));

    assertThat(issuing(resolve(stored, activation(1, extra, 2)), extra).version().number())
        .isEqualTo(2);
    Resolution ended = resolve(stored, activation(1, extra, 2), toFile(2, extra));
    assertThat(ended.issuing()).noneMatch(p -> p.name().equals(extra));
    assertThat(ended.profiles()).anyMatch(p -> p.name().equals(extra));
  }

  /** Planted: what was replaced on purpose, say since it is too weak, must not issue on. */
  @Test
  void of_whatCannotBeRead_issuesNothingAndTheOthersGoOn() {
    StoredVersion broken = stored("tls-server", 3, yaml("tls-server", 3, "P20D") + "\nking: 1\n");

    Resolution resolution =
        resolve(
            List.of(file("tls-server", 2, "P10D"), broken),
            activation(1, WEB, 2),
            activation(2, WEB, 3));

    assertThat(resolution.issuing()).noneMatch(p -> p.name().equals(WEB)).isNotEmpty();
    assertThat(resolution.taken()).isEmpty();
    assertThat(resolution.refused()).containsOnlyKeys("tls-server");
    assertThat(resolution.refused().get("tls-server")).contains("king");
    assertThat(resolution.unavailable()).isEqualTo(resolution.refused());
    assertThat(resolution.profiles()).noneMatch(p -> p.version().number() == 3);
  }

  @Test
  void of_onlyOneAndItCannotBeRead_notEvenTheFileIssues() {
    Resolution resolution =
        resolve(List.of(stored("tls-server", 2, "not yaml: [")), activation(1, WEB, 2));

    assertThat(resolution.issuing()).noneMatch(p -> p.name().equals(WEB));
    assertThat(resolution.refused()).containsOnlyKeys("tls-server");
    // An explicit activation ends it.
    Resolution back =
        resolve(
            List.of(stored("tls-server", 2, "not yaml: [")), activation(1, WEB, 2), toFile(2, WEB));
    assertThat(issuing(back, WEB)).isEqualTo(rules.files().find(WEB).orElseThrow());
    assertThat(back.refused()).isEmpty();
  }

  @Test
  void of_rowOfWhatIsInForceBroken_keptAsItWasJudged() {
    CertificateProfile judged = rules.validated(octets(yaml("tls-server", 2, "P10D")));

    Resolution resolution =
        resolve(
            List.of(stored("tls-server", 2, "not yaml: [")),
            List.of(activation(1, WEB, 2)),
            List.of(judged));

    assertThat(issuing(resolution, WEB)).isEqualTo(judged);
    assertThat(resolution.refused()).isEmpty();
  }

  /** Planted: a row whose content was exchanged for that of another profile. */
  @Test
  void of_contentOfAnotherName_refused() {
    Resolution resolution =
        resolve(
            List.of(stored("tls-server", 2, yaml("device", 2, "P800D"))), activation(1, WEB, 2));

    assertThat(resolution.issuing()).noneMatch(p -> p.name().equals(WEB));
    assertThat(resolution.refused().get("tls-server")).contains("another name");
  }

  @Test
  void of_everythingResolved_isACatalogue() {
    Resolution resolution =
        resolve(
            List.of(file("tls-server", 2, "P10D"), file("extra", 2, "P10D")),
            activation(1, WEB, 2),
            activation(2, new ProfileName("extra"), 2));
    ProfileCatalog catalog = new ProfileCatalog(rules.files().versions());

    catalog.replace(resolution.profiles(), resolution.issuing(), resolution.unavailable());

    assertThat(catalog.find(WEB).orElseThrow().version().number()).isEqualTo(2);
    assertThat(catalog.find(WEB, 1)).isPresent();
  }

  @Test
  void validated_powerOrAnIssuerThatIsNotHere_refused() {
    String web = yaml("tls-server", 2, "P10D");
    assertThat(rules.validated(octets(web)).version().number()).isEqualTo(2);

    assertRefused(web.replace("issuer: issuing", "issuer: root"), "issuer root is not one that");
    assertRefused(web.replace("use: enrollment", "use: ceremony"), "by file only");
    assertRefused(web.replace("version: 2", "version: 1"), "2 or higher");
    assertRefused(web.replace("version: 2\n", ""), "2 or higher");
    assertRefused(
        web.replace("ca: false", "ca: true")
            .replace("[digital_signature]", "[key_cert_sign]")
            .replace("extendedKeyUsage: [server_auth]", "pathLen: 0")
            .replace("{optional: [common_name]}", "{required: [common_name]}"),
        "ceremony");
    assertRefused(web.replace("server_auth", "ocsp_signing"), "ceremony");
    assertRefused(web + "version: 3\n", "version");
    assertRefused(yaml("ocsp-responder", 2, "P10D"), "belongs to the ceremony");
    assertRefused(yaml("sub-ca", 2, "P10D"), "belongs to the ceremony");
    assertRefused("", "");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rules.validated(octets("not a profile")))
        .withMessageNotContaining("org.sluiceca");
    assertRefused(" ".repeat(64 * 1024 + 1), "allowed 65536");
  }

  /** Its TLS identity and its trust were made at the start, of the file's issuer. */
  @Test
  void validated_otherIssuerForTheNodesThemselves_refused() {
    VersionRules two =
        new VersionRules(
            rules.files(),
            issuer -> Stream.of("issuing", "other").anyMatch(issuer.value()::equals),
            true);
    String device = yaml("device", 2, "P10D").replace("issuer: issuing", "issuer: other");

    assertThat(two.validated(octets(device)).issuer()).isEqualTo(new IssuerName("other"));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                two.validated(
                    octets(
                        yaml("tls-server", 2, "P10D").replace("issuer: issuing", "issuer: other"))))
        .withMessageContaining("another issuer comes by file only");
  }

  private void assertRefused(String content, String fault) {
    assertThatIllegalArgumentException()
        .as(content)
        .isThrownBy(() -> rules.validated(octets(content)))
        .withMessageContaining(fault);
  }

  private static StoredVersion stored(String name, int version, String content) {
    return VersionFiles.stored(new ProfileName(name), version, octets(content));
  }

  private static byte[] octets(String text) {
    return OctetString.copyOf(text.getBytes(StandardCharsets.UTF_8)).octets();
  }

  /** Files and versions alike; what an intent was planned under stays known. */
  @Test
  void of_issuerRetired_nothingIssuesUnderItAndTheVersionsStay() {
    Resolution resolution =
        resolve(
            List.of(stored("tls-server", 2, VersionFiles.yaml("tls-server", 2, "P2D"))),
            List.of(activation(1, WEB, 2)),
            List.of(),
            Set.of(new IssuerName("issuing")));

    assertThat(resolution.issuing())
        .extracting(CertificateProfile::use)
        .containsOnly(CertificateProfile.Use.CEREMONY);
    assertThat(resolution.refused())
        .containsEntry("tls-server", "its issuer issuing is retired")
        .containsKey("device");
    assertThat(resolution.taken()).isEmpty();
    assertThat(resolution.profiles())
        .anyMatch(p -> p.name().equals(WEB) && p.version().number() == 2);
  }
}
