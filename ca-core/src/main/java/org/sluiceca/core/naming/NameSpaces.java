package org.sluiceca.core.naming;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.IpLiteral;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.NameConstraints;
import org.sluiceca.core.x509.NameSubtree;

/**
 * Judges names by the rules of RFC 5280 4.2.1.10. A wildcard counts as each name that it stands
 * for: it is excluded if one of them is.
 */
public final class NameSpaces {

  private static final String WILDCARD = "*.";

  private NameSpaces() {}

  /** Returns the first name that is not in the name space, in words, or empty. */
  public static Optional<String> outside(
      NameConstraints space, List<GeneralName> names, DistinguishedName subject) {
    if (space.isEmpty()) {
      return Optional.empty();
    }
    for (GeneralName name : names) {
      if (!isInside(space, name)) {
        return Optional.of(
            String.format(Locale.ROOT, "%s lies outside the allowed names", shown(name)));
      }
    }
    // RFC 5280 4.2.1.10: an emailAddress in the subject is a mailbox like any other.
    for (String address : subject.values(NameAttribute.EMAIL_ADDRESS)) {
      if (!isInside(space, new GeneralName.Email(address))) {
        return Optional.of("emailAddress lies outside the allowed names");
      }
    }
    // RFC 5280 4.2.1.10: an empty subject is not constrained.
    return subject.isEmpty() || isInside(space, subject)
        ? Optional.empty()
        : Optional.of("the subject lies outside the allowed names");
  }

  private static boolean isInside(NameConstraints space, GeneralName name) {
    for (NameSubtree subtree : space.excluded()) {
      if (isOfForm(subtree, name) && (!isComparable(name) || touches(subtree, name))) {
        return false;
      }
    }
    boolean isConstrained = false;
    for (NameSubtree subtree : space.permitted()) {
      if (isOfForm(subtree, name)) {
        if (isComparable(name) && contains(subtree, name)) {
          return true;
        }
        isConstrained = true;
      }
    }
    return !isConstrained;
  }

  private static boolean isInside(NameConstraints space, DistinguishedName subject) {
    for (NameSubtree subtree : space.excluded()) {
      if (subtree instanceof NameSubtree.Directory(DistinguishedName base)
          && NameComparison.beginsWith(subject, base)) {
        return false;
      }
    }
    boolean isConstrained = false;
    for (NameSubtree subtree : space.permitted()) {
      if (subtree instanceof NameSubtree.Directory(DistinguishedName base)) {
        if (NameComparison.beginsWith(subject, base)) {
          return true;
        }
        isConstrained = true;
      }
    }
    return !isConstrained;
  }

  /** Returns whether {@code subtree} speaks of names like {@code name}. */
  private static boolean isOfForm(NameSubtree subtree, GeneralName name) {
    return switch (name) {
      case GeneralName.Dns dns -> subtree instanceof NameSubtree.Dns;
      case GeneralName.Ip ip -> subtree instanceof NameSubtree.Ip;
      case GeneralName.Email email -> subtree instanceof NameSubtree.Email;
      case GeneralName.Uri uri -> subtree instanceof NameSubtree.Uri;
      case GeneralName.Unsupported unsupported -> false;
    };
  }

  /** RFC 5280 4.2.1.10: a URI without a host name fails any constraint of its form. */
  private static boolean isComparable(GeneralName name) {
    return !(name instanceof GeneralName.Uri(String uri)) || hostOf(uri).isPresent();
  }

  /** Returns whether every name that {@code name} stands for is in the subtree. */
  private static boolean contains(NameSubtree subtree, GeneralName name) {
    return switch (subtree) {
      case NameSubtree.Dns(String domain) ->
          name instanceof GeneralName.Dns(String dns) && isWithin(dns, domain);
      case NameSubtree.Ip ip ->
          name instanceof GeneralName.Ip(var address) && ip.range().contains(address);
      case NameSubtree.Email(String mailboxes) ->
          name instanceof GeneralName.Email(String address) && isMailboxOf(address, mailboxes);
      case NameSubtree.Uri(String host) ->
          name instanceof GeneralName.Uri(String uri)
              && hostOf(uri).filter(h -> isHostOf(h, host)).isPresent();
      case NameSubtree.Directory directory -> false;
    };
  }

  /** Returns whether any name that {@code name} stands for is in the subtree. */
  private static boolean touches(NameSubtree subtree, GeneralName name) {
    if (subtree instanceof NameSubtree.Dns(String domain)
        && name instanceof GeneralName.Dns(String dns)
        && dns.startsWith(WILDCARD)
        && !domain.startsWith(".")) {
      int dot = domain.indexOf('.');
      if (dot >= 0 && domain.substring(dot + 1).equalsIgnoreCase(dns.substring(2))) {
        return true;
      }
    }
    // RFC 5321 2.4 gives the local part case; hardly a mail system does, and exclusion errs widely.
    if (subtree instanceof NameSubtree.Email(String mailbox)
        && name instanceof GeneralName.Email(String address)
        && address.equalsIgnoreCase(mailbox)) {
      return true;
    }
    return contains(subtree, name);
  }

  private static boolean isWithin(String name, String domain) {
    if (domain.isEmpty()) {
      return true;
    }
    String lower = name.toLowerCase(Locale.ROOT);
    String base = domain.toLowerCase(Locale.ROOT);
    return base.startsWith(".")
        ? lower.endsWith(base) && lower.length() > base.length()
        : lower.equals(base) || lower.endsWith("." + base);
  }

  private static boolean isMailboxOf(String address, String mailboxes) {
    int at = mailboxes.lastIndexOf('@');
    int addressAt = address.lastIndexOf('@');
    if (at < 0) {
      return isHostOf(address.substring(addressAt + 1), mailboxes);
    }
    // RFC 5321 2.4: the local part has case, the domain has not.
    return address.substring(0, addressAt + 1).equals(mailboxes.substring(0, at + 1))
        && address.substring(addressAt + 1).equalsIgnoreCase(mailboxes.substring(at + 1));
  }

  private static boolean isHostOf(String host, String constraint) {
    return constraint.startsWith(".")
        ? isWithin(host, constraint)
        : host.equalsIgnoreCase(constraint);
  }

  /** Returns the host of a URI's authority (RFC 3986 3.2.2) if it is a name. */
  private static Optional<String> hostOf(String uri) {
    return authorityHost(uri)
        .filter(host -> NameSubtree.DOMAIN.matcher(host).matches())
        .filter(host -> IpLiteral.parse(host).isEmpty());
  }

  /** Returns the host of a URI's authority (RFC 3986 3.2.2): a name, or an address in its text. */
  static Optional<String> authorityHost(String uri) {
    int colon = uri.indexOf(':');
    if (colon < 0 || !uri.startsWith("//", colon + 1)) {
      return Optional.empty();
    }
    int end = colon + 3;
    while (end < uri.length() && "/?#\\".indexOf(uri.charAt(end)) < 0) {
      end++;
    }
    String authority = uri.substring(colon + 3, end);
    String host = authority.substring(authority.lastIndexOf('@') + 1);
    int bracket = host.startsWith("[") ? host.indexOf(']') : -1;
    int port = host.indexOf(':', Math.max(0, bracket));
    return Optional.of(port < 0 ? host : host.substring(0, port));
  }

  private static String shown(GeneralName name) {
    return GeneralNameText.shown(name);
  }
}
