package org.sluiceca.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.intent.RecoveryPolicy.Circumstances;
import org.sluiceca.core.intent.RecoveryPolicy.Decision;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.time.Deadline;

class RecoveryPolicyTest {

  private static final Duration AGE_MAX = Duration.ofHours(24);
  private static final RecoveryPolicy POLICY = new RecoveryPolicy(AGE_MAX);
  private static final Instant RECORDED = Fixtures.NOW;
  private static final ExpiredIntent EXPIRED =
      new ExpiredIntent(
          new RecordedIntent(new Intents(1).next(), new Claim(new NodeId("b"), 1, new Deadline(0))),
          RECORDED);

  @Test
  void decide_everyCircumstance_asTheTableSays() {
    Instant atMost = RECORDED.plus(AGE_MAX);
    Instant over = atMost.plusNanos(1);

    assertThat(decide(RECORDED, true, true)).isInstanceOf(Decision.Finish.class);
    assertThat(decide(atMost, true, true)).isInstanceOf(Decision.Finish.class);
    assertAbandoned(Outcome.Reason.TOO_OLD, decide(over, true, true));
    assertAbandoned(Outcome.Reason.ISSUER_INACTIVE, decide(RECORDED, false, true));
    assertAbandoned(Outcome.Reason.REQUESTER_NOT_ALLOWED, decide(RECORDED, true, false));
    assertAbandoned(Outcome.Reason.ISSUER_INACTIVE, decide(over, false, false));
    assertAbandoned(Outcome.Reason.REQUESTER_NOT_ALLOWED, decide(over, true, false));
  }

  @Test
  void decide_contentNoLongerIssuable_abandoned() {
    assertAbandoned(
        Outcome.Reason.CONTENT_NOT_ISSUABLE,
        POLICY.decide(EXPIRED, new Circumstances(RECORDED, true, true, false)));
  }

  @Test
  void decide_nodeClockBehindTheDatabase_finishes() {
    assertThat(decide(RECORDED.minusSeconds(60), true, true)).isInstanceOf(Decision.Finish.class);
  }

  @Test
  void constructor_ageNotPositive_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new RecoveryPolicy(Duration.ZERO));
    assertThatIllegalArgumentException().isThrownBy(() -> new RecoveryPolicy(Duration.ofNanos(-1)));
  }

  private static Decision decide(Instant now, boolean issuerActive, boolean requesterAllowed) {
    return POLICY.decide(EXPIRED, new Circumstances(now, issuerActive, requesterAllowed, true));
  }

  private static void assertAbandoned(Outcome.Reason reason, Decision decision) {
    assertThat(decision).isEqualTo(new Decision.Abandon(new Outcome.Abandoned(reason, true)));
  }
}
