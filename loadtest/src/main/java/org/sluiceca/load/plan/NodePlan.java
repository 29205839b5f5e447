package org.sluiceca.load.plan;

/**
 * The nodes of a trial.
 *
 * @param count 1 to 30
 * @param issuerKey the algorithm of the issuing key, as {@code ./sluice up --issuer-key} takes it
 * @param isIsolated whether the PKCS#11 module runs in a process of its own
 * @param javaOptions for their JVMs, in JDK_JAVA_OPTIONS; may be empty
 */
public record NodePlan(int count, String issuerKey, boolean isIsolated, String javaOptions) {

  /** The density that one host is meant for. */
  private static final int COUNT_MAX = 30;

  /** Validates. */
  public NodePlan {
    PlanFile.range("nodes", count, 1, COUNT_MAX);
  }

  NodePlan withCount(int other) {
    return new NodePlan(other, issuerKey, isIsolated, javaOptions);
  }
}
