package org.sluiceca.api.observe;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.DenialShares;
import org.sluiceca.api.audit.checkpoint.CheckpointLoop;

/** Shows whether the audit trail is written and covered. Reads snapshots only. */
public final class AuditMetrics {

  private final MeterRegistry registry;

  /** Registers in {@code registry}. */
  public AuditMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * Shows a node's part.
   *
   * @param checkpoints empty where there is no audit key
   * @param isKeyHere whether a token of this node holds it; must not block
   */
  public void watch(
      AuditTrail trail, Optional<CheckpointLoop> checkpoints, BooleanSupplier isKeyHere) {
    FunctionCounter.builder("ca.audit.rows", trail, AuditTrail::rows).register(registry);
    FunctionCounter.builder("ca.audit.lost", trail, AuditTrail::lost).register(registry);
    for (DenialShares.Reason reason : DenialShares.Reason.values()) {
      FunctionCounter.builder("ca.audit.unrecorded", trail, t -> t.unrecorded(reason))
          .tag("reason", reason.label())
          .register(registry);
    }
    FunctionCounter.builder("ca.audit.failures", trail, AuditTrail::failures).register(registry);
    Gauge.builder("ca.audit.writing", trail, t -> t.isWriting() ? 1 : 0)
        .strongReference(true)
        .register(registry);
    Gauge.builder("ca.audit.key", () -> isKeyHere.getAsBoolean() ? 1 : 0).register(registry);
    checkpoints.ifPresent(
        loop -> {
          FunctionCounter.builder("ca.audit.checkpoints", loop, CheckpointLoop::taken)
              .register(registry);
          FunctionCounter.builder("ca.audit.checkpoint.failures", loop, CheckpointLoop::failures)
              .register(registry);
          Gauge.builder("ca.audit.chains.missing", loop, CheckpointLoop::missing)
              .strongReference(true)
              .register(registry);
          Gauge.builder("ca.audit.checkpoint.age", loop, CheckpointLoop::ageSeconds)
              .baseUnit("seconds")
              .strongReference(true)
              .register(registry);
        });
  }
}
