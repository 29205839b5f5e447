package org.sluiceca.load.sizing.given;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.sluiceca.load.cli.InputException;
import org.sluiceca.load.page.Text;

/**
 * What is asked of a deployment, as its file says it.
 *
 * @param kinds of certificates, 1 to 100
 * @param peakFactor the busiest hour's rate over the mean of the day, 1 to 1,000
 * @param handshakesPerRequest the part of requests for certificates that come over a new TLS
 *     connection, 0 to 1
 * @param handshakesPerSecond more of them in the busiest hour, for searches, revocations and the
 *     like, 0 to 1e7
 * @param resumedHandshakes the part of handshakes that resume a session, 0 to 1
 * @param clientCertificates the part of full handshakes with a certificate of the client, with keys
 *     as those of the demand's certificates, 0 to 1
 * @param openConnections that are open at once, idle ones included, 0 to 1e9
 * @param handshakesAtOnce clients that connect at the same moment in the busiest hour, as after an
 *     outage, all in full: a crowd of 0 to 1e9
 * @param handshakesWithinSeconds when the last of them is to be connected, 0.1 to 3,600
 * @param revokedPerYear the part of living certificates that is revoked in a year, 0 to 1
 * @param ocspPerCertificatePerDay how often a living certificate's status is asked for
 * @param ocspLifetimeHours how long an OCSP answer is kept; each certificate that is asked about is
 *     signed for once in that time
 * @param regions where it runs, 1 to 100, each with its equal part of the demand
 * @param spare HSMs and nodes that may be lost in each region at its peak, 0 to 10
 */
@JsonIgnoreProperties("about")
public record Demand(
    @JsonAlias("certificates") List<Kind> kinds,
    double peakFactor,
    double handshakesPerRequest,
    double handshakesPerSecond,
    double resumedHandshakes,
    double clientCertificates,
    long openConnections,
    long handshakesAtOnce,
    double handshakesWithinSeconds,
    double revokedPerYear,
    double ocspPerCertificatePerDay,
    double ocspLifetimeHours,
    int regions,
    int spare) {

  private static final int KINDS_MAX = 100;
  private static final double SECONDS_PER_DAY = 86_400;

  /** Clients renew when a third of the lifetime is left. */
  private static final double RENEWED_AFTER = 2.0 / 3;

  public Demand {
    kinds = List.copyOf(kinds);
    require(kinds.size(), 1, KINDS_MAX, "kinds");
    require(peakFactor, 1, 1_000, "peakFactor");
    require(handshakesPerRequest, 0, 1, "handshakesPerRequest");
    require(handshakesPerSecond, 0, 1e7, "handshakesPerSecond");
    require(resumedHandshakes, 0, 1, "resumedHandshakes");
    require(clientCertificates, 0, 1, "clientCertificates");
    require((double) openConnections, 0, 1e9, "openConnections");
    require((double) handshakesAtOnce, 0, 1e9, "handshakesAtOnce");
    require(handshakesWithinSeconds, 0.1, 3_600, "handshakesWithinSeconds");
    require(revokedPerYear, 0, 1, "revokedPerYear");
    require(ocspPerCertificatePerDay, 0, 1e6, "ocspPerCertificatePerDay");
    require(ocspLifetimeHours, 0.001, 8_760, "ocspLifetimeHours");
    require(regions, 1, 100, "regions");
    require(spare, 0, 10, "spare");
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
      require(name.isBlank() ? 0 : name.length(), 1, 64, "the length of a name of certificates");
      require(living, 0, 1e12, name + ".living");
      require(perDay.orElse(0), 0, 1e10, name + ".perDay");
      require(lifetimeDays, 1, 36_500, name + ".lifetimeDays");
    }

    /** Returns a kind as a file says it. */
    @JsonCreator
    static Kind given(
        @JsonProperty("name") String name,
        @JsonProperty("living") OptionalDouble living,
        @JsonProperty("perDay") OptionalDouble perDay,
        @JsonProperty("lifetimeDays") OptionalDouble lifetimeDays,
        @JsonProperty("issuerKey") Optional<KeyKind> issuerKey,
        @JsonProperty("subjectKey") Optional<KeyKind> subjectKey) {
      if (living.isPresent() == perDay.isPresent()) {
        throw new InputException(name + " is to have either living or perDay");
      }
      double days = lifetimeDays.orElse(90);
      return new Kind(
          name,
          living.orElse(perDay.orElse(0) * days * RENEWED_AFTER),
          perDay,
          days,
          issuerKey.orElse(KeyKind.EC_P256),
          subjectKey.orElse(KeyKind.EC_P256));
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
    return perSecond() * peakFactor * handshakesPerRequest + handshakesPerSecond;
  }

  /** Returns how many are revoked a day. */
  public double revokedPerDay() {
    return living() * revokedPerYear / 365;
  }

  private static void require(double value, double least, double most, String name) {
    if (!(value >= least && value <= most)) {
      throw new InputException(name + " is to be " + plain(least) + " to " + plain(most));
    }
  }

  private static String plain(double bound) {
    return Text.grouped(bound, bound == Math.rint(bound) ? 0 : 3);
  }
}
