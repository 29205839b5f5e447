package org.sluiceca.api.enrollment;

import org.sluiceca.core.intent.Outcome;

/** Why an order came to nothing, in words for its client. */
public final class GivenUpOrder {

  private GivenUpOrder() {}

  /** Returns the reason as a sentence without its end. */
  public static String describe(Outcome.Reason reason) {
    return switch (reason) {
      case TOO_OLD -> "it waited too long for the signer; ask again";
      case ISSUER_INACTIVE -> "its issuer is no longer active";
      case KEY_COMPROMISED ->
          "its public key was reported as compromised; make a new key, and a new request with it";
      case CONTENT_NOT_ISSUABLE -> "its content is no longer what its profile allows; ask again";
      case REQUESTER_NOT_ALLOWED -> "its requester may no longer have it";
      case CANCELLED -> "it was cancelled";
      case RESTORED -> "the ledger was restored, and may have lost what came of it; ask again";
    };
  }
}
