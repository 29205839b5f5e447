package org.sluiceca.api.hsm;

import org.sluiceca.core.sign.Lane;
import org.sluiceca.hsm.LaneShares;

/** The lanes of the domain as a token's queue has them: the same names, weights and parts. */
public final class HsmLanes {

  /** What each lane gets of a busy token: the weights by which admission lets requests in. */
  public static final LaneShares SHARES =
      new LaneShares(
          Lane.RENEWAL.weight(),
          Lane.INTERACTIVE.weight(),
          Lane.BULK.weight(),
          Lane.STATUS_PART_MAX);

  private HsmLanes() {}

  static org.sluiceca.hsm.Lane of(Lane lane) {
    return switch (lane) {
      case STATUS -> org.sluiceca.hsm.Lane.STATUS;
      case RENEWAL -> org.sluiceca.hsm.Lane.RENEWAL;
      case INTERACTIVE -> org.sluiceca.hsm.Lane.INTERACTIVE;
      case BULK -> org.sluiceca.hsm.Lane.BULK;
    };
  }
}
