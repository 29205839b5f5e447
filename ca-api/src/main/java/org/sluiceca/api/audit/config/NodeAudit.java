package org.sluiceca.api.audit.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.audit.checkpoint.CheckpointLoop;
import org.sluiceca.core.audit.AuditEvent;

/** A node's chain from its first row to its last, and the checkpoints that the node takes. */
public final class NodeAudit implements AutoCloseable {

  private static final Fact STOPPED =
      new Fact(AuditKind.NODE_STOPPED, AuditEvent.UNKNOWN_ACTOR, Map.of());

  private final AuditTrail trail;
  private final Optional<CheckpointLoop> checkpoints;

  NodeAudit(AuditTrail trail, Optional<CheckpointLoop> checkpoints) {
    this.trail = trail;
    this.checkpoints = checkpoints;
  }

  /**
   * Begins the chain.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable if its first row cannot be
   *     recorded: a node does not issue unseen
   */
  void start(Fact started, List<Fact> more) {
    trail.start();
    trail.recordDurably(started);
    more.forEach(trail::record);
    checkpoints.ifPresent(CheckpointLoop::start);
  }

  /** Returns the trail, to record facts in it. */
  public AuditTrail trail() {
    return trail;
  }

  Optional<CheckpointLoop> checkpoints() {
    return checkpoints;
  }

  /** Writes what is left and the last row, and has a checkpoint cover it. */
  @Override
  public void close() {
    trail.record(STOPPED);
    trail.close();
    checkpoints.ifPresent(CheckpointLoop::close);
  }
}
