package org.sluiceca.hsm.vendor;

/** What a failed PKCS#11 call means for the one who made it. */
public enum FailureClass {
  /** Too much work at this moment: the job fails, nothing is reconnected. */
  BUSY(true),
  /** The session is gone; another one will do. */
  SESSION_LOST(false),
  /** The session is there but logged out. */
  LOGIN_LOST(true),
  /** The object handle is no longer valid; the key must be found again. */
  HANDLE_LOST(true),
  /** The token or the way to it is gone. */
  TOKEN_LOST(false),
  /** The PIN is wrong, locked or expired: never tried again. */
  PIN_REFUSED(true),
  /** The token refuses mechanism, key type or data. */
  REQUEST_REFUSED(true),
  /** Not in the profile: fails closed. */
  UNKNOWN(false);

  private final boolean neverStarted;

  FailureClass(boolean neverStarted) {
    this.neverStarted = neverStarted;
  }

  /** Whether a C_Sign that failed so has certainly made no signature. */
  public boolean neverStarted() {
    return neverStarted;
  }
}
