package org.sluiceca.hsm.bench.keyless;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class BareTokenTest {
  private static final String SAID =
      """
      count 3
      nanos 2000000000
      cpu 1000000000
      sum 600
      max 300
      100 2
      135 1
      """;

  @Test
  void parse_whatTheProgramSays() {
    Measurement seen = BareToken.parse(KeyKind.EC_P256, 4, SAID);

    assertThat(seen.perSecond()).isEqualTo(1.5);
    assertThat(seen.perCpuSecond()).isEqualTo(3);
    assertThat(seen.meanMicros()).isEqualTo(0.2);
    assertThat(seen.maxMicros()).isEqualTo(0.3);
    assertThat(seen.workers()).isEqualTo(4);
  }

  @Test
  void parse_bucketsThatAreNotTheCount_areAFault() {
    assertThatIllegalStateException()
        .isThrownBy(() -> BareToken.parse(KeyKind.EC_P256, 4, SAID.replace("100 2", "100 1")))
        .withMessageContaining("buckets");
  }

  @Test
  void parse_figureMissing_isAFault() {
    assertThatIllegalStateException()
        .isThrownBy(() -> BareToken.parse(KeyKind.EC_P256, 4, SAID.replace("cpu 1000000000\n", "")))
        .withMessageContaining("did not say all");
  }

  @Test
  void parse_anErrorMessage_isAFault() {
    assertThatIllegalStateException()
        .isThrownBy(() -> BareToken.parse(KeyKind.EC_P256, 4, "bare_token: C_Login: 0xa0\n"))
        .withMessageContaining("C_Login");
  }
}
