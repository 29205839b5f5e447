package org.sluiceca.api.http.problem;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.sluiceca.core.failure.CaUnavailable.ClaimLost;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.failure.CaUnavailable.ProfileUnavailable;

final class ProblemMapperTest {

  @Test
  void unavailable_databaseFailed_itsOwnTypeAndWhatToDo() {
    ProblemException problem =
        ProblemMapper.unavailable(
            new LedgerUnavailable("the ledger cannot be read", new IllegalStateException("08006")));

    assertThat(problem.type().uri()).isEqualTo("/problems/database-unavailable");
    assertThat(problem.retryAfter()).contains(ProblemMapper.LEDGER_RETRY);
    assertThat(problem.detail())
        .contains("PostgreSQL")
        .contains("retry in 5 s")
        .doesNotContain("08006");
  }

  @Test
  void unavailable_profileOfThisNode_itsOwnTypeWithoutTheReason() {
    ProblemException problem =
        ProblemMapper.unavailable(new ProfileUnavailable("profile web: issuer x is not one"));

    assertThat(problem.type().uri()).isEqualTo("/problems/profile-unavailable");
    assertThat(problem.type().status()).isEqualTo(503);
    assertThat(problem.retryAfter()).contains(ProblemMapper.PROFILE_RETRY);
    assertThat(problem.detail()).contains("another node").doesNotContain("issuer x");
  }

  @Test
  void unavailable_tooMuchToWriteOrClaimLost_ledger() {
    assertThat(ProblemMapper.unavailable(new LedgerUnavailable("too many rows wait")).type())
        .isEqualTo(ProblemType.LEDGER_UNAVAILABLE);
    assertThat(ProblemMapper.unavailable(new ClaimLost("taken over")).type())
        .isEqualTo(ProblemType.LEDGER_UNAVAILABLE);
  }
}
