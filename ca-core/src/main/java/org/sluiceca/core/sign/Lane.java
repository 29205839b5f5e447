package org.sluiceca.core.sign;

/** Whose work goes first when the signer is busy. Assigned by the server, never by the caller. */
public enum Lane {
  /** CRLs and OCSP responses: small, rare, and what relying parties depend on. */
  STATUS,
  /** Renewals, which keep what already runs running. */
  RENEWAL,
  /** A client waits for its answer. */
  INTERACTIVE,
  /** Nobody waits: batches, and what recovery finishes. */
  BULK
}
