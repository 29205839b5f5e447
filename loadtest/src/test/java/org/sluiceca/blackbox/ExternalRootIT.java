package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * An issuer below the root of another CA, as docs/migration/README.md describes it. The other CA is
 * openssl; the profile is that of the page on step-ca.
 */
class ExternalRootIT {

  @RegisterExtension
  static final TrialExtension TRIAL =
      TrialExtension.own(
          folder ->
              new Trial.Options(1, List.of("--public-url", TrialExtension.PUBLIC_URL), Map.of()));

  private static final Duration WITHIN = Duration.ofSeconds(60);
  private static final String ISSUER = "moved";
  private static final String PROFILE = "web";
  private static final Pattern YAML = Pattern.compile("(?ms)^```yaml\n(.*?)^```$");
  private static final String CA =
      """
      basicConstraints = critical, CA:TRUE, pathlen:0
      keyUsage = critical, keyCertSign, cRLSign
      subjectKeyIdentifier = hash
      authorityKeyIdentifier = keyid
      """;
  private static final int ROOT_DAYS = 400;

  private static Trial trial() {
    return TRIAL.trial();
  }

  private static Path file(String name) {
    return trial().folder().resolve(name);
  }

  private static void makeRoot() {
    Program.of(
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:3072",
            "-nodes",
            "-keyout",
            file("old-root.key"),
            "-out",
            file("old-root.pem"),
            "-subj",
            "/CN=Old Root",
            "-days",
            ROOT_DAYS,
            "-addext",
            "keyUsage=critical,keyCertSign,cRLSign")
        .run()
        .ok();
  }

  private static Path signed(Path csr, int days, String extensions) {
    Path certificate = Csr.write(trial().folder(), "");
    Program.of(
            "openssl",
            "x509",
            "-req",
            "-in",
            csr,
            "-CA",
            file("old-root.pem"),
            "-CAkey",
            file("old-root.key"),
            "-set_serial",
            "0x1001",
            "-days",
            days,
            "-extfile",
            Csr.write(trial().folder(), extensions),
            "-out",
            certificate)
        .run()
        .ok();
    return certificate;
  }

  /** The shipped profiles, since a node needs tls-server for itself, and that of the page. */
  private static Path profiles() throws IOException {
    Path shipped = Checkout.launcher().resolveSibling("ca-api/src/main/resources/profiles");
    Path folder = Files.createDirectory(file("profiles"));
    try (Stream<Path> files = Files.list(shipped)) {
      for (Path profile : files.toList()) {
        Files.copy(profile, folder.resolve(profile.getFileName()));
      }
    }
    Matcher page = YAML.matcher(Checkout.text("docs/migration/STEP-CA.md"));
    assertThat(page.find()).isTrue();
    Files.writeString(
        folder.resolve(PROFILE + ".yaml"),
        page.group(1).replace("issuer: issuing", "issuer: " + ISSUER));
    return folder;
  }

  private static Api requester() {
    Answer registered =
        trial()
            .api(0, "admin")
            .postJson(
                "/v1/credentials",
                Map.of(
                    "requester",
                    "servers",
                    "roles",
                    List.of("REQUESTER"),
                    "profiles",
                    List.of(PROFILE)))
            .is(201);
    return trial()
        .api(0, "admin")
        .anonymous()
        .with(Api.bearer(registered.json().path("token").asString()));
  }

  private static Program.Ended verify(X509Certificate leaf, Path root) throws Exception {
    Path pem = Csr.write(trial().folder(), "");
    Files.write(pem, leaf.getEncoded());
    return Program.of(
            "openssl",
            "verify",
            "-x509_strict",
            "-CAfile",
            root,
            "-untrusted",
            file("moved-chain.pem"),
            pem)
        .run();
  }

  @Test
  void issuerBelowIt_issuesAndIsTrustedByTheOldRootAlone() throws Exception {
    Ceremony ceremony = new Ceremony(trial());
    Path csr = ceremony.issuingKey(ISSUER);
    makeRoot();
    refusals(ceremony, csr);
    Path certificate = signed(csr, ROOT_DAYS - 1, CA);

    ceremony.install(ISSUER, certificate, file("old-root.pem"), file("moved-chain.pem")).ok();
    ceremony.responder(ISSUER);
    trial().down().ok();
    trial().up(Map.of("SLUICE_PROFILES", profiles().toString())).ok();

    Api requester = requester();
    Csr asked = Csr.openssl(trial().folder(), Csr.KeyType.EC_P256, "www.example.com");
    X509Certificate leaf = requester.enroll(PROFILE, asked.pemBytes()).is(201).certificate();
    verify(leaf, file("old-root.pem")).ok();
    assertThat(verify(leaf, trial().data().resolve("root.pem")).status()).isNotZero();
    Csr foreign = Csr.openssl(trial().folder(), Csr.KeyType.EC_P256, "www.example.org");
    requester.enroll(PROFILE, foreign.pemBytes()).isProblem(422, "/name-not-allowed");
    statusIsKnown(requester, leaf, certificate);
  }

  /** What step 4 of the page demands. */
  private static void refusals(Ceremony ceremony, Path csr) {
    Path out = file("refused.pem");
    Path root = file("old-root.pem");
    List<String> said = new ArrayList<>();
    for (Path certificate :
        List.of(
            signed(csr, ROOT_DAYS - 1, "subjectKeyIdentifier = hash\n"),
            signed(csr, ROOT_DAYS + 1, CA),
            signed(csr, ROOT_DAYS - 1, CA.replace(", cRLSign", "")))) {
      Program.Ended ended = ceremony.install(ISSUER, certificate, root, out);
      assertThat(ended.status()).isEqualTo(1);
      said.add(ended.errors());
    }
    assertThat(said.get(0)).contains("is no CA's");
    assertThat(said.get(1)).contains("after the one above it");
    assertThat(said.get(2)).contains("may not sign CRLs");
    assertThat(out).doesNotExist();
  }

  private static void statusIsKnown(Api requester, X509Certificate leaf, Path issuer) {
    String serial = "%038x".formatted(leaf.getSerialNumber());
    requester
        .postJson(Api.CERTIFICATES + "/" + serial + "/revocation", Map.of("reason", "superseded"))
        .is(200);
    Poll.until(
        "it is on the CRL",
        WITHIN,
        () ->
            new RelyingParty(trial()).crl(0, "/crl/moved.crl").getRevokedCertificate(leaf) != null);
    Poll.until(
        "OCSP says so",
        WITHIN,
        () -> {
          Program.Ended ocsp =
              Program.of(
                      "openssl",
                      "ocsp",
                      "-issuer",
                      issuer,
                      "-serial",
                      "0x" + serial,
                      "-CAfile",
                      file("old-root.pem"),
                      "-verify_other",
                      issuer,
                      "-url",
                      trial().plain(0) + "/ocsp")
                  .run();
          return ocsp.text().contains("revoked") && ocsp.errors().contains("verify OK");
        });
  }
}
