package org.sluiceca.core.x509;

import java.net.InetAddress;
import java.util.Arrays;

/**
 * The addresses that share a prefix (RFC 4632 3.1, RFC 4291 2.3), version 4 or 6.
 *
 * @param network the first address, in 4 or 16 octets; its bits behind the prefix are 0
 * @param prefixLength in bits
 */
public record IpRange(OctetString network, int prefixLength) {

  private static final int IPV4_OCTETS = 4;
  private static final int IPV6_OCTETS = 16;

  public IpRange {
    if (network.length() != IPV4_OCTETS && network.length() != IPV6_OCTETS) {
      throw new IllegalArgumentException("address of " + network.length() + " octets");
    }
    if (prefixLength < 0 || prefixLength > network.length() * Byte.SIZE) {
      throw new IllegalArgumentException("prefix of " + prefixLength + " bits");
    }
    byte[] octets = network.octets();
    if (!Arrays.equals(octets, masked(octets, prefixLength))) {
      throw new IllegalArgumentException(
          "address has bits behind its prefix of " + prefixLength + " bits");
    }
  }

  /**
   * Reads {@code 10.0.0.0/8} or {@code 2001:db8::/32}.
   *
   * @throws IllegalArgumentException if the text is no range
   */
  public static IpRange parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0 || !text.substring(slash + 1).matches("0|[1-9][0-9]{0,2}")) {
      throw new IllegalArgumentException("not an address range: " + text);
    }
    InetAddress address =
        IpLiteral.parse(text.substring(0, slash))
            .orElseThrow(() -> new IllegalArgumentException("not an address range: " + text));
    return new IpRange(
        OctetString.copyOf(address.getAddress()), Integer.parseInt(text.substring(slash + 1)));
  }

  /** Returns whether {@code address} is of this version and has this prefix. */
  public boolean contains(InetAddress address) {
    byte[] octets = address.getAddress();
    return octets.length == network.length()
        && Arrays.equals(masked(octets, prefixLength), network.octets());
  }

  /** Returns the mask of RFC 5280 4.2.1.10: the prefix's bits 1, the rest 0. */
  public OctetString mask() {
    byte[] ones = new byte[network.length()];
    Arrays.fill(ones, (byte) 0xFF);
    return OctetString.copyOf(masked(ones, prefixLength));
  }

  private static byte[] masked(byte[] octets, int prefixLength) {
    byte[] masked = octets.clone();
    for (int i = 0; i < masked.length; i++) {
      int bits = Math.clamp(prefixLength - (long) i * Byte.SIZE, 0, Byte.SIZE);
      masked[i] &= (byte) (0xFF00 >>> bits);
    }
    return masked;
  }

  @Override
  public String toString() {
    byte[] octets = network.octets();
    try {
      return InetAddress.getByAddress(octets).getHostAddress() + "/" + prefixLength;
    } catch (java.net.UnknownHostException e) {
      throw new IllegalStateException("4 or 16 octets are an address", e);
    }
  }
}
