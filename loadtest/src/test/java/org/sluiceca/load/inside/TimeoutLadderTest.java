package org.sluiceca.load.inside;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeoutLadderTest {

  private static final String SAID =
      """
      # HELP ca_deadline_seconds
      ca_deadline_seconds{wait="claim"} 15.0
      ca_deadline_seconds{wait="signature"} 13.0
      ca_hsm_call_timeout_seconds{hsm="far"} 5.0
      ca_hsm_call_timeout_seconds{hsm="near"} 4.0
      ca_hsm_base_delay_seconds{alg="ecdsa_sha256/256",hsm="far/ec"} 0.215
      ca_hsm_base_delay_seconds{alg="rsa_pkcs1_sha256/4096",hsm="far/rsa"} 0.9
      ca_hsm_base_delay_seconds{alg="ecdsa_sha256/256",hsm="near"} 0.003
      ca_hsm_base_delay_seconds{alg="ecdsa_sha256/256",hsm="nearby"} 77.0
      """;

  private static TimeoutLadder ladder(double answer, String said) {
    return TimeoutLadder.of(answer, List.of("near", "far"), Meter.parse(said));
  }

  @Test
  void of_whatANodeTells_eachHsmByTwoSides() {
    TimeoutLadder ladder = ladder(10, SAID);

    assertThat(ladder.faults()).isEmpty();
    assertThat(ladder.sides())
        .extracting(side -> side.stream().map(TimeoutLadder.Rung::seconds).toList())
        .containsExactly(
            List.of(45.0, 10.0, 4.0, 0.003),
            List.of(15.0, 13.0, 4.0, 0.003),
            List.of(45.0, 10.0, 5.0, 0.9),
            List.of(15.0, 13.0, 5.0, 0.9));
  }

  @ParameterizedTest
  @CsvSource({
    // A call that outlasts the answer, or is as long.
    "call_timeout_seconds{hsm=\"far\"} 5.0, call_timeout_seconds{hsm=\"far\"} 10.0, 1",
    "call_timeout_seconds{hsm=\"far\"} 5.0, call_timeout_seconds{hsm=\"far\"} 9.9, 0",
    // As long as both its answer and its signature may take.
    "call_timeout_seconds{hsm=\"far\"} 5.0, call_timeout_seconds{hsm=\"far\"} 13.0, 2",
    // Signatures slower than the patience with them.
    "far/rsa\"} 0.9, far/rsa\"} 5.0, 1",
    // The promise is over before its signature is due.
    "wait=\"claim\"} 15.0, wait=\"claim\"} 13.0, 1",
    // No node reported it: twice, above and below.
    "wait=\"signature\"} 13.0, wait=\"sign\"} 13.0, 3"
  })
  void faults_rungThatIsNotShorter_isOne(String was, String is, int faults) {
    assertThat(SAID).contains(was);
    assertThat(ladder(10, SAID.replace(was, is)).faults()).hasSize(faults);
  }

  @Test
  void faults_nodeThatTellsNothing_areAll() {
    assertThat(ladder(10, "").faults()).isNotEmpty();
    assertThat(TimeoutLadder.none().faults()).isEmpty();
  }
}
