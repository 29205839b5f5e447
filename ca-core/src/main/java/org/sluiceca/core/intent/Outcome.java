package org.sluiceca.core.intent;

import org.sluiceca.core.x509.OctetString;

/** What came of an intent. There is at most one outcome a serial number, ever: the first one. */
public sealed interface Outcome {

  /**
   * Signed, checked and durable.
   *
   * @param signature the signatureValue's octets (RFC 5280 4.1.1.3)
   */
  record Issued(OctetString signature) implements Outcome {}

  /**
   * Given up: this serial number will never be released.
   *
   * @param maybeSigned whether a signature may exist somewhere, so that the serial number belongs
   *     on the CRL
   */
  record Abandoned(Reason reason, boolean maybeSigned) implements Outcome {}

  /** Why an intent was given up. */
  enum Reason {
    /** It waited longer than the recovery policy allows. */
    TOO_OLD,
    /** Its issuer is no longer active. */
    ISSUER_INACTIVE,
    /** Its content is no longer what this CA would plan: see {@code plan.Recheck}. */
    CONTENT_NOT_ISSUABLE,
    /** Its public key was reported as compromised after it was recorded. */
    KEY_COMPROMISED,
    /** Its requester may no longer have the certificate. */
    REQUESTER_NOT_ALLOWED,
    /** Its requester, or an officer, does not want it any more. */
    CANCELLED,
    /** The database was restored from a state in which it was undecided. */
    RESTORED
  }
}
