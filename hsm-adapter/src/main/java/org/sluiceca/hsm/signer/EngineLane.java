package org.sluiceca.hsm.signer;

import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.Window;
import org.sluiceca.hsm.limit.Grant;
import org.sluiceca.hsm.limit.NodeReport;
import org.sluiceca.hsm.session.TokenSessions;

/** The way to a group of a token's engines: what nodes divide among them. Thread-safe. */
public final class EngineLane {
  private final Window window;
  private final TokenSessions sessions;

  EngineLane(Window window, TokenSessions sessions) {
    this.window = window;
    this.sessions = sessions;
  }

  /** The window that it was opened with. */
  public Window window() {
    return window;
  }

  TokenSessions sessions() {
    return sessions;
  }

  /** How many engines were measured; 1 if none were. */
  int count() {
    return window instanceof Window.Steered steered ? steered.engines().engines() : 1;
  }

  /** Whether its engines were measured with such signatures. */
  boolean signs(SignatureClass signatureClass) {
    return window instanceof Window.Steered steered
        && steered.engines().baseSeconds().containsKey(signatureClass);
  }

  /** Whether its engines were measured with keys of this kind. */
  boolean signsWith(String keyKind) {
    return window instanceof Window.Steered steered
        && steered.engines().baseSeconds().keySet().stream()
            .anyMatch(c -> c.mechanism().keyKind().equals(keyKind));
  }

  /**
   * What this node has seen of the engines since it was last asked, for the leader of the token's
   * nodes. Does not block; to be asked by one thread, once a second.
   *
   * @param node the identity of this process, unique among all processes
   */
  public NodeReport report(String node) {
    return sessions.lane().report(node);
  }

  /**
   * Uses a lease in place of the window that the node finds by itself, which must be a steered one.
   * Does not block. A lease that is over, or older than the one in use, changes nothing.
   *
   * @param untilNanos when it ends, on {@link System#nanoTime}'s scale
   */
  public void lease(Grant grant, long untilNanos) {
    sessions.lane().lease(grant, untilNanos);
  }
}
