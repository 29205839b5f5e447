package org.sluiceca.load.sizing;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.sluiceca.load.sizing.given.KeyKind;

/**
 * What a demand needs. Rates are a second, over all regions unless it says otherwise; utilisations
 * are in the busiest hour with everything lost that may be lost.
 *
 * @param perSecond certificates, over the whole day
 * @param peakPerSecond in the busiest hour
 * @param resources what could be full, the fullest first
 * @param lacks what of the given is fuller than it may be, in words; empty if the plan holds
 * @param alternatives what the same demand would cost with each kind of issuing key
 */
public record Sized(
    double perSecond,
    double peakPerSecond,
    Signing hsm,
    Nodes nodes,
    Database database,
    List<Resource> resources,
    List<String> lacks,
    List<Alternative> alternatives) {

  public Sized {
    resources = List.copyOf(resources);
    lacks = List.copyOf(lacks);
    alternatives = List.copyOf(alternatives);
  }

  /**
   * HSMs.
   *
   * @param name of the kind of HSM
   * @param perRegion spare ones included: given, or as many as are needed
   * @param total of all regions
   * @param needed of each region, spare ones included
   * @param work HSMs' worth of time that a region's peak takes
   * @param utilisation without the spare ones
   * @param queue in them then
   * @param carriesPerSecond certificates of this demand's mixture that they sign when they are as
   *     full as they may be, without the spare ones
   */
  public record Signing(
      String name,
      int perRegion,
      int total,
      int needed,
      double work,
      double utilisation,
      Queue queue,
      double carriesPerSecond) {}

  /**
   * Jobs of one region in its HSMs. Waits and jobs are infinite if they cannot keep up.
   *
   * @param waitSeconds mean wait for an engine
   * @param serviceSeconds mean time in an engine
   * @param variation of that time: its variance over the square of its mean
   * @param jobs mean number that wait or are signed (Little: rate x time)
   */
  public record Queue(double waitSeconds, double serviceSeconds, double variation, double jobs) {}

  /**
   * Nodes.
   *
   * @param perRegion spare ones included
   * @param neededFor what would not be carried by fewer
   * @param whole of all regions together
   * @param coresBusy of a region's nodes together
   * @param memoryMb resident, of each node when the spare ones are lost
   * @param connections of each node then
   */
  public record Nodes(
      int perRegion,
      String neededFor,
      Whole whole,
      double coresBusy,
      double utilisation,
      double memoryMb,
      long connections,
      Handshakes handshakes) {}

  /**
   * What all regions have of nodes.
   *
   * @param memoryMb that the processes have resident, as full as each may become
   */
  public record Whole(int nodes, int cores, double memoryMb) {}

  /**
   * TLS handshakes.
   *
   * @param perSecond of all regions
   * @param micros of a core that one takes on the mean: in full, resumed and with clients'
   *     certificates
   * @param crowdMicros of one of a crowd, in full
   * @param crowdSeconds until the last client of the crowd is connected; 0 without a crowd
   */
  public record Handshakes(
      double perSecond, double micros, double crowdMicros, double crowdSeconds) {}

  /**
   * The one database.
   *
   * @param standbys of the same size
   * @param bytesPerDay that stay
   * @param bytesInAYear the ledger of a year, and the index of what lives
   * @param logBytesPerSecond of the write-ahead log at the peak
   * @param logBytesPerDay that an archive of it takes
   */
  public record Database(
      int standbys,
      double coresBusy,
      double utilisation,
      double bytesPerDay,
      double bytesInAYear,
      double logBytesPerSecond,
      double logBytesPerDay) {}

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
   * @param perHsmSecond certificates that one HSM signs a second; empty if its rate was not given
   * @param perCoreSecond certificates of that kind, for subjects of the same kind, that a core of a
   *     node takes a second
   * @param hsms of one region, without spare ones, OCSP included; empty if the rate was not given
   * @param times what it costs the HSM against EC P-256; empty if either rate was not given
   */
  public record Alternative(
      KeyKind issuerKey,
      OptionalDouble perHsmSecond,
      double perCoreSecond,
      OptionalInt hsms,
      OptionalDouble times) {}
}
