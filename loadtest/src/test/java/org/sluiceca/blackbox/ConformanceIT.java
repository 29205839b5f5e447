package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Foreign linters find no error in any kind of certificate; docs/CONFORMANCE.md explains the rest.
 */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class ConformanceIT {

  private static final String FILE = "conformance.txt";

  /** A private CA need not keep these; docs/CONFORMANCE.md has a row for each. */
  private static final Set<String> EXPLAINED_PUBLIC =
      Set.of(
          "e_algorithm_identifier_improper_encoding",
          "e_ca_country_name_missing",
          "e_ca_organization_name_missing",
          "e_sub_ca_certificate_policies_missing",
          "e_sub_cert_aia_does_not_contain_ocsp_url",
          "e_sub_cert_cert_policy_empty",
          "e_sub_cert_certificate_policies_missing",
          "w_subject_common_name_included");

  /** Warnings and notices of the linters for every certificate; a row for each as well. */
  private static final Set<String> EXPLAINED = Set.of();

  private static final List<String> PROFILES =
      List.of("tls-server", "tls-client", "device", "short-lived");

  private static final List<Csr.KeyType> KEY_TYPES =
      List.of(Csr.KeyType.EC_P256, Csr.KeyType.RSA_2048, Csr.KeyType.ED25519);

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  /** Assumes the linter: without it the test counts as skipped, never as passed. */
  private static void assumeInstalled(Linter linter) {
    assumeTrue(
        linter.installed().isPresent(), linter + " is not installed: ./sluice test installs it");
  }

  @ParameterizedTest
  @EnumSource
  void judge_everyDemoProfile_noUnexplainedFinding(Linter linter) {
    assumeInstalled(linter);

    for (Map.Entry<String, Path> entry : certificates().toList()) {
      List<Linter.Finding> findings = linter.judge(entry.getValue());

      findings.forEach(f -> Evidence.append(FILE, linter + "  " + entry.getKey() + "  " + f));
      Set<String> explained = linter == Linter.ZLINT_PUBLIC ? EXPLAINED_PUBLIC : EXPLAINED;
      assertThat(findings.stream().filter(f -> !explained.contains(f.code())))
          .as("%s on %s", linter, entry.getKey())
          .isEmpty();
    }
    Evidence.append(FILE, linter + "  " + certificates().count() + " certificates judged");
  }

  @ParameterizedTest
  @EnumSource
  void judge_plantedDefect_isReported(Linter linter) {
    assumeInstalled(linter);
    Path folder = TRIAL.trial().folder();
    Path certificate = Csr.write(folder, "");
    // RFC 5280 4.2.1.3 and 4.2.1.9: keyCertSign without cA; and an invalid name.
    Program.of(
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-keyout",
            Csr.write(folder, ""),
            "-out",
            certificate,
            "-days",
            "90",
            "-subj",
            "/CN=bad.example.com",
            "-addext",
            "basicConstraints=critical,CA:FALSE",
            "-addext",
            "keyUsage=critical,keyCertSign",
            "-addext",
            "subjectAltName=DNS:a..example.com",
            "-addext",
            "extendedKeyUsage=serverAuth")
        .run()
        .ok();

    assertThat(linter.judge(certificate)).anyMatch(Linter.Finding::isError);
  }

  /** What each is, and its PEM. */
  private static Stream<Map.Entry<String, Path>> certificates() {
    Stream<Map.Entry<String, Path>> authorities =
        Stream.of(
            Map.entry("root", TRIAL.trial().data().resolve("root.pem")),
            Map.entry("issuing", first(TRIAL.trial().read("chain.pem"))));
    Stream<Map.Entry<String, Path>> enrolled =
        PROFILES.stream()
            .flatMap(
                profile ->
                    KEY_TYPES.stream()
                        .map(type -> Map.entry(profile + " " + type, enroll(profile, type))));
    return Stream.concat(authorities, enrolled);
  }

  private static Path enroll(String profile, Csr.KeyType type) {
    Csr csr = Csr.openssl(TRIAL.trial().folder(), type, "www.example.com");
    Answer answer = TRIAL.trial().enroller().enroll(profile, csr.pemBytes()).is(201);
    return first(answer.json().path("certificate").asString());
  }

  /** Linters read one certificate a file. */
  private static Path first(String pem) {
    String end = "-----END CERTIFICATE-----";
    return Csr.write(
        TRIAL.trial().folder(), pem.substring(0, pem.indexOf(end) + end.length()) + "\n");
  }
}
