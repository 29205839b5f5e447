package org.sluiceca.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A node runs its code before it is ready, and leaves no trace of that but a log line. */
class WarmUpIT {

  @RegisterExtension
  static final TrialExtension TRIAL = TrialExtension.own(folder -> Trial.Options.nodes(1));

  private static double sum(String metrics, String name) {
    return metrics
        .lines()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Test
  void start_nodeIsReady_warmedUpWithoutATraceAndLogsClients() {
    String log = TRIAL.trial().read("node-0.log");
    String metrics =
        Api.plain(TRIAL.trial().management(0)).get("/actuator/prometheus").is(200).text();

    assertThat(log)
        .containsPattern("warm-up: [1-9][0-9]* of [1-9][0-9]* requests planned, [1-9][0-9]* conn")
        .doesNotContain("/v1/profiles");
    // The node's own certificate for TLS.
    assertThat(sum(metrics, "ca_issued_total")).isEqualTo(1);
    assertThat(sum(metrics, "ca_admission_total")).isEqualTo(1);
    assertThat(sum(metrics, "ca_rejected_total")).isZero();
    assertThat(
            LedgerRows.count(
                TRIAL.trial(), "SELECT count(*) FROM audit_event WHERE kind = 'access.denied'"))
        .isZero();

    TRIAL.trial().enroller().anonymous().get("/v1/capacity").is(401);

    Poll.until(
        "the access log has the request",
        Duration.ofSeconds(10),
        () -> TRIAL.trial().read("node-0.log").contains("/v1/capacity"));
  }
}
