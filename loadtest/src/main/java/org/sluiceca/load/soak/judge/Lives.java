package org.sluiceca.load.soak.judge;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Since when each node lives without interruption. Thread-safe. */
public final class Lives {

  private final List<Optional<Instant>> since = new ArrayList<>();

  /** Creates {@code nodes} nodes, all of which live. */
  public Lives(int nodes, Instant since) {
    for (int i = 0; i < nodes; i++) {
      this.since.add(Optional.of(since));
    }
  }

  /** To be called before a node is killed or stopped. */
  public synchronized void down(int node) {
    since.set(node, Optional.empty());
  }

  /** To be called once a node is ready again, or goes on. */
  public synchronized void up(int node, Instant at) {
    since.set(node, Optional.of(at));
  }

  /** Returns whether a node has lived from that moment until now. */
  public synchronized boolean isSteadySince(int node, Instant from) {
    return since.get(node).filter(start -> !start.isAfter(from)).isPresent();
  }

  /** Returns the nodes that live. */
  public synchronized List<Integer> living() {
    List<Integer> living = new ArrayList<>();
    for (int i = 0; i < since.size(); i++) {
      if (since.get(i).isPresent()) {
        living.add(i);
      }
    }
    return living;
  }
}
