package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ResourceAccessMode.READ;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Clients and relying parties whose clocks differ by less than the allowance (docs/adr/0056). */
@ResourceLock(value = TrialExtension.ONE_NODE, mode = READ)
class LateClockIT {

  /** The allowance is 5 minutes; the test itself takes some seconds of it. */
  private static final Duration LATE = Duration.ofMinutes(4);

  @RegisterExtension static final TrialExtension TRIAL = TrialExtension.shared();

  /** Each revocation makes a new CRL and a new OCSP response: both hold for late clocks at once. */
  @Test
  void openssl_minutesLateJustAfterARevocation_certificateCrlAndOcspHold() throws IOException {
    String certificate = enroll("late.example.com");
    Api plain = Api.plain(TRIAL.trial().plain(0));
    String before = plain.get("/crl/issuing.crl").is(200).header("ETag");

    revoke(serial(enroll("other.example.com")), Map.of("reason", "superseded")).is(200);

    Duration ignored =
        Poll.until(
            "a new CRL",
            Duration.ofSeconds(60),
            () -> !plain.get("/crl/issuing.crl").header("ETag").equals(before));
    Path crl = Csr.write(TRIAL.trial().folder(), "");
    Files.write(crl, plain.get("/crl/issuing.crl").is(200).body());
    Path pem = Csr.write(TRIAL.trial().folder(), "");
    Program.of("openssl", "crl", "-inform", "DER", "-in", crl, "-out", pem).run().ok();
    Path file = Csr.write(TRIAL.trial().folder(), certificate);
    for (Duration late : List.of(Duration.ZERO, Duration.ofSeconds(30), LATE)) {
      verify(file, late, List.of());
      verify(file, late, List.of("-CRLfile", pem, "-crl_check"));
    }
  }

  private static void verify(Path certificate, Duration late, List<Object> more) {
    List<Object> words =
        new ArrayList<>(
            List.of(
                "openssl",
                "verify",
                "-CAfile",
                TRIAL.trial().data().resolve("root.pem"),
                "-untrusted",
                TRIAL.trial().data().resolve("chain.pem"),
                "-attime",
                Instant.now().minus(late).getEpochSecond()));
    words.addAll(more);
    words.add(certificate);
    Program.Ended ended = Program.of(words.toArray()).run();
    assertThat(ended.status()).as(late + ": " + ended.text() + ended.errors()).isZero();
  }

  @Test
  void invalidityDate_ofAFastClock_takenAsNow() {
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    Answer answer =
        revoke(
                serial(enroll("fast.example.com")),
                Map.of("reason", "keyCompromise", "invalidityDate", now.plus(LATE).toString()))
            .is(200);

    assertThat(Instant.parse(answer.json().path("invalidityDate").asString()))
        .isBetween(now.minusSeconds(1), now.plusSeconds(60));
  }

  @Test
  void invalidityDate_beyondTheAllowance_400WithTheBounds() {
    String serial = serial(enroll("future.example.com"));
    String date =
        Instant.now().plus(Duration.ofMinutes(10)).truncatedTo(ChronoUnit.SECONDS).toString();

    Answer single =
        revoke(serial, Map.of("reason", "keyCompromise", "invalidityDate", date))
            .isProblem(400, "/malformed-request");
    Answer bulk =
        TRIAL
            .trial()
            .api(0, "admin")
            .postJson(
                "/v1/revocations",
                Map.of(
                    "selection",
                    Map.of("profile", "tls-server"),
                    "reason",
                    "keyCompromise",
                    "invalidityDate",
                    date,
                    "dryRun",
                    true))
            .isProblem(400, "/malformed-request");

    for (Answer answer : List.of(single, bulk)) {
      assertThat(answer.json().path("detail").asString())
          .contains("invalidityDate", "1988-01-01", "300 s");
    }
  }

  private static Answer revoke(String serial, Map<String, String> body) {
    return TRIAL
        .trial()
        .api(0, "admin")
        .postJson(Api.CERTIFICATES + "/" + serial + "/revocation", body);
  }

  private static String enroll(String name) {
    Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, name);
    return TRIAL
        .trial()
        .enroller()
        .enroll("tls-server", csr.pemBytes())
        .is(201)
        .json()
        .path("certificate")
        .asString();
  }

  private static String serial(String certificate) {
    return "0"
        + Answer.certificate(certificate.getBytes(java.nio.charset.StandardCharsets.US_ASCII))
            .getSerialNumber()
            .toString(16);
  }
}
