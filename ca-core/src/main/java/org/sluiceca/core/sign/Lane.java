package org.sluiceca.core.sign;

/**
 * Whose work goes first when the signer is busy. Assigned by the server, never by the caller.
 * Admission goes by these weights, and the signer is configured with them.
 */
public enum Lane {
  /** CRLs and OCSP responses: small, rare, and what relying parties depend on. */
  STATUS(0),
  /** Renewals, which keep what already runs running. */
  RENEWAL(50),
  /** A client waits for its answer. */
  INTERACTIVE(35),
  /**
   * No client waits for the single certificate: lines of a batch, orders, and what recovery
   * finishes.
   */
  BULK(15);

  /** {@link #STATUS} goes before all others, but for no more than this part of the signer. */
  public static final double STATUS_PART_MAX = 0.15;

  private final int weight;

  Lane(int weight) {
    this.weight = weight;
  }

  /**
   * Returns its part of the signer in per cent while all others that share want it too; 0 if it
   * does not share but goes first.
   */
  public int weight() {
    return weight;
  }
}
