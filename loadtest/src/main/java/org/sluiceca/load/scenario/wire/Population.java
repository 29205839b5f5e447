package org.sluiceca.load.scenario.wire;

import java.util.List;
import org.sluiceca.load.plan.Client.WhenRefused;
import org.sluiceca.load.plan.Offer.Kind;

/**
 * Clients of one kind and one requester.
 *
 * @param waves in the order of time, none beginning before the one before it has ended
 */
public record Population(Kind kind, String requester, WhenRefused whenRefused, List<Wave> waves) {

  /** Copies. */
  public Population {
    waves = List.copyOf(waves);
  }

  /** Returns its name in Gatling's report. */
  public String name() {
    return kind.isIssuance() ? kind.key() + " " + requester : kind.key();
  }
}
