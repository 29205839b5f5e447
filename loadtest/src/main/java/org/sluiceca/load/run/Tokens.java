package org.sluiceca.load.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.drive.OpenLoop;
import org.sluiceca.load.plan.HsmPlan;
import org.sluiceca.load.watch.HsmMaker;
import org.sluiceca.load.watch.NodeAddresses;
import org.sluiceca.load.watch.TrialNodes;

/**
 * Which HSMs the nodes have: their tokens file, if there are several. Used by one thread at a time.
 */
final class Tokens {

  /** Nodes look at their file every 3 s; a token opens in a second, on a busy machine in more. */
  private static final long TAKEN_WITHIN_SECONDS = 60;

  private static final long LOOK_MILLIS = 200;

  /** As {@code /v1/capacity} says it. */
  private static final String READY = "ready";

  private final HsmMaker maker;
  private List<String> given;

  /** Of nodes that were given these HSMs at their start. */
  Tokens(HsmMaker maker, List<HsmPlan> given) {
    this.maker = maker;
    this.given = names(given);
  }

  /**
   * Gives the nodes these HSMs, and waits until each says that it has them and no other.
   *
   * @throws TrialException if one does not within a minute
   */
  void give(List<HsmPlan> hsms, TrialNodes nodes, NodeAddresses doors) {
    List<String> wanted = names(hsms);
    if (wanted.equals(given)) {
      return;
    }
    Path ignored = maker.writeTokensFile(HsmMaker.TOKENS_FILE, wanted::contains);
    given = wanted;
    Map<String, String> ready = wanted.stream().collect(Collectors.toMap(n -> n, n -> READY));
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TAKEN_WITHIN_SECONDS);
    for (int node : nodes.living()) {
      while (!doors.tokens(node).equals(ready)) {
        if (System.nanoTime() - deadline > 0) {
          throw new TrialException(
              String.format(
                  Locale.ROOT,
                  "node %d has the tokens %s, not %s",
                  node,
                  doors.tokens(node),
                  wanted));
        }
        OpenLoop.awaitTime(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
      }
    }
  }

  private static List<String> names(List<HsmPlan> hsms) {
    return hsms.stream().map(HsmPlan::name).toList();
  }
}
