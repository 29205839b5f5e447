package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** {@code sluice renew} as a server's timer runs it: no token, nothing but certificate and key. */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class ClientRenewalIT {

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  /** Valid for 120 s from its request on. */
  private static final String PROFILE =
      """
      name: two-minutes
      version: 2
      description: TLS servers of a test of renewals
      use: enrollment
      issuer: issuing
      validity: {duration: PT2M, backdate: PT0S}
      subject: {required: [common_name]}
      key: {algorithms: [ec_p256]}
      subjectAltName: {forms: [dns], countMax: 3}
      extensions:
        keyUsage: [digital_signature]
        extendedKeyUsage: [server_auth]
        ca: false
        revocation: crl
      """;

  @TempDir private Path folder;

  @BeforeAll
  static void profile() {
    Path file = Csr.write(TRIAL.trial().folder(), PROFILE);
    TRIAL.trial().sluice("profile", "add", file.toString()).run().ok();
    TRIAL.trial().sluice("profile", "activate", "two-minutes", "2").run().ok();
  }

  /** Enrolls with a requester of its own, whose token the server never had. */
  private void enroll() throws IOException {
    Answer registered =
        TRIAL
            .trial()
            .api(0, "admin")
            .postJson(
                "/v1/credentials",
                Map.of(
                    "requester",
                    "renewal-" + System.nanoTime(),
                    "roles",
                    List.of("REQUESTER"),
                    "profiles",
                    List.of("two-minutes")))
            .is(201);
    Path token = TRIAL.trial().folder().resolve("renewal-" + System.nanoTime() + ".token");
    Files.writeString(token, registered.json().path("token").asString() + "\n");
    Poll.until(
        "the profile issues",
        Duration.ofSeconds(60),
        () ->
            TRIAL
                    .trial()
                    .sluice(
                        "enroll",
                        "--profile",
                        "two-minutes",
                        "--dns",
                        "renewed.example.com",
                        "--token-file",
                        token.toString(),
                        "--key",
                        file("www.key"),
                        "--out",
                        file("www.pem"))
                    .run()
                    .status()
                == 0);
    Files.delete(token);
  }

  private String file(String name) {
    return folder.resolve(name).toString();
  }

  private X509Certificate certificate() {
    return Answer.certificate(Csr.read(folder.resolve("www.pem")));
  }

  private static Instant begin(X509Certificate certificate) {
    return certificate.getNotBefore().toInstant();
  }

  private static Instant end(X509Certificate certificate) {
    return certificate.getNotAfter().toInstant();
  }

  private static String serial(X509Certificate certificate) {
    return "%038x".formatted(certificate.getSerialNumber());
  }

  private Program renew(String... more) {
    List<String> words =
        new ArrayList<>(List.of("renew", "--cert", file("www.pem"), "--key", file("www.key")));
    words.addAll(List.of(more));
    return TRIAL.trial().sluice(words.toArray(String[]::new));
  }

  /** The command line of the unit that --install writes, three times when it is due. */
  @Test
  void renew_installedUnitsCommand_threeTimesWithItsHook() throws Exception {
    enroll();
    Path hook = folder.resolve("hook");
    String unit =
        renew(
                "--after",
                "echo $SLUICE_SERIAL >>" + hook,
                "--renew-before",
                "110s",
                "--install",
                "--dry-run")
            .run()
            .ok()
            .text();
    Matcher command = Pattern.compile("(?m)^ExecStart=(.*)$").matcher(unit);
    assertThat(command.find()).as(unit).isTrue();
    assertThat(unit).doesNotContain("token");
    // Where systemd has variables and specifiers the shell has none.
    String line = command.group(1).replace("$$", "\\$").replace("%%", "%");

    for (int i = 0; i < 3; i++) {
      X509Certificate before = certificate();
      assertThat(Duration.between(begin(before), end(before))).isEqualTo(Duration.ofSeconds(119));
      Poll.until(
          "it is due and renewed",
          Duration.ofSeconds(60),
          () -> {
            Program.of("/bin/sh", "-c", line).run().ok();
            return !certificate().equals(before);
          });
      assertThat(begin(certificate()))
          .as("not before it was due")
          .isAfterOrEqualTo(end(before).minusSeconds(110));
      assertThat(Files.readAllLines(hook)).hasSize(i + 1).endsWith(serial(certificate()));
    }
    assertThat(text("x509", "-pubkey", "-noout", "-in", file("www.pem")))
        .isEqualTo(text("pkey", "-pubout", "-in", file("www.key")));
  }

  private static String text(String... words) {
    List<Object> all = new ArrayList<>(List.of("openssl"));
    all.addAll(List.of(words));
    return Program.of(all.toArray()).run().ok().text();
  }

  @Test
  void renew_revoked_refusedAndFilesStay() throws Exception {
    enroll();
    X509Certificate before = certificate();
    TRIAL.trial().sluice("revoke", serial(before), "--reason", "superseded").run().ok();

    Program.Ended ended = renew("--force").run();

    assertThat(ended.status()).isEqualTo(1);
    assertThat(ended.errors()).contains("revoked");
    assertThat(certificate()).isEqualTo(before);
  }
}
