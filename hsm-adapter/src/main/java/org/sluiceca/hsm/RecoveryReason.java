package org.sluiceca.hsm;

/** What had been lost when a session, a login or the whole token was set up again. */
public enum RecoveryReason {
  /** The token forgot a session. */
  SESSION_LOST,
  /** The sessions lived but were logged out. */
  LOGIN_LOST,
  /** An object handle had become invalid. */
  HANDLE_LOST,
  /** The token was gone and came back. */
  TOKEN_LOST,
  /** A code that no profile knows; the session was replaced to be safe. */
  UNEXPECTED
}
