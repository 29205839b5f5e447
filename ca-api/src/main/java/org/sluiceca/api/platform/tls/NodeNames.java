package org.sluiceca.api.platform.tls;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.sluiceca.core.syntax.DnsNames;
import org.sluiceca.core.x509.GeneralName;

/** The names under which clients may reach a node. */
final class NodeNames {

  private NodeNames() {}

  /**
   * Returns localhost, the loopback addresses, this host's name, the bound address unless it is the
   * wildcard, and {@code more}.
   */
  static Set<String> here(InetAddress bound, Collection<String> more) {
    Set<String> names = new LinkedHashSet<>(List.of("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1"));
    if (!bound.isAnyLocalAddress()) {
      names.add(bound.getHostAddress());
    }
    try {
      names.add(InetAddress.getLocalHost().getHostName());
    } catch (UnknownHostException e) {
      // A host without a resolvable name is reached by its address.
    }
    names.addAll(more);
    names.removeIf(n -> !isAddress(n) && !DnsNames.isHostName(n));
    return names;
  }

  static List<GeneralName> general(Set<String> names) {
    return names.stream()
        .<GeneralName>map(
            n -> isAddress(n) ? new GeneralName.Ip(address(n)) : new GeneralName.Dns(n))
        .toList();
  }

  /** Returns the DNS and IP names of a certificate, in the form of {@link #here}. */
  static Set<String> of(X509Certificate certificate) throws GeneralSecurityException {
    Set<String> names = new LinkedHashSet<>();
    Collection<List<?>> found = certificate.getSubjectAlternativeNames();
    if (found != null) {
      found.forEach(name -> names.add(String.valueOf(name.get(1))));
    }
    return names;
  }

  private static boolean isAddress(String name) {
    return name.indexOf(':') >= 0 || name.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
  }

  private static InetAddress address(String literal) {
    try {
      return InetAddress.getByName(literal); // A literal: nothing is looked up.
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("not an address: " + literal, e);
    }
  }
}
