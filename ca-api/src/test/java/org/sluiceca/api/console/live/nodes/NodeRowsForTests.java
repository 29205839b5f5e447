package org.sluiceca.api.console.live.nodes;

import java.util.List;
import java.util.Optional;
import org.sluiceca.api.console.live.feed.LiveFeed;
import org.sluiceca.api.console.live.feed.Reading;
import org.sluiceca.api.console.live.feed.RequesterTally;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;

/** Nodes for tests of pages: without a database. */
public final class NodeRowsForTests {

  private NodeRowsForTests() {}

  /** Returns one of a node whose database is away. */
  public static NodesFeed away(LiveFeed feed) {
    return new NodesFeed("node-0", feed, new Away());
  }

  /** Returns one of a node with a reading. */
  public static NodesFeed feed(Reading reading) {
    return away(new LiveFeed(() -> reading, new RequesterTally()));
  }

  /** Returns a node's figures. */
  public static NodeSecond second(String node, String state, double issued, double utilization) {
    return new NodeSecond(
        node,
        state,
        state.equals("full") || state.equals("busy") ? "hsm" : "",
        "net-1",
        new NodeSecond.Load(12, 0.01, utilization, issued, 2, 10, state.equals("lost") ? 0 : 1, 1));
  }

  private static final class Away implements NodesFeed.Rows {

    @Override
    public void write(NodeSecond row) {
      throw new LedgerUnavailable("away");
    }

    @Override
    public NodesFeed.Answer exchange(Optional<NodeSecond> row, long seconds) {
      throw new LedgerUnavailable("away");
    }

    @Override
    public List<NodesFeed.Minute> hour() {
      throw new LedgerUnavailable("away");
    }
  }
}
