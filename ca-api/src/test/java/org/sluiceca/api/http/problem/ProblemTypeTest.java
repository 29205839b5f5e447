package org.sluiceca.api.http.problem;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluiceca.core.failure.Rejection;

class ProblemTypeTest {

  @ParameterizedTest
  @EnumSource(Rejection.Reason.class)
  void rejected_everyReason_isTheClientsFault(Rejection.Reason reason) {
    ProblemType type = ProblemMapper.rejected(new Rejection(reason, "why")).type();

    assertThat(type.status()).isBetween(400, 499);
  }

  @Test
  void uri_ofCauses_endsAsTheContractSays() {
    assertThat(ProblemType.BAD_PROOF_OF_POSSESSION.uri()).endsWith("/bad-proof-of-possession");
    assertThat(ProblemType.WEAK_KEY.uri()).endsWith("/weak-key");
    assertThat(ProblemType.NAME_NOT_ALLOWED.uri()).endsWith("/name-not-allowed");
    assertThat(ProblemType.PROFILE_VIOLATION.uri()).endsWith("/profile-violation");
    assertThat(ProblemType.LINT.uri()).endsWith("/lint");
    assertThat(ProblemType.SATURATED.uri()).endsWith("#temporary-reduced-capacity");
  }

  @Test
  void ofName_unknown_isEmpty() {
    assertThat(ProblemType.ofName("weak-key")).contains(ProblemType.WEAK_KEY);
    assertThat(ProblemType.ofName("nonsense")).isEmpty();
  }
}
