package org.sluiceca.api.validation.tls;

import java.net.InetAddress;

/** The name of an address under in-addr.arpa or ip6.arpa (RFC 1035 3.5, RFC 3596 2.5). */
final class ReverseName {

  private static final int IPV4_OCTETS = 4;
  private static final int NIBBLE_BITS = 4;
  private static final int NIBBLE = 0xF;

  private ReverseName() {}

  /** Returns the name, without a dot at its end. */
  static String of(InetAddress address) {
    byte[] octets = address.getAddress();
    StringBuilder name = new StringBuilder();
    for (int i = octets.length - 1; i >= 0; i--) {
      if (octets.length == IPV4_OCTETS) {
        name.append(octets[i] & 0xFF).append('.');
      } else {
        name.append(Integer.toHexString(octets[i] & NIBBLE))
            .append('.')
            .append(Integer.toHexString((octets[i] >> NIBBLE_BITS) & NIBBLE))
            .append('.');
      }
    }
    return name.append(octets.length == IPV4_OCTETS ? "in-addr.arpa" : "ip6.arpa").toString();
  }
}
