package org.sluiceca.hsm;

/**
 * Whose job goes first while the token is busy. {@link #STATUS} is served before all others, up to
 * a part of the capacity; the others share what is left by weight.
 */
public enum Lane {
  /** What relying parties depend on: CRLs, OCSP responses. */
  STATUS(0),
  /** Work that must not come too late. */
  RENEWAL(50),
  /** A client waits. */
  INTERACTIVE(35),
  /** No client waits. */
  BULK(15);

  private final int weight;

  Lane(int weight) {
    this.weight = weight;
  }

  /** Returns its part of what is shared, in per cent while all want it; 0 if it does not share. */
  public int weight() {
    return weight;
  }
}
