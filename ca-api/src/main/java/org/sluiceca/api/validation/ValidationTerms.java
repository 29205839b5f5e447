package org.sluiceca.api.validation;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sluiceca.api.validation.Perspectives.Perspective;
import org.sluiceca.core.syntax.Spelling;
import org.sluiceca.core.x509.IpLiteral;

/**
 * How an endpoint validates challenges.
 *
 * @param resolvers recursive name servers; none for those of the system
 * @param allMustAgree whether each resolver has to see the proof, not the first that answers alone
 * @param httpPort where http-01 connects, and where a redirect to http may lead
 * @param tlsPort where tls-alpn-01 connects, and where a redirect to https may lead
 * @param deadline of one attempt, over all of its look-ups and connections; of those of each
 *     perspective once more
 * @param perspectives that look after this node has seen the proof
 */
public record ValidationTerms(
    List<InetSocketAddress> resolvers,
    boolean allMustAgree,
    int httpPort,
    int tlsPort,
    AddressPolicy addresses,
    PersistTerms persist,
    Duration deadline,
    Perspectives perspectives) {

  /** RFC 8555 8.3. */
  public static final int HTTP_PORT = 80;

  /** RFC 8737 3. */
  public static final int TLS_PORT = 443;

  /** What other CAs give a machine to answer; a client waits meanwhile. */
  public static final Duration DEADLINE = Duration.ofSeconds(10);

  /** Of one attempt; a worker is busy for as long. */
  public static final Duration DEADLINE_MAX = Duration.ofSeconds(60);

  /** The same with perspectives, which look one after the other with this node. */
  public static final Duration DEADLINE_WITH_PERSPECTIVES_MAX = Duration.ofSeconds(40);

  /** Each is asked in each attempt. */
  public static final int RESOLVERS_MAX = 8;

  private static final int DNS_PORT = 53;
  private static final int PORT_MAX = 65_535;

  /** {@code 192.0.2.1}, {@code 192.0.2.1:53}, {@code 2001:db8::1} or {@code [2001:db8::1]:53}. */
  private static final Pattern RESOLVER =
      Pattern.compile("(?:\\[([0-9A-Fa-f:]+)]|([0-9.]+))(?::([1-9][0-9]{0,4}))?|([0-9A-Fa-f:]+)");

  /**
   * @throws IllegalArgumentException if a port, the deadline or the number of resolvers is out of
   *     range
   */
  public ValidationTerms {
    resolvers = List.copyOf(resolvers);
    if (resolvers.size() > RESOLVERS_MAX) {
      throw new IllegalArgumentException("more than " + RESOLVERS_MAX + " resolvers");
    }
    if (!isPort(httpPort) || !isPort(tlsPort)) {
      throw new IllegalArgumentException("a port is 1 to " + PORT_MAX);
    }
    if (deadline.compareTo(Duration.ofSeconds(1)) < 0 || deadline.compareTo(DEADLINE_MAX) > 0) {
      throw new IllegalArgumentException("a deadline is 1 s to " + DEADLINE_MAX.toSeconds() + " s");
    }
    if (!perspectives.all().isEmpty() && deadline.compareTo(DEADLINE_WITH_PERSPECTIVES_MAX) > 0) {
      throw new IllegalArgumentException(
          "with perspectives a deadline is at most "
              + DEADLINE_WITH_PERSPECTIVES_MAX.toSeconds()
              + " s: they look after this node");
    }
    for (Perspective one : perspectives.all()) {
      if (one.source().isEmpty() && one.hasResolvers(resolvers)) {
        throw new IllegalArgumentException(
            "perspective "
                + one.name()
                + " has the resolvers of the endpoint and no source-address: it sees the same");
      }
    }
  }

  /** Returns the terms of the standards: their ports, the system's resolvers, 10 s. */
  public static ValidationTerms standard(AddressPolicy addresses, PersistTerms persist) {
    return new ValidationTerms(
        List.of(), false, HTTP_PORT, TLS_PORT, addresses, persist, DEADLINE, Perspectives.none());
  }

  /** Returns the terms by which a perspective looks itself. */
  public ValidationTerms by(Perspective perspective) {
    return new ValidationTerms(
        perspective.resolvers(),
        allMustAgree,
        httpPort,
        tlsPort,
        addresses,
        persist,
        deadline,
        Perspectives.none());
  }

  /**
   * Reads a resolver of a configuration: an address, never a name, which would need a resolver
   * itself, and a port unless it is 53.
   *
   * @throws IllegalArgumentException if the text is none
   */
  public static InetSocketAddress resolver(String text) {
    Matcher matcher = RESOLVER.matcher(text);
    if (!matcher.matches()) {
      throw notResolver(text);
    }
    String host = matcher.group(1);
    for (int group = 2; host == null; group += 2) {
      host = matcher.group(group);
    }
    InetAddress address = IpLiteral.parse(host).orElseThrow(() -> notResolver(text));
    int port = matcher.group(3) == null ? DNS_PORT : Integer.parseInt(matcher.group(3));
    if (!isPort(port)) {
      throw notResolver(text);
    }
    return new InetSocketAddress(address, port);
  }

  private static IllegalArgumentException notResolver(String text) {
    return new IllegalArgumentException(
        "a resolver is an IP address and a port, as 192.0.2.1:53 or [2001:db8::1]:53, not "
            + Spelling.shown(text));
  }

  private static boolean isPort(int port) {
    return port >= 1 && port <= PORT_MAX;
  }
}
