package org.sluiceca.api.validation;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.sluiceca.core.x509.IpRange;
import org.sluiceca.core.x509.OctetString;

/**
 * To which addresses a validator may connect. A client names the machine, so that without a policy
 * it could let the CA reach services that trust its network. Immutable.
 *
 * @param networks if any, these alone; they allow nothing that the scope refuses
 */
public record AddressPolicy(Scope scope, List<IpRange> networks) {

  /** Which addresses are allowed in general. */
  public enum Scope {
    /** Private and public ones, and 127.0.0.0/8 and ::1: for a trial on one machine. */
    TRIAL,
    /** Private and public ones: for a CA of an organization. */
    PRIVATE,
    /** Public ones. */
    PUBLIC
  }

  /** Each is compared with each address. */
  public static final int NETWORKS_MAX = 256;

  private static final List<IpRange> LOOPBACK = ranges("127.0.0.0/8", "::1/128");

  /** RFC 1918, RFC 6598, RFC 4193. */
  private static final List<IpRange> PRIVATE =
      ranges("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7");

  /**
   * Where clouds give a machine its credentials: they trust each process of the machine. The
   * link-local 169.254.169.254 is refused with its network.
   */
  private static final List<IpRange> METADATA =
      ranges(
          "fd00:ec2::/32",
          "fd20:ce::254/128",
          "100.100.100.200/32",
          "168.63.129.16/32",
          "192.0.0.192/32");

  /** The registries of special-purpose addresses (RFC 6890), without private ones. */
  private static final List<IpRange> SPECIAL =
      ranges(
          "0.0.0.0/8",
          "169.254.0.0/16",
          "192.0.0.0/24",
          "192.0.2.0/24",
          "192.88.99.0/24",
          "198.18.0.0/15",
          "198.51.100.0/24",
          "203.0.113.0/24",
          "224.0.0.0/4",
          // With the broadcast address.
          "240.0.0.0/4",
          // IETF's protocol assignments, with Teredo, whose IPv4 address is hidden, and ORCHID.
          "2001::/23",
          "2001:db8::/32",
          "3fff::/20");

  /** What IPv6 has for hosts of the Internet, and what a private network has. */
  private static final List<IpRange> UNICAST = ranges("2000::/3", "fc00::/7");

  /**
   * Forms of IPv6 in which an IPv4 address stands that a machine may take out: IPv4-compatible,
   * IPv4-translated (RFC 7915), 6to4 (RFC 3056) and local NAT64 (RFC 8215). No service is meant by
   * them.
   */
  private static final List<IpRange> EMBEDDED =
      ranges("::/96", "::ffff:0:0:0/96", "2002::/16", "64:ff9b:1::/48");

  /**
   * IPv4-mapped. The JDK connects to the IPv4 address, and reads the text of such an address as the
   * IPv4 address, so that the range has to be made of octets.
   */
  private static final IpRange MAPPED =
      new IpRange(
          OctetString.copyOf(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 0, 0, 0, 0}), 96);

  /** How a network of IPv6 alone reaches IPv4 (RFC 6052): judged by the IPv4 address. */
  private static final IpRange NAT64 = IpRange.parse("64:ff9b::/96");

  private static final int NAT64_AT = 12;
  private static final int IPV4_OCTETS = 4;

  /**
   * @throws IllegalArgumentException if there are more than {@value #NETWORKS_MAX} networks
   */
  public AddressPolicy {
    networks = List.copyOf(networks);
    if (networks.size() > NETWORKS_MAX) {
      throw new IllegalArgumentException("more than " + NETWORKS_MAX + " networks");
    }
  }

  /** Returns the policy without a list of networks. */
  public static AddressPolicy of(Scope scope) {
    return new AddressPolicy(scope, List.of());
  }

  /** Returns why no connection may be made to {@code address}; empty if one may. */
  public Optional<String> refusal(InetAddress address) {
    Optional<String> refused = refusedByScope(address, scope);
    if (refused.isEmpty() && !networks.isEmpty() && !contains(networks, address)) {
      return Optional.of("is in none of the networks of this CA's configuration");
    }
    return refused;
  }

  private static Optional<String> refusedByScope(InetAddress address, Scope scope) {
    if (contains(LOOPBACK, address)) {
      return scope == Scope.TRIAL ? Optional.empty() : Optional.of("is a loopback address");
    }
    if (NAT64.contains(address)) {
      // A loopback address is never meant in such a form, not even in a trial.
      return refusedByScope(embedded(address), scope == Scope.TRIAL ? Scope.PRIVATE : scope);
    }
    if (MAPPED.contains(address) || contains(EMBEDDED, address)) {
      return Optional.of("is an IPv4 address in a form of IPv6, or unspecified");
    }
    if (contains(METADATA, address)) {
      return Optional.of("is a metadata service of a cloud");
    }
    if (contains(SPECIAL, address)) {
      return Optional.of("is link-local, multicast or reserved");
    }
    if (contains(PRIVATE, address)) {
      return scope == Scope.PUBLIC ? Optional.of("is a private address") : Optional.empty();
    }
    return address.getAddress().length == IPV4_OCTETS || contains(UNICAST, address)
        ? Optional.empty()
        : Optional.of("is link-local, multicast or reserved");
  }

  private static InetAddress embedded(InetAddress address) {
    try {
      return InetAddress.getByAddress(
          Arrays.copyOfRange(address.getAddress(), NAT64_AT, NAT64_AT + IPV4_OCTETS));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four octets are an address", e);
    }
  }

  /**
   * Reads the networks of a configuration, as {@code 10.0.0.0/8} or {@code fd00:1::/32}.
   *
   * @throws IllegalArgumentException if one has another form, or bits behind its prefix
   */
  public static List<IpRange> networks(List<String> texts) {
    return texts.stream().map(IpRange::parse).toList();
  }

  private static boolean contains(List<IpRange> ranges, InetAddress address) {
    return ranges.stream().anyMatch(range -> range.contains(address));
  }

  private static List<IpRange> ranges(String... texts) {
    return Stream.of(texts).map(IpRange::parse).toList();
  }
}
