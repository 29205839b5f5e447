package org.sluiceca.blackbox;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.sluiceca.blackbox.DatabaseProxy.Holds;
import org.sluiceca.blackbox.DatabaseProxy.When;

/**
 * SIGKILL of nodes and of PostgreSQL at each border between two steps, under load, and a node that
 * sleeps too long: what was answered is there afterwards, and every promise is kept.
 */
@Tag("nightly")
class CrashBordersIT {

  private static final int ENROLLMENTS = 60;

  private static final List<DatabaseProxy> PROXIES = new ArrayList<>();

  @RegisterExtension static final TrialExtension TRIAL = CrashRounds.trial(PROXIES);

  @Test
  void killedAtEveryBorder_nothingAnsweredIsLost_everyPromiseIsKept() {
    try (CrashRounds rounds = CrashRounds.on(TRIAL.trial(), PROXIES, ENROLLMENTS)) {
      for (When when : When.values()) {
        rounds.killNodesAt(when);
      }
      rounds.killNodeInTheToken("before");
      rounds.killNodeInTheToken("after");
      rounds.freezeNode();
      for (When when : List.of(When.COMMIT_SENT, When.COMMIT_ANSWERED)) {
        for (Holds holds : Holds.values()) {
          rounds.killPostgresAt(holds, when);
        }
      }

      rounds.judge();
    }
  }
}
