package org.sluiceca.load.sizing;

import java.util.List;
import java.util.OptionalDouble;
import org.sluiceca.load.sizing.given.Demand;
import org.sluiceca.load.sizing.given.Demand.Kind;
import org.sluiceca.load.sizing.given.KeyKind;

/** Makes demands: of one region with one spare, three times as busy at its peak, and no more. */
final class Demands {

  private final List<Kind> kinds;
  private double peakFactor = 3;
  private double handshakesPerRequest;
  private double resumed;
  private double clientCertificates;
  private long openConnections;
  private long crowd;
  private double crowdSeconds = 30;
  private double ocspPerDay;
  private int regions = 1;
  private int spare = 1;

  private Demands(List<Kind> kinds) {
    this.kinds = kinds;
  }

  /** A kind of which {@code perDay} certificates are issued in a day, each for its lifetime. */
  static Kind issued(
      String name, double perDay, double days, KeyKind issuerKey, KeyKind subjectKey) {
    double living = perDay * days * 2 / 3;
    return new Kind(name, living, OptionalDouble.of(perDay), days, issuerKey, subjectKey);
  }

  /** A kind of which {@code living} certificates are valid, each renewed in time. */
  static Kind renewed(
      String name, double living, double days, KeyKind issuerKey, KeyKind subjectKey) {
    return new Kind(name, living, OptionalDouble.empty(), days, issuerKey, subjectKey);
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
    crowd = handshakes;
    crowdSeconds = withinSeconds;
    return this;
  }

  Demands ocspPerDay(double perCertificate) {
    ocspPerDay = perCertificate;
    return this;
  }

  Demands regions(int count) {
    regions = count;
    return this;
  }

  Demands spare(int count) {
    spare = count;
    return this;
  }

  Demand demand() {
    return new Demand(
        kinds,
        peakFactor,
        handshakesPerRequest,
        0,
        resumed,
        clientCertificates,
        openConnections,
        crowd,
        crowdSeconds,
        0,
        ocspPerDay,
        24,
        regions,
        spare);
  }
}
