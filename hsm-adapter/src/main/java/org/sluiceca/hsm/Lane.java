package org.sluiceca.hsm;

/**
 * Whose job goes first while the token is busy. {@link #STATUS} is served before all others, up to
 * a part of the capacity; the others share what is left by weight ({@link LaneShares}).
 */
public enum Lane {
  /** What relying parties depend on: CRLs, OCSP responses. */
  STATUS,
  /** Work that must not come too late. */
  RENEWAL,
  /** A client waits. */
  INTERACTIVE,
  /** No client waits for the single job. */
  BULK
}
