package org.sluiceca.api.http.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sluiceca.core.admit.AdmissionDecision.Cause;
import org.sluiceca.core.admit.AdmissionDecision.Limit;
import org.sluiceca.core.admit.AdmissionDecision.Shed;

/** What a refused client reads: draft-ietf-httpapi-ratelimit-headers-10 sections 3 to 5. */
class RateLimitFieldsTest {

  private static final Duration WAIT = Duration.ofSeconds(7);

  @Test
  void fields_ofAShare_concurrentRequests() {
    Limit share = new Limit(12, Duration.ZERO);

    assertThat(RateLimitFields.policy(share))
        .isEqualTo("\"share\";q=12;qu=\"concurrent-requests\"");
    assertThat(RateLimitFields.limit(share, WAIT)).isEqualTo("\"share\";r=0;t=7");
  }

  @Test
  void fields_ofAQuota_requestsInItsWindow() {
    Limit quota = new Limit(600, Duration.ofMinutes(1));

    assertThat(RateLimitFields.policy(quota)).isEqualTo("\"quota\";q=600;w=60");
    assertThat(RateLimitFields.limit(quota, WAIT)).isEqualTo("\"quota\";r=0;t=7");
  }

  @Test
  void shed_ownLimitUsedUp_429OfTheRegisteredType() {
    Limit limit = new Limit(12, Duration.ZERO);
    ProblemException problem =
        ProblemMapper.shed(new Shed(Cause.OVER_SHARE, WAIT, Optional.of(limit)));

    assertThat(problem.type().status()).isEqualTo(429);
    assertThat(problem.type().uri())
        .isEqualTo("https://iana.org/assignments/http-problem-types#quota-exceeded");
    assertThat(problem.limit()).contains(limit);
  }

  @ParameterizedTest
  @EnumSource(Cause.class)
  void shed_everyCause_tellsWhenToComeBack(Cause cause) {
    ProblemException problem = ProblemMapper.shed(new Shed(cause, WAIT, Optional.empty()));

    assertThat(problem.type().status()).isIn(429, 503);
    assertThat(problem.retryAfter()).contains(WAIT);
  }
}
