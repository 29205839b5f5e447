package org.sluiceca.api.http;

import java.time.Duration;
import java.util.List;
import org.sluiceca.core.x509.IpRange;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The limits of the HTTPS and the plain port, as they are written under {@code sluice.http}.
 *
 * @param bodyTime how long a request's body may take in all, whatever comes of it meanwhile
 * @param anonymousBodyTime the same for a request without a credential
 * @param anonymousBodyRate octets per second that such a body must bring after its first two
 *     seconds; 0 for any number
 * @param anonymousBodies how many such bodies a port waits for at once; 0 for a quarter of the
 *     requests that it serves at once
 * @param plainConnections how many connections the plain port keeps
 * @param connectionsPerAddress how many connections one client address may have on each port; 0 for
 *     any number, as behind a proxy
 * @param proxies networks of balancers and proxies: limits of ACME by the client's network do not
 *     count what comes from them
 */
public record HttpSettings(
    @DefaultValue("10s") Duration bodyTime,
    @DefaultValue("5s") Duration anonymousBodyTime,
    @DefaultValue("256") int anonymousBodyRate,
    @DefaultValue("0") int anonymousBodies,
    @DefaultValue("256") int plainConnections,
    @DefaultValue("0") int connectionsPerAddress,
    @DefaultValue({}) List<String> proxies) {

  /** A request that takes longer than a minute is ended ({@code connector.RequestSlots}). */
  private static final Duration BODY_TIME_MAX = Duration.ofSeconds(50);

  private static final Duration BODY_TIME_MIN = Duration.ofSeconds(1);
  private static final int RATE_MAX = 65_536;
  private static final int BODIES_MAX = 512;
  private static final int CONNECTIONS_MIN = 16;
  private static final int CONNECTIONS_MAX = 65_536;
  private static final int PROXIES_MAX = 100;

  /** Refuses what is out of range, naming the setting. */
  public HttpSettings {
    isWithin("body-time", bodyTime, BODY_TIME_MAX);
    isWithin("anonymous-body-time", anonymousBodyTime, bodyTime);
    isWithin("anonymous-body-rate", anonymousBodyRate, 0, RATE_MAX);
    isWithin("anonymous-bodies", anonymousBodies, 0, BODIES_MAX);
    isWithin("plain-connections", plainConnections, CONNECTIONS_MIN, CONNECTIONS_MAX);
    isWithin("connections-per-address", connectionsPerAddress, 0, CONNECTIONS_MAX);
    proxies = List.copyOf(proxies);
    isWithin("proxies", proxies.size(), 0, PROXIES_MAX);
    List<IpRange> _ = ranges(proxies);
  }

  /** Returns the networks of proxies. */
  public List<IpRange> proxyRanges() {
    return ranges(proxies);
  }

  private static List<IpRange> ranges(List<String> proxies) {
    try {
      return proxies.stream().map(IpRange::parse).toList();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "sluice.http.proxies: " + e.getMessage() + "; write 10.0.0.8/32 or fd00::/64", e);
    }
  }

  /** Returns what holds where nothing is configured. */
  public static HttpSettings defaults() {
    return new HttpSettings(
        Duration.ofSeconds(10), Duration.ofSeconds(5), 256, 0, 256, 0, List.of());
  }

  private static void isWithin(String name, Duration value, Duration max) {
    if (value.compareTo(BODY_TIME_MIN) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          "sluice.http." + name + " is " + value + "; set it to 1 s to " + max.toSeconds() + " s");
    }
  }

  private static void isWithin(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "sluice.http." + name + " is " + value + "; set it to " + min + " to " + max);
    }
  }
}
