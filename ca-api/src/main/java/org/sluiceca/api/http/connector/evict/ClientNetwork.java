package org.sluiceca.api.http.connector.evict;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;

/**
 * What one client can choose its addresses from: an IPv4 address, or the first 64 bits of an IPv6
 * address (RFC 4291 2.5.4), the least that a subscriber gets.
 *
 * @param address the address, without its last 64 bits if it is of IPv6
 */
public record ClientNetwork(InetAddress address) {

  private static final int INTERFACE_BYTES = 8;

  /** Returns the network of {@code remote}; empty if it is no IP address. */
  public static Optional<ClientNetwork> of(SocketAddress remote) {
    if (!(remote instanceof InetSocketAddress internet) || internet.isUnresolved()) {
      return Optional.empty();
    }
    InetAddress address = internet.getAddress();
    return Optional.of(
        new ClientNetwork(address instanceof Inet6Address six ? firstHalf(six) : address));
  }

  private static InetAddress firstHalf(Inet6Address address) {
    byte[] octets = address.getAddress();
    Arrays.fill(octets, octets.length - INTERFACE_BYTES, octets.length, (byte) 0);
    try {
      return InetAddress.getByAddress(octets);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an IPv6 address has 16 octets, not " + octets.length, e);
    }
  }
}
