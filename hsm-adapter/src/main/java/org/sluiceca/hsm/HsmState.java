package org.sluiceca.hsm;

/** Whether signatures can be had from a token at this moment. */
public enum HsmState {
  /** Signing. */
  READY,
  /** A session or login is being replaced; requests are queued meanwhile. */
  RECOVERING,
  /** The token is gone and is being polled for; requests are refused at once. */
  TOKEN_LOST,
  /** The token refused the PIN; nothing is tried until the process is started again. */
  PIN_REFUSED,
  /** Closed by its owner. */
  CLOSED
}
