package org.sluiceca.load.sizing.given;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.sluiceca.load.cli.InputException;

/**
 * What is asked of a deployment.
 *
 * @param kinds of certificates, 1 to 100
 * @param peakFactor the busiest hour's rate over the mean of the day, 1 to 1,000
 * @param revokedPerYear the part of living certificates that is revoked in a year, 0 to 1
 * @param ocspPerCertificatePerDay how often a living certificate's status is asked for
 * @param ocspLifetimeHours how long an OCSP answer is kept; each certificate that is asked about is
 *     signed for once in that time
 */
public record Demand(
    List<Kind> kinds,
    double peakFactor,
    Tls tls,
    double revokedPerYear,
    double ocspPerCertificatePerDay,
    double ocspLifetimeHours,
    Redundancy redundancy) {

  private static final int KINDS_MAX = 100;
  private static final double SECONDS_PER_DAY = 86_400;

  /** Clients renew when a third of the lifetime is left. */
  private static final double RENEWED_AFTER = 2.0 / 3;

  public Demand {
    kinds = List.copyOf(kinds);
    require(!kinds.isEmpty() && kinds.size() <= KINDS_MAX, "kinds", "1 to " + KINDS_MAX);
    require(peakFactor >= 1 && peakFactor <= 1_000, "peakFactor", "1 to 1000");
    require(isPart(revokedPerYear), "revokedPerYear", "0 to 1");
    require(
        ocspPerCertificatePerDay >= 0 && ocspPerCertificatePerDay <= 1e6,
        "ocspPerCertificatePerDay",
        "0 to 1000000");
    require(ocspLifetimeHours > 0 && ocspLifetimeHours <= 8_760, "ocspLifetimeHours", "up to 8760");
  }

  /**
   * Its TLS connections.
   *
   * @param handshakesPerRequest the part of requests for certificates that come over a new
   *     connection, 0 to 1
   * @param handshakesPerSecond more of them in the busiest hour, for searches, revocations and the
   *     like, 0 to 1e7
   * @param resumed the part of handshakes that resume a session, 0 to 1
   * @param clientCertificates the part of full handshakes with a certificate of the client, with
   *     keys as those of the demand's certificates, 0 to 1
   * @param openConnections that are open at once, idle ones included, 0 to 1e9
   * @param crowd of clients that may connect at the same moment
   */
  public record Tls(
      double handshakesPerRequest,
      double handshakesPerSecond,
      double resumed,
      double clientCertificates,
      long openConnections,
      Crowd crowd) {

    public Tls {
      require(isPart(handshakesPerRequest), "handshakesPerRequest", "0 to 1");
      require(
          handshakesPerSecond >= 0 && handshakesPerSecond <= 1e7,
          "handshakesPerSecond",
          "0 to 1e7");
      require(isPart(resumed), "resumedHandshakes", "0 to 1");
      require(isPart(clientCertificates), "clientCertificates", "0 to 1");
      require(
          openConnections >= 0 && openConnections <= 1_000_000_000, "openConnections", "0 to 1e9");
    }
  }

  /**
   * Clients that connect at the same moment in the busiest hour, as after an outage: all handshakes
   * in full.
   *
   * @param handshakes how many, 0 to 1e9
   * @param withinSeconds when the last of them is to be connected, 0.1 to 3,600
   */
  public record Crowd(long handshakes, double withinSeconds) {
    public Crowd {
      require(handshakes >= 0 && handshakes <= 1_000_000_000, "handshakesAtOnce", "0 to 1e9");
      require(
          withinSeconds >= 0.1 && withinSeconds <= 3_600, "handshakesWithinSeconds", "0.1 to 3600");
    }
  }

  /**
   * Where it runs, and what may be lost.
   *
   * @param regions 1 to 100, each with its equal part of the demand
   * @param spare HSMs and nodes that may be lost in each region at its peak, 0 to 10
   */
  public record Redundancy(int regions, int spare) {
    public Redundancy {
      require(regions >= 1 && regions <= 100, "regions", "1 to 100");
      require(spare >= 0 && spare <= 10, "spare", "0 to 10");
    }
  }

  /**
   * One kind of certificate.
   *
   * @param living how many are valid at once
   * @param perDay how many are issued in a day, if that is what is known; else each living one is
   *     renewed when two thirds of its lifetime are over
   * @param lifetimeDays 1 to 36,500
   */
  public record Kind(
      String name,
      double living,
      OptionalDouble perDay,
      double lifetimeDays,
      KeyKind issuerKey,
      KeyKind subjectKey) {

    public Kind {
      require(!name.isBlank() && name.length() <= 64, "name", "1 to 64 characters");
      require(living >= 0 && living <= 1e12, name + ".living", "0 to 1e12");
      require(
          perDay.isEmpty() || (perDay.getAsDouble() >= 0 && perDay.getAsDouble() <= 1e10),
          name + ".perDay",
          "0 to 1e10");
      require(lifetimeDays >= 1 && lifetimeDays <= 36_500, name + ".lifetimeDays", "1 to 36500");
    }

    /** A kind of which {@code perDay} certificates are issued in a day, each for its lifetime. */
    public static Kind issued(
        String name, double perDay, double lifetimeDays, KeyKind issuerKey, KeyKind subjectKey) {
      return new Kind(
          name,
          perDay * lifetimeDays * RENEWED_AFTER,
          OptionalDouble.of(perDay),
          lifetimeDays,
          issuerKey,
          subjectKey);
    }

    /** A kind of which {@code living} certificates are valid, each renewed in time. */
    public static Kind renewed(
        String name, double living, double lifetimeDays, KeyKind issuerKey, KeyKind subjectKey) {
      return new Kind(name, living, OptionalDouble.empty(), lifetimeDays, issuerKey, subjectKey);
    }

    /** Returns how many are issued a second, over the whole day. */
    public double perSecond() {
      return perDay.orElse(living / (lifetimeDays * RENEWED_AFTER)) / SECONDS_PER_DAY;
    }
  }

  /** Returns certificates a second, over the whole day. */
  public double perSecond() {
    return kinds.stream().mapToDouble(Kind::perSecond).sum();
  }

  /** Returns how many certificates are valid at once. */
  public double living() {
    return kinds.stream().mapToDouble(Kind::living).sum();
  }

  /** Returns the certificates a second in the busiest hour, by the key that signs them. */
  public Map<KeyKind, Double> peakByIssuerKey() {
    Map<KeyKind, Double> peak = new EnumMap<>(KeyKind.class);
    kinds.forEach(kind -> peak.merge(kind.issuerKey(), kind.perSecond() * peakFactor, Double::sum));
    return peak;
  }

  /** Returns OCSP answers a second in the busiest hour, kept ones included. */
  public double ocspAtPeak() {
    return living() * ocspPerCertificatePerDay / SECONDS_PER_DAY * peakFactor;
  }

  /**
   * Returns OCSP answers a second that must be signed, in the busiest hour: one a certificate in
   * the time that it is kept, if it is asked about that often at all.
   */
  public double ocspSignedAtPeak() {
    double kept = living() / (ocspLifetimeHours * 3_600);
    return Math.min(ocspAtPeak(), kept * peakFactor);
  }

  /** Returns TLS handshakes a second in the busiest hour. */
  public double handshakesAtPeak() {
    return perSecond() * peakFactor * tls.handshakesPerRequest() + tls.handshakesPerSecond();
  }

  /** Returns how many are revoked a day. */
  public double revokedPerDay() {
    return living() * revokedPerYear / 365;
  }

  private static boolean isPart(double value) {
    return value >= 0 && value <= 1;
  }

  private static void require(boolean holds, String name, String range) {
    if (!holds) {
      throw new InputException(name + " is to be " + range);
    }
  }
}
