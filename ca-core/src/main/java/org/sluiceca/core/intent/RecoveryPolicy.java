package org.sluiceca.core.intent;

import java.time.Duration;

/**
 * What becomes of an intent whose owner let it lie: finished by the same line, or given up. Pure.
 *
 * @param ageMax how long after its record an intent may still be signed; a certificate that comes
 *     later has lost that much of its validity
 */
public record RecoveryPolicy(Duration ageMax) {

  public RecoveryPolicy {
    if (ageMax.isNegative() || ageMax.isZero()) {
      throw new IllegalArgumentException("ageMax " + ageMax + " not positive");
    }
  }

  /**
   * What was looked up again about an intent before it is signed after all.
   *
   * @param contentIssuable whether {@code plan.Recheck} finds no fault with the recorded bytes
   */
  public record Circumstances(
      boolean issuerActive, boolean requesterAllowed, boolean contentIssuable) {}

  /** The decision. */
  public sealed interface Decision {

    /** Sign the recorded bytes. */
    record Finish() implements Decision {}

    /**
     * Give up: its last owner may have signed, so the serial number counts as maybe signed, unless
     * no node owned it before.
     */
    record Abandon(Outcome.Abandoned outcome) implements Decision {}
  }

  /** Decides about one intent that was taken over. */
  public Decision decide(ExpiredIntent expired, Circumstances circumstances) {
    if (!circumstances.issuerActive()) {
      return abandon(expired, Outcome.Reason.ISSUER_INACTIVE);
    }
    if (!circumstances.requesterAllowed()) {
      return abandon(expired, Outcome.Reason.REQUESTER_NOT_ALLOWED);
    }
    if (!circumstances.contentIssuable()) {
      return abandon(expired, Outcome.Reason.CONTENT_NOT_ISSUABLE);
    }
    if (isTooOld(expired)) {
      return abandon(expired, Outcome.Reason.TOO_OLD);
    }
    return new Decision.Finish();
  }

  /** Decides about one intent whose public key has been reported as compromised meanwhile. */
  public Decision decideCompromised(ExpiredIntent expired) {
    return abandon(expired, Outcome.Reason.KEY_COMPROMISED);
  }

  /** Returns whether an intent has waited for longer than it may. */
  public boolean isTooOld(ExpiredIntent expired) {
    return expired.age().compareTo(ageMax) > 0;
  }

  private static Decision abandon(ExpiredIntent expired, Outcome.Reason reason) {
    return new Decision.Abandon(new Outcome.Abandoned(reason, !expired.untouched()));
  }
}
