package org.sluiceca.core.x509;

import java.util.regex.Pattern;

/**
 * The base of a GeneralSubtree (RFC 5280 4.2.1.10), with minimum 0 and no maximum: a set of names
 * of one form.
 */
public sealed interface NameSubtree {

  /** Labels of a host name, with underscores, as constraints of other CAs may have them. */
  Pattern DOMAIN = Pattern.compile("[A-Za-z0-9_-]{1,63}(?:\\.[A-Za-z0-9_-]{1,63})*");

  /**
   * DNS names.
   *
   * @param domain {@code example.com} is that name and all below it, {@code .example.com} only
   *     those below, the empty text every name
   */
  record Dns(String domain) implements NameSubtree {
    public Dns {
      checkDomain(domain.isEmpty() ? "any" : withoutDot(domain));
    }
  }

  /** IP addresses of one version. */
  record Ip(IpRange range) implements NameSubtree {}

  /**
   * E-mail addresses.
   *
   * @param mailboxes {@code a@example.com} is one mailbox, {@code example.com} those of one host,
   *     {@code .example.com} those of all hosts below
   */
  record Email(String mailboxes) implements NameSubtree {
    public Email {
      int at = mailboxes.lastIndexOf('@');
      checkDomain(at < 0 ? withoutDot(mailboxes) : mailboxes.substring(at + 1));
      if (at == 0) {
        throw new IllegalArgumentException("not mailboxes: " + mailboxes);
      }
    }
  }

  /**
   * URIs by their host.
   *
   * @param host {@code example.com} is that host, {@code .example.com} all below it
   */
  record Uri(String host) implements NameSubtree {
    public Uri {
      checkDomain(withoutDot(host));
    }
  }

  /** Subjects that begin with {@code base}. */
  record Directory(DistinguishedName base) implements NameSubtree {}

  private static String withoutDot(String domain) {
    return domain.startsWith(".") ? domain.substring(1) : domain;
  }

  private static void checkDomain(String domain) {
    // RFC 1035 2.3.4.
    if (domain.length() > 253 || !DOMAIN.matcher(domain).matches()) {
      throw new IllegalArgumentException("not a domain: " + domain);
    }
  }
}
