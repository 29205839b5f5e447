package org.sluiceca.api.issuance;

import java.time.InstantSource;
import java.util.OptionalDouble;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.core.admit.QueuePosition;

/** The parts of a service for tests, whose node bears eight waiting clients. */
public final class IssuanceParts {

  private static final int CLIENTS_MAX = 8;

  private IssuanceParts() {}

  /** Returns the parts, without a backlog. The trail is not started: it records no renewal. */
  public static IssuanceService.Parts of(IssuanceExecutor executor) {
    return new IssuanceService.Parts(
        executor,
        new WaitBulkhead(CLIENTS_MAX),
        requester -> new QueuePosition(0, OptionalDouble.empty()),
        new RenewalAudit(new AuditTrail("node-0.1", rows -> {}, InstantSource.system())),
        (request, result) -> {},
        System::nanoTime);
  }
}
