package org.sluiceca.load.sizing;

/**
 * How full things may be in the busiest hour, when all that may be lost is lost.
 *
 * @param hsm of an HSM's time, above 0 and below 1
 * @param processors of nodes' and the database's, above 0 and below 1
 * @param coresPerNode 1 to 256
 * @param databaseCores 1 to 256
 */
public record Targets(double hsm, double processors, int coresPerNode, int databaseCores) {

  /**
   * At 80 % jobs of one engine wait for two others; at 60 % a node that starts or collects garbage
   * still keeps up.
   */
  public static final Targets DEFAULT = new Targets(0.8, 0.6, 2, 8);

  public Targets {
    if (!(hsm > 0 && hsm < 1) || !(processors > 0 && processors < 1)) {
      throw new SizingException("a target is to be above 0 and below 1");
    }
    if (coresPerNode < 1 || coresPerNode > 256 || databaseCores < 1 || databaseCores > 256) {
      throw new SizingException("cores are to be 1 to 256");
    }
  }
}
