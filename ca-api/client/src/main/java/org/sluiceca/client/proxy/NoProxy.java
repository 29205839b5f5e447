package org.sluiceca.client.proxy;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.output.Failure;

/**
 * The hosts that are not asked through the proxy: loopback addresses, and those of {@code no_proxy}
 * with commas or blanks between them. A name covers itself and all names below it; an address
 * itself; {@code 10.0.0.0/8} a network; {@code *} all. Each may end with a port. Nothing is looked
 * up in DNS. Immutable, thread-safe.
 */
final class NoProxy {
  private static final int HTTPS = 443;
  private static final Pattern WITH_PORT =
      Pattern.compile("(\\[[^]]*]|[^:\\[\\]]*)(?::([0-9]{1,5}))?");
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9a-fA-F:]*:[0-9a-fA-F:.]*");
  private static final Pattern NETWORK = Pattern.compile("([^/]+)/([0-9]{1,3})");

  private final List<Predicate<Host>> entries;

  private record Host(String name, Optional<InetAddress> address, int port) {}

  private NoProxy(List<Predicate<Host>> entries) {
    this.entries = List.copyOf(entries);
  }

  /** Reads a value; {@code variable} is named where a network in it is malformed. */
  static NoProxy of(String value, String variable) {
    List<Predicate<Host>> entries = new ArrayList<>();
    for (String entry : value.split("[,\\s]+", -1)) {
      if (!entry.isEmpty()) {
        entries.add(entry(entry.toLowerCase(Locale.ROOT), variable));
      }
    }
    return new NoProxy(entries);
  }

  /** Whether a URL's host is asked directly; a negative port is that of HTTPS. */
  boolean covers(String host, int port) {
    String name = plain(host.toLowerCase(Locale.ROOT));
    Host asked = new Host(name, address(name), port < 0 ? HTTPS : port);
    return isLoopback(asked) || entries.stream().anyMatch(entry -> entry.test(asked));
  }

  private static boolean isLoopback(Host host) {
    return host.name().equals("localhost")
        || host.name().endsWith(".localhost")
        || host.address().filter(InetAddress::isLoopbackAddress).isPresent();
  }

  private static Predicate<Host> entry(String entry, String variable) {
    if (entry.equals("*")) {
      return host -> true;
    }
    if (entry.contains("/")) {
      return network(entry, variable);
    }
    Matcher matcher = WITH_PORT.matcher(entry);
    // An IPv6 address without brackets has colons and no port.
    boolean matches = matcher.matches();
    String name = plain(matches ? matcher.group(1) : entry).replaceFirst("^[*]?[.]", "");
    @Nullable String port = matches ? matcher.group(2) : null;
    Optional<InetAddress> address = address(name);
    if (name.equals("*")) {
      return host -> port == null || Integer.parseInt(port) == host.port();
    }
    return host ->
        (port == null || Integer.parseInt(port) == host.port())
            && (address.isPresent()
                ? address.equals(host.address())
                : host.name().equals(name) || host.name().endsWith("." + name));
  }

  private static Predicate<Host> network(String entry, String variable) {
    Matcher matcher = NETWORK.matcher(entry);
    Optional<InetAddress> address =
        matcher.matches() ? address(plain(matcher.group(1))) : Optional.empty();
    int bits = address.isPresent() ? Integer.parseInt(matcher.group(2)) : 0;
    if (address.isEmpty() || bits > Byte.SIZE * address.get().getAddress().length) {
      throw Failure.usage(variable + " has '" + entry + "' in it, which is no network");
    }
    byte[] first = address.get().getAddress();
    return host -> host.address().map(a -> haveInCommon(first, a.getAddress(), bits)).orElse(false);
  }

  private static boolean haveInCommon(byte[] one, byte[] other, int bits) {
    if (one.length != other.length) {
      return false;
    }
    for (int i = 0; i < bits; i++) {
      int mask = 0x80 >> i % Byte.SIZE;
      if (((one[i / Byte.SIZE] ^ other[i / Byte.SIZE]) & mask) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Without brackets, and without the point at the end of a name. */
  private static String plain(String host) {
    return host.replaceAll("^\\[|]$|[.]$", "");
  }

  private static Optional<InetAddress> address(String name) {
    try {
      return ADDRESS.matcher(name).matches()
          ? Optional.of(InetAddress.ofLiteral(name))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
