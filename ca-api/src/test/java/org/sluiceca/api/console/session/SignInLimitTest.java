package org.sluiceca.api.console.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.request.RequesterId;

/** A token in a loop does not fill the audit trail. */
class SignInLimitTest {

  private static final RequesterId ALICE = new RequesterId("alice");

  private final AtomicLong nanos = new AtomicLong();
  private final SignInLimit limit = new SignInLimit(nanos::get);

  private boolean isRefused(RequesterId requester) {
    ProblemException refusal =
        catchThrowableOfType(ProblemException.class, () -> limit.count(requester));
    assertThat(refusal == null || refusal.type() == ProblemType.QUOTA_EXCEEDED).isTrue();
    return refusal != null;
  }

  @Test
  void count_oneTooMany_refusedUntilTheMinuteIsOver() {
    for (int i = 0; i < SignInLimit.MAX; i++) {
      assertThat(isRefused(ALICE)).isFalse();
      nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    }
    assertThat(isRefused(ALICE)).isTrue();
    assertThat(isRefused(new RequesterId("bob"))).isFalse();

    nanos.set(Duration.ofSeconds(61).toNanos());

    assertThat(isRefused(ALICE)).isFalse();
  }
}
