package org.sluiceca.hsm;

/**
 * What each lane gets of a busy token. The caller that admits the jobs sets it, so that they are
 * admitted at the rate at which they are served.
 *
 * @param renewal the weight of {@link Lane#RENEWAL}, at least 1: of what is shared, a lane gets its
 *     weight's part among the lanes that have jobs
 * @param interactive the weight of {@link Lane#INTERACTIVE}, at least 1
 * @param bulk the weight of {@link Lane#BULK}, at least 1
 * @param statusPart of all that is served, what {@link Lane#STATUS} gets before the others while
 *     they wait too: above 0, at most 1. It bounds what a flood of OCSP requests takes
 */
public record LaneShares(int renewal, int interactive, int bulk, double statusPart) {

  /** Lanes that share alike, after {@link Lane#STATUS}: for a caller that has one job at a time. */
  public static final LaneShares EQUAL = new LaneShares(1, 1, 1, 1);

  public LaneShares {
    if (Math.min(renewal, Math.min(interactive, bulk)) < 1) {
      throw new IllegalArgumentException("the weight of a lane must be at least 1");
    }
    if (!(statusPart > 0 && statusPart <= 1)) {
      throw new IllegalArgumentException("statusPart must be above 0 and at most 1");
    }
  }

  /** Returns the weight of a lane; 0 for {@link Lane#STATUS}, which does not share. */
  public int weight(Lane lane) {
    return switch (lane) {
      case STATUS -> 0;
      case RENEWAL -> renewal;
      case INTERACTIVE -> interactive;
      case BULK -> bulk;
    };
  }
}
