package org.sluiceca.core.x509;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/** The text form of an IP address. Asks no name server. */
public final class IpLiteral {

  /** Four decimal numbers without leading zeros, which some readers take for octal. */
  private static final Pattern IPV4 =
      Pattern.compile("(?:(?:0|[1-9][0-9]{0,2})\\.){3}(?:0|[1-9][0-9]{0,2})");

  /** Hexadecimal groups only: no zone, no brackets, no IPv4 at the end. */
  private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:]{2,39}");

  private static final int OCTET_MAX = 255;

  private IpLiteral() {}

  /** Reads an address; empty if the text is none in its plainest form. */
  public static Optional<InetAddress> parse(String text) {
    if (IPV4.matcher(text).matches()) {
      return ipv4(text);
    }
    if (text.indexOf(':') < 0 || !IPV6.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      InetAddress address = Inet6Address.ofLiteral(text);
      // ::ffff:0102:0304 is the JDK's 1.2.3.4, which is another name.
      return address instanceof Inet6Address ? Optional.of(address) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Optional<InetAddress> ipv4(String text) {
    String[] parts = text.split("\\.", -1);
    byte[] octets = new byte[parts.length];
    for (int i = 0; i < parts.length; i++) {
      int octet = Integer.parseInt(parts[i]);
      if (octet > OCTET_MAX) {
        return Optional.empty();
      }
      octets[i] = (byte) octet;
    }
    try {
      return Optional.of(InetAddress.getByAddress(octets));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four octets are an address", e);
    }
  }
}
