package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A database that stopped is named in the first answer, and no certificate is issued without it.
 */
class DatabaseStoppedIT {

  @RegisterExtension
  static final TrialExtension TRIAL = TrialExtension.own(folder -> Trial.Options.nodes(1));

  private static final String HOST = "stopped.example.com";
  private static final Duration FOUND_WITHIN = Duration.ofSeconds(30);

  /** PostgreSQL's immediate shutdown: nothing is flushed, as after a power cut. */
  private static void stop() {
    long postmaster =
        Long.parseLong(
            TRIAL
                .trial()
                .read("postgres/data/postmaster.pid")
                .lines()
                .findFirst()
                .orElseThrow()
                .strip());
    ProcessHandle process = ProcessHandle.of(postmaster).orElseThrow();
    Program.of("kill", "-QUIT", postmaster).run().ok();
    Poll.until("PostgreSQL has ended", FOUND_WITHIN, () -> !process.isAlive());
  }

  @Test
  void enrollment_databaseStopped_saysSoAtOnceAndTheCertificateOfBeforeIsKept() {
    Api enroller = TRIAL.trial().enroller();
    Csr csr = Csr.openssl(TRIAL.trial().folder(), Csr.KeyType.EC_P256, HOST);
    String before = enroller.enroll("tls-server", csr.pemBytes()).is(201).locationEnd();

    stop();

    Answer first = enroller.enroll("tls-server", csr.pemBytes()).is(503);
    assertThat(first.json().path("type").asString()).endsWith("database-unavailable");
    assertThat(first.header("Retry-After")).matches("[1-9][0-9]*");
    assertThat(first.json().path("detail").asString()).contains("PostgreSQL is stopped");
    Program.Ended client =
        TRIAL.trial().sluice("get", before, "--wait", "1").within(FOUND_WITHIN).run();
    assertThat(client.status()).isNotZero();
    assertThat(client.errors()).contains("The database does not answer").doesNotContain("busy");

    TRIAL.trial().down().ok();
    TRIAL.trial().up().ok();

    enroller.get("/v1/certificates/" + before).is(200);
    enroller.enroll("tls-server", csr.pemBytes()).is(201);
  }
}
