package org.sluiceca.api.auth.use;

import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.api.audit.AuditKind;
import org.sluiceca.api.audit.AuditTrail;
import org.sluiceca.api.audit.Fact;
import org.sluiceca.api.auth.store.CredentialStore;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.api.auth.store.RotationStore;

/**
 * Ends a token when the one that replaces it is first presented: then its holder has it. In the
 * audit trail before it is done. Thread-safe; blocks as the trail and the store do.
 */
public final class FirstUse {

  private final CredentialStore credentials;
  private final RotationStore rotations;
  private final AuditTrail trail;
  private final InstantSource clock;

  public FirstUse(
      CredentialStore credentials, RotationStore rotations, AuditTrail trail, InstantSource clock) {
    this.credentials = credentials;
    this.rotations = rotations;
    this.trail = trail;
    this.clock = clock;
  }

  /**
   * Returns a credential that was looked up because it was presented, as it is after what it
   * replaces has ended. Costs nothing where it replaces nothing.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable if the end cannot be recorded
   *     or done: presenting it again is safe
   */
  public Optional<RegisteredCredential> of(RegisteredCredential presented) {
    if (presented.replaces().isEmpty() || !presented.isValidAt(clock.instant())) {
      return Optional.of(presented);
    }
    trail.recordDurably(
        new Fact(
            AuditKind.CREDENTIAL_REVOKE,
            presented.requester().value(),
            Map.of(
                "credential", presented.replaces().get().toString(),
                "replacedBy", presented.id().toString())));
    rotations.endPredecessor(presented.requester(), presented.id());
    // Another rotation of the old token may have ended this one meanwhile.
    return credentials.find(presented.kind(), presented.sha256());
  }
}
