package org.sluiceca.core.x509;

import java.net.InetAddress;

/**
 * A name of a subjectAltName (RFC 5280 4.2.1.6) as it was read: syntax and policy are checked by
 * the profile, not here.
 */
public sealed interface GeneralName {

  /**
   * The most names of one certificate: 100 of 253 octets are 25 KB, as much as TLS stacks take in a
   * handshake message.
   */
  int COUNT_MAX = 100;

  /** A dNSName, in the letters of the request. */
  record Dns(String name) implements GeneralName {}

  /** An iPAddress, version 4 or 6. */
  record Ip(InetAddress address) implements GeneralName {}

  /** An rfc822Name. */
  record Email(String address) implements GeneralName {}

  /** A uniformResourceIdentifier. */
  record Uri(String uri) implements GeneralName {}

  /** A form that no profile can allow; {@code tag} is its context tag, 0 to 8. */
  record Unsupported(int tag) implements GeneralName {}
}
