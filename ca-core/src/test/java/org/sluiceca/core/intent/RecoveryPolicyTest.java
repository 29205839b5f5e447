package org.sluiceca.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.intent.RecoveryPolicy.Circumstances;
import org.sluiceca.core.intent.RecoveryPolicy.Decision;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.testkit.Intents;
import org.sluiceca.core.time.Deadline;

class RecoveryPolicyTest {

  private static final Duration AGE_MAX = Duration.ofHours(24);
  private static final RecoveryPolicy POLICY = new RecoveryPolicy(AGE_MAX);

  @Test
  void decide_everyCircumstance_asTheTableSays() {
    Duration over = AGE_MAX.plusNanos(1);

    assertThat(decide(Duration.ZERO, true, true)).isInstanceOf(Decision.Finish.class);
    assertThat(decide(AGE_MAX, true, true)).isInstanceOf(Decision.Finish.class);
    assertAbandoned(Outcome.Reason.TOO_OLD, decide(over, true, true));
    assertAbandoned(Outcome.Reason.ISSUER_INACTIVE, decide(Duration.ZERO, false, true));
    assertAbandoned(Outcome.Reason.REQUESTER_NOT_ALLOWED, decide(Duration.ZERO, true, false));
    assertAbandoned(Outcome.Reason.ISSUER_INACTIVE, decide(over, false, false));
    assertAbandoned(Outcome.Reason.REQUESTER_NOT_ALLOWED, decide(over, true, false));
  }

  @Test
  void decide_contentNoLongerIssuable_abandoned() {
    assertAbandoned(
        Outcome.Reason.CONTENT_NOT_ISSUABLE,
        POLICY.decide(expired(Duration.ZERO), new Circumstances(true, true, false)));
  }

  /** It waited in the backlog: its serial number does not belong on the CRL. */
  @Test
  void decide_nobodyOwnedItBefore_abandonedAndNeverSigned() {
    ExpiredIntent owned = expired(AGE_MAX.plusNanos(1));
    ExpiredIntent untouched =
        new ExpiredIntent(owned.intent(), owned.recordedAt(), owned.takenAt(), true);

    assertThat(POLICY.decide(untouched, new Circumstances(true, true, true)))
        .isEqualTo(new Decision.Abandon(new Outcome.Abandoned(Outcome.Reason.TOO_OLD, false)));
  }

  @Test
  void constructor_ageNotPositive_refused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new RecoveryPolicy(Duration.ZERO));
    assertThatIllegalArgumentException().isThrownBy(() -> new RecoveryPolicy(Duration.ofNanos(-1)));
  }

  private static Decision decide(Duration age, boolean issuerActive, boolean requesterAllowed) {
    return POLICY.decide(expired(age), new Circumstances(issuerActive, requesterAllowed, true));
  }

  private static ExpiredIntent expired(Duration age) {
    return new ExpiredIntent(
        new RecordedIntent(new Intents(1).next(), new Claim(new NodeId("b"), 1, new Deadline(0))),
        Fixtures.NOW,
        Fixtures.NOW.plus(age),
        false);
  }

  private static void assertAbandoned(Outcome.Reason reason, Decision decision) {
    assertThat(decision).isEqualTo(new Decision.Abandon(new Outcome.Abandoned(reason, true)));
  }
}
