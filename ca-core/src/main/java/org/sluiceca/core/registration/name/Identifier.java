package org.sluiceca.core.registration.name;

import java.net.InetAddress;
import java.util.Optional;
import org.sluiceca.core.syntax.DnsNames;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.IpLiteral;

/** A name that a certificate is to have, in the one form in which it is compared. */
public sealed interface Identifier {

  /**
   * A DNS name in lower case; {@code *.} may stand before it.
   *
   * @param name of two labels or more below a wildcard; A-labels (RFC 5890), never U-labels
   */
  record Dns(String name) implements Identifier {
    @Override
    public String type() {
      return "dns";
    }

    @Override
    public String value() {
      return name;
    }

    /** Returns whether it stands for more than one name. */
    public boolean isWildcard() {
      return name.startsWith(WILDCARD);
    }
  }

  /** An IP address (RFC 8738), shown as RFC 5952 does. */
  record Ip(InetAddress address) implements Identifier {
    @Override
    public String type() {
      return "ip";
    }

    @Override
    public String value() {
      byte[] octets = address.getAddress();
      return octets.length == GROUPS * 2 ? shortened(octets) : address.getHostAddress();
    }
  }

  /** Of an IPv6 address, 16 bits each. */
  int GROUPS = 8;

  /** What stands before the name of a wildcard. */
  String WILDCARD = "*.";

  /** Returns {@code dns} or {@code ip}. */
  String type();

  /** Returns the name or address as it is shown. */
  String value();

  /** Reads an identifier of a protocol's request; empty if it is no name that can be certified. */
  static Optional<Identifier> parse(String type, String value) {
    return switch (type) {
      case "dns" -> dns(value);
      case "ip" -> IpLiteral.parse(value).map(Ip::new);
      default -> Optional.empty();
    };
  }

  /** Returns the identifier of a subjectAltName; empty if it has another form. */
  static Optional<Identifier> of(GeneralName name) {
    return switch (name) {
      case GeneralName.Dns(String dns) -> dns(dns);
      case GeneralName.Ip(InetAddress address) -> Optional.of(new Ip(address));
      case GeneralName.Email _, GeneralName.Uri _, GeneralName.Unsupported _ -> Optional.empty();
    };
  }

  private static Optional<Identifier> dns(String value) {
    String lower = DnsNames.lowerCase(value);
    return DnsNames.isHostName(lower) || DnsNames.isWildcard(lower)
        ? Optional.of(new Dns(lower))
        : Optional.empty();
  }

  /**
   * RFC 5952 4: no leading zeros, and {@code ::} for the first longest run of two zeros or more.
   */
  private static String shortened(byte[] octets) {
    int longest = 1;
    int from = -1;
    for (int at = 0; at < GROUPS; at++) {
      int run = 0;
      while (at + run < GROUPS && group(octets, at + run) == 0) {
        run++;
      }
      if (run > longest) {
        longest = run;
        from = at;
      }
    }
    StringBuilder text = new StringBuilder();
    for (int at = 0; at < GROUPS; at++) {
      if (at == from) {
        text.append("::");
        at += longest - 1;
        continue;
      }
      if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
        text.append(':');
      }
      text.append(Integer.toHexString(group(octets, at)));
    }
    return text.toString();
  }

  private static int group(byte[] octets, int at) {
    return (octets[2 * at] & 0xFF) << Byte.SIZE | (octets[2 * at + 1] & 0xFF);
  }
}
