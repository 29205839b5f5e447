package org.sluiceca.api.validation;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.sluiceca.core.registration.name.Identifier;

/** Names an address and a port in messages. */
public final class Endpoint {

  private Endpoint() {}

  /** Returns {@code 192.0.2.7 port 80}, without a zone of the address. */
  public static String text(InetSocketAddress socket) {
    InetAddress address = socket.getAddress();
    return (address == null ? "unresolved" : text(address)) + " port " + socket.getPort();
  }

  /** Returns {@code 192.0.2.7} or {@code 2001:db8::7}. */
  public static String text(InetAddress address) {
    return new Identifier.Ip(address).value();
  }
}
