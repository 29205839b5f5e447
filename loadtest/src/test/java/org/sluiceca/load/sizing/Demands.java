package org.sluiceca.load.sizing;

import java.util.List;
import org.sluiceca.load.sizing.given.Demand;
import org.sluiceca.load.sizing.given.Demand.Crowd;
import org.sluiceca.load.sizing.given.Demand.Kind;
import org.sluiceca.load.sizing.given.Demand.Redundancy;
import org.sluiceca.load.sizing.given.Demand.Tls;

/** Makes demands: of one region with one spare, three times as busy at its peak, and no more. */
final class Demands {

  private final List<Kind> kinds;
  private double peakFactor = 3;
  private double handshakesPerRequest;
  private double resumed;
  private double clientCertificates;
  private long openConnections;
  private Crowd crowd = new Crowd(0, 30);
  private double ocspPerDay;
  private Redundancy redundancy = new Redundancy(1, 1);

  private Demands(List<Kind> kinds) {
    this.kinds = kinds;
  }

  static Demands of(Kind... kinds) {
    return new Demands(List.of(kinds));
  }

  Demands peakFactor(double factor) {
    peakFactor = factor;
    return this;
  }

  Demands handshakesPerRequest(double part) {
    handshakesPerRequest = part;
    return this;
  }

  Demands resumed(double part) {
    resumed = part;
    return this;
  }

  Demands clientCertificates(double part) {
    clientCertificates = part;
    return this;
  }

  Demands openConnections(long connections) {
    openConnections = connections;
    return this;
  }

  Demands crowd(long handshakes, double withinSeconds) {
    crowd = new Crowd(handshakes, withinSeconds);
    return this;
  }

  Demands ocspPerDay(double perCertificate) {
    ocspPerDay = perCertificate;
    return this;
  }

  Demands regions(int regions) {
    redundancy = new Redundancy(regions, redundancy.spare());
    return this;
  }

  Demands spare(int spare) {
    redundancy = new Redundancy(redundancy.regions(), spare);
    return this;
  }

  Demand demand() {
    return new Demand(
        kinds,
        peakFactor,
        new Tls(handshakesPerRequest, 0, resumed, clientCertificates, openConnections, crowd),
        0,
        ocspPerDay,
        24,
        redundancy);
  }
}
