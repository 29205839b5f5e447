package org.sluiceca.core.naming;

import java.net.InetAddress;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.NameForm;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.IpLiteral;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.NameDer;

/**
 * The names that no profile gives to a requester: those under which clients reach the nodes of this
 * CA, and the distinguished names of its CAs. A certificate for the first would let its holder pose
 * as the CA and collect credentials; one for the second would be taken for a CA's own.
 *
 * <p>Only a node may name nodes, in its TLS certificate, and only a key ceremony may name CAs.
 * Immutable.
 */
public final class ReservedNames {

  /** Nothing is reserved: for a key ceremony, whose names an operator chooses. */
  public static final ReservedNames NONE = of(Set.of(), Set.of());

  /** Of IPv6, also with IPv4 at its end, or of IPv4; without a zone. */
  private static final Pattern ADDRESS = Pattern.compile("[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*|[0-9.]+");

  private final Set<String> hosts;
  private final Set<InetAddress> addresses;
  private final Set<NameForm> authorities;

  private ReservedNames(Set<String> hosts, Set<InetAddress> addresses, Set<NameForm> authorities) {
    this.hosts = Set.copyOf(hosts);
    this.addresses = Set.copyOf(addresses);
    this.authorities = Set.copyOf(authorities);
  }

  /**
   * Reserves names.
   *
   * @param nodes DNS names and IP addresses of nodes, in any case, with or without a final dot
   * @param authorities subjects of CA certificates; an empty one reserves nothing
   * @throws IllegalArgumentException if one of {@code authorities} does not parse
   */
  public static ReservedNames of(Collection<String> nodes, Collection<NameDer> authorities) {
    Set<String> hosts = new HashSet<>();
    Set<InetAddress> addresses = new HashSet<>();
    for (String node : nodes) {
      String host = host(node);
      Optional<InetAddress> address = IpLiteral.parse(host);
      address.ifPresentOrElse(addresses::add, () -> hosts.add(host));
    }
    hosts.remove("");
    Set<NameForm> forms = new HashSet<>();
    for (NameDer authority : authorities) {
      try {
        NameForm form = NameForm.of(authority);
        if (!form.isEmpty()) {
          forms.add(form);
        }
      } catch (DerException e) {
        throw new IllegalArgumentException("the name of a CA is bad: " + e.fault(), e);
      }
    }
    return new ReservedNames(hosts, addresses, forms);
  }

  /**
   * Returns why the names must not be certified for {@code requester}, or empty. It names what is
   * reserved.
   */
  public Optional<String> refusal(RequesterId requester, NameDer subject, List<GeneralName> names)
      throws DerException {
    NameForm form = NameForm.of(subject);
    if (authorities.contains(form) && !requester.equals(RequesterId.CEREMONY)) {
      return Optional.of(
          String.format(
                  Locale.ROOT,
                  "the subject is the reserved distinguished name of a CA of this service (%s):"
                      + " request",
                  form)
              + " another subject");
    }
    if (requester.equals(RequesterId.NODE)) {
      return Optional.empty();
    }
    for (String commonName : form.values(NameAttribute.COMMON_NAME.oid())) {
      Optional<String> reserved = reserved(commonName);
      if (reserved.isPresent()) {
        return refusal("commonName", commonName, reserved.get());
      }
    }
    for (GeneralName name : names) {
      Optional<String> refusal =
          switch (name) {
            case GeneralName.Dns(String dns) ->
                reserved(dns).flatMap(r -> refusal("dNSName", dns, r));
            case GeneralName.Ip(InetAddress address) ->
                addresses.contains(address)
                    ? refusal("iPAddress", address.getHostAddress(), address.getHostAddress())
                    : Optional.empty();
            case GeneralName.Uri(String uri) ->
                NameSpaces.authorityHost(uri)
                    .flatMap(this::reserved)
                    .flatMap(r -> refusal("URI", uri, r));
            case GeneralName.Email email -> Optional.empty();
            case GeneralName.Unsupported unsupported -> Optional.empty();
          };
      if (refusal.isPresent()) {
        return refusal;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> refusal(String kind, String name, String reserved) {
    return Optional.of(
        String.format(
            Locale.ROOT,
            "the %s %s stands for %s, which is reserved for the nodes of this CA: request another"
                + " name",
            kind,
            shown(name),
            reserved));
  }

  /** Returns the reserved name that {@code text} stands for, as a host name or an address. */
  private Optional<String> reserved(String text) {
    String host = host(text);
    Optional<InetAddress> address = address(host);
    if (address.isPresent()) {
      return address.filter(addresses::contains).map(InetAddress::getHostAddress);
    }
    if (host.indexOf('*') < 0) {
      return hosts.contains(host) ? Optional.of(host) : Optional.empty();
    }
    return hosts.stream().filter(h -> covers(host, h)).sorted().findFirst();
  }

  /** In whatever form: a commonName is text, which some clients read as an address. */
  private static Optional<InetAddress> address(String text) {
    try {
      return ADDRESS.matcher(text).matches()
          ? Optional.of(InetAddress.ofLiteral(text))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** RFC 9525 6.3: a wildcard stands in the first label; some clients take a part of a label. */
  private static boolean covers(String wildcard, String host) {
    int dot = wildcard.indexOf('.');
    int hostDot = host.indexOf('.');
    String rest = dot < 0 ? "" : wildcard.substring(dot);
    String hostRest = hostDot < 0 ? "" : host.substring(hostDot);
    String label = dot < 0 ? wildcard : wildcard.substring(0, dot);
    String hostLabel = hostDot < 0 ? host : host.substring(0, hostDot);
    int star = label.indexOf('*');
    return star >= 0
        && rest.equals(hostRest)
        && hostLabel.startsWith(label.substring(0, star))
        && hostLabel.endsWith(label.substring(label.lastIndexOf('*') + 1));
  }

  /** Without case, without the dot of the root, without the brackets of an address in a URI. */
  private static String host(String text) {
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) == '.') {
      end--;
    }
    String host = text.substring(0, end).toLowerCase(Locale.ROOT);
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, end - 1) : host;
  }

  private static String shown(String name) {
    String text = name.replaceAll("[^ -~]", "?");
    return text.length() > 80 ? text.substring(0, 80) + "…" : text;
  }
}
