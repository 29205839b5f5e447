package org.sluiceca.hsm;

/** How many jobs may be in the token at once. */
public sealed interface Window {

  /** Always as many: at least 1. */
  record Fixed(int jobs) implements Window {}

  /**
   * As few as keep engines busy, found by measuring, within bounds that no measurement changes.
   *
   * @param engines of the token, those that sign the same classes
   * @param deviceQueue how many jobs may wait inside the HSM before it says that it is busy: 0 to
   *     4,096
   * @param nodesMax how many nodes may share the token: 1 to 64
   */
  record Steered(EngineGroup engines, int deviceQueue, int nodesMax) implements Window {

    /** Ten times the longest queue that we know of. */
    public static final int DEVICE_QUEUE_MAX = 4096;

    /** As many as the launcher starts. */
    public static final int NODES_MAX = 64;

    /** Checks the ranges. */
    public Steered {
      if (deviceQueue < 0 || deviceQueue > DEVICE_QUEUE_MAX) {
        throw new IllegalArgumentException(
            "the device queue must be 0 to 4,096 jobs, not " + deviceQueue);
      }
      if (nodesMax < 1 || nodesMax > NODES_MAX) {
        throw new IllegalArgumentException("nodes must be 1 to 64, not " + nodesMax);
      }
    }
  }
}
