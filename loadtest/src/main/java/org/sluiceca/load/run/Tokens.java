package org.sluiceca.load.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.sluiceca.load.call.Wait;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.plan.HsmPlan;
import org.sluiceca.load.watch.HsmMaker;
import org.sluiceca.load.watch.NodeAddresses;
import org.sluiceca.load.watch.TrialNodes;

/**
 * Which HSMs the nodes have: their tokens file, if there are several. Used by one thread at a time.
 */
final class Tokens {

  /** Nodes look at their file every 3 s; a token opens in a second, on a busy machine in more. */
  private static final Duration TAKEN_WITHIN = Duration.ofSeconds(60);

  private static final Duration LOOK = Duration.ofMillis(200);

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
    Wait.require(
        TAKEN_WITHIN,
        LOOK,
        "not every node has the tokens " + wanted,
        () -> nodes.living().stream().allMatch(node -> doors.tokens(node).equals(ready)));
  }

  private static List<String> names(List<HsmPlan> hsms) {
    return hsms.stream().map(HsmPlan::name).toList();
  }
}
