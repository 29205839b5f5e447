package org.sluiceca.blackbox;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.sluiceca.blackbox.DatabaseProxy.Holds;
import org.sluiceca.blackbox.DatabaseProxy.When;

/**
 * SIGKILL of nodes and of PostgreSQL under load where the most can be lost: what was committed or
 * signed, and not answered. {@link CrashBordersIT} has every border.
 */
class CrashIT {

  private static final int ENROLLMENTS = 30;

  private static final List<DatabaseProxy> PROXIES = new ArrayList<>();

  @RegisterExtension static final TrialExtension TRIAL = CrashRounds.trial(PROXIES);

  @Test
  void killedBeforeTheAnswer_nothingAnsweredIsLost_everyPromiseIsKept() {
    try (CrashRounds rounds = CrashRounds.on(TRIAL.trial(), PROXIES, ENROLLMENTS)) {
      rounds.killNodesAt(When.COMMIT_ANSWERED);
      rounds.killNodeInTheToken("after");
      rounds.killPostgresAt(Holds.OUTCOME, When.COMMIT_SENT);

      rounds.judge();
    }
  }
}
