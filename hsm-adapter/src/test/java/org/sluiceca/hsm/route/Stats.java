package org.sluiceca.hsm.route;

import java.util.List;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.HsmStats;
import org.sluiceca.hsm.Lane;
import org.sluiceca.hsm.LaneStats;

/** Snapshots for tests of routing, which looks at a few of their numbers. */
final class Stats {
  private Stats() {}

  /** What is in the token. */
  record Window(int inflight, double limit, int zombies) {}

  static HsmStats of(HsmState state, int queueDepth, Window window, long meanServiceNanos) {
    return new HsmStats(
        state,
        TokenStatus.isUsable(state),
        queueDepth,
        1024,
        0,
        List.of(new LaneStats(Lane.INTERACTIVE, queueDepth, 0, queueDepth * meanServiceNanos)),
        window.inflight(),
        window.limit(),
        window.zombies(),
        8,
        0,
        0,
        meanServiceNanos,
        0);
  }
}
