package org.sluiceca.api.simulation;

/**
 * How likely each fault is in one world, wherever it can strike. Half of the kinds are absent from
 * a given world, so that each is also seen with few others.
 */
record Weather(Nodes nodes, Database database, Token token, Network network) {

  /**
   * Faults of nodes at a boundary of a port.
   *
   * @param freeze the node stands still, perhaps for longer than its claims live
   * @param stopsTicker of those that freeze: the node's monotonic clock stands still too, as in a
   *     suspended virtual machine
   * @param clockStep the node's wall clock is set
   */
  record Nodes(double crash, double freeze, double stopsTicker, double clockStep) {}

  /**
   * Faults of the database, for each transaction.
   *
   * @param lostBefore the connection ends before the commit
   * @param lostAfter the connection ends after the commit, before its answer
   * @param rolledBack a deadlock
   * @param refused the server cannot
   * @param stall the commit takes long, perhaps longer than the client waits
   * @param clockStep the database's clock is set forward
   */
  record Database(
      double lostBefore,
      double lostAfter,
      double rolledBack,
      double refused,
      double stall,
      double clockStep) {}

  /** Faults of the token, for each call. */
  record Token(
      double lost,
      double answerLost,
      double wrongSignature,
      double wrongKey,
      double slow,
      double hang,
      double sessionLost) {}

  /** Faults between client and node, for each request. */
  record Network(double requestLost, double answerLost, double duplicated) {}

  static Weather of(Dice dice) {
    return new Weather(
        new Nodes(rare(dice, 0.03), rare(dice, 0.03), dice.chance(0.5) ? 0.5 : 0, rare(dice, 0.02)),
        new Database(
            rare(dice, 0.1),
            rare(dice, 0.15),
            rare(dice, 0.1),
            rare(dice, 0.1),
            rare(dice, 0.1),
            rare(dice, 0.02)),
        new Token(
            rare(dice, 0.2),
            rare(dice, 0.2),
            rare(dice, 0.2),
            rare(dice, 0.1),
            rare(dice, 0.3),
            rare(dice, 0.1),
            rare(dice, 0.2)),
        new Network(rare(dice, 0.1), rare(dice, 0.2), rare(dice, 0.2)));
  }

  private static double rare(Dice dice, double most) {
    double part = dice.chance(0.5) ? 0.2 + 0.8 * dice.below(1000) / 1000.0 : 0;
    return part * most;
  }
}
