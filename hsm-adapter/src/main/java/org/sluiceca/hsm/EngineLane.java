package org.sluiceca.hsm;

import org.sluiceca.hsm.lane.LaneSupervisor;
import org.sluiceca.hsm.limit.Grant;
import org.sluiceca.hsm.limit.NodeReport;

/** The way to a group of a token's engines: what nodes divide among them. Thread-safe. */
public final class EngineLane {
  private final Window window;
  private final LaneSupervisor supervisor;

  EngineLane(Window window, LaneSupervisor supervisor) {
    this.window = window;
    this.supervisor = supervisor;
  }

  /** The window that it was opened with. */
  public Window window() {
    return window;
  }

  LaneSupervisor supervisor() {
    return supervisor;
  }

  /** Whether its engines were measured with such signatures. */
  boolean signs(SignatureClass signatureClass) {
    return window instanceof Window.Steered steered
        && steered.engines().baseSeconds().containsKey(signatureClass);
  }

  /**
   * What this node has seen of the engines since it was last asked, for the leader of the token's
   * nodes. Does not block; to be asked by one thread, once a second.
   *
   * @param node this process, told from every other
   */
  public NodeReport report(String node) {
    return supervisor.lane().report(node);
  }

  /**
   * Uses a lease in place of the window that the node finds by itself, which must be a steered one.
   * Does not block. A lease that is over, or older than the one in use, changes nothing.
   *
   * @param untilNanos when it ends, on {@link System#nanoTime}'s scale
   */
  public void lease(Grant grant, long untilNanos) {
    supervisor.lane().lease(grant, untilNanos);
  }
}
