package org.sluiceca.api.http.sender;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.sluiceca.core.x509.IpRange;

/**
 * From which network a request comes, for limits on what one place may use: a /24 of IPv4, a /48 of
 * IPv6. A machine can take any free address of its subnet, and a site has a /48 (RFC 6177 2), so
 * that a limit for each address would be none. The address is that of the connection: headers that
 * name another one are not read. Immutable.
 */
public final class SenderNetworks {

  private static final int IPV4_OCTETS = 4;
  private static final int IPV4_PREFIX = 24;
  private static final int IPV6_PREFIX = 48;

  private final List<IpRange> proxies;

  /**
   * Knows all networks but these.
   *
   * @param proxies behind which are clients of many networks
   */
  public SenderNetworks(List<IpRange> proxies) {
    this.proxies = List.copyOf(proxies);
  }

  /**
   * Returns the network of an address, such as {@code 192.0.2.0/24}; empty for a proxy's, which
   * says nothing about its client.
   *
   * @param remote the address of the connection, as the servlet container shows it
   */
  public Optional<String> of(String remote) {
    int zone = remote.indexOf('%');
    InetAddress address = InetAddress.ofLiteral(zone < 0 ? remote : remote.substring(0, zone));
    return proxies.stream().anyMatch(range -> range.contains(address))
        ? Optional.empty()
        : Optional.of(network(address.getAddress()));
  }

  private static String network(byte[] octets) {
    int prefix = octets.length == IPV4_OCTETS ? IPV4_PREFIX : IPV6_PREFIX;
    byte[] first = octets.clone();
    Arrays.fill(first, prefix / Byte.SIZE, first.length, (byte) 0);
    try {
      return InetAddress.getByAddress(first).getHostAddress() + "/" + prefix;
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 octets, not " + octets.length, e);
    }
  }
}
