package org.sluiceca.load.sizing;

import java.util.List;

/**
 * What a demand needs. Rates are a second, over all regions unless it says otherwise; utilisations
 * are in the busiest hour with everything lost that may be lost.
 *
 * @param perSecond certificates, over the whole day
 * @param peakPerSecond in the busiest hour
 * @param resources what could be full, the fullest first
 * @param alternatives what the same demand would cost with each kind of issuing key
 */
public record Sized(
    double perSecond,
    double peakPerSecond,
    Signing hsm,
    Nodes nodes,
    Database database,
    List<Resource> resources,
    List<Alternative> alternatives) {

  public Sized {
    resources = List.copyOf(resources);
    alternatives = List.copyOf(alternatives);
  }

  /**
   * HSMs.
   *
   * @param perRegion spare ones included
   * @param work HSMs' worth of time that a region's peak takes
   * @param utilisation without the spare ones
   * @param waitSeconds mean wait for an engine then
   * @param serviceSeconds mean time in an engine
   * @param inHsm mean number of jobs of a region that wait or are signed (Little: rate x time)
   */
  public record Signing(
      String name,
      int perRegion,
      int total,
      double work,
      double utilisation,
      double waitSeconds,
      double serviceSeconds,
      double inHsm) {}

  /**
   * Nodes.
   *
   * @param perRegion spare ones included
   * @param coresBusy of a region's nodes together
   * @param handshakesPerSecond of all regions
   * @param memoryMb resident, of each node when the spare ones are lost
   * @param connections of each node then
   */
  public record Nodes(
      int perRegion,
      int total,
      double coresBusy,
      double utilisation,
      double handshakesPerSecond,
      double ocspPerSecond,
      double memoryMb,
      long connections) {}

  /**
   * The one database.
   *
   * @param bytesPerDay that stay
   * @param bytesInAYear the ledger of a year, and the index of what lives
   * @param logBytesPerSecond of the write-ahead log at the peak
   */
  public record Database(
      double coresBusy,
      double utilisation,
      double bytesPerDay,
      double bytesInAYear,
      double logBytesPerSecond) {}

  /**
   * Something that can be full.
   *
   * @param utilisation 1 is full
   * @param timesUntilFull how many times the demand makes it full
   */
  public record Resource(String name, double utilisation, double timesUntilFull) {}

  /**
   * All certificates of the demand signed with one kind of key.
   *
   * @param perHsmSecond certificates that one HSM signs a second; 0 if its rate was not given
   * @param perCoreSecond certificates of that kind, for subjects of the same kind, that a core of a
   *     node takes a second
   * @param hsms of one region, without spare ones; 0 if the rate was not given
   * @param times what it costs the HSM against EC P-256; 0 if either rate was not given
   */
  public record Alternative(
      KeyKind issuerKey, double perHsmSecond, double perCoreSecond, int hsms, double times) {}
}
