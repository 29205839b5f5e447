package org.sluiceca.core.profile;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.sluiceca.core.failure.RejectedException;
import org.sluiceca.core.failure.Rejection.Reason;
import org.sluiceca.core.naming.GeneralNameText;
import org.sluiceca.core.naming.NameComparison;
import org.sluiceca.core.naming.RequestFacts;
import org.sluiceca.core.syntax.DnsNames;
import org.sluiceca.core.syntax.UriNames;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.NameAttribute;

/**
 * Which subjectAltNames may stand in a certificate. A name of a form that is not allowed is
 * refused, never dropped.
 *
 * @param forms the allowed forms; empty forbids the extension
 * @param isRequired whether at least one name must be there
 * @param countMax the most names, 1 to {@value #COUNT_LIMIT}
 * @param wildcards whether {@code *.example.test} is a DNS name here
 * @param commonNameAsDns whether a CN must be one of the DNS or IP names, and becomes the DNS name
 *     of a request that has no subjectAltName at all
 * @param rules what is demanded of the names beyond that
 */
public record SanPolicy(
    Set<Form> forms,
    boolean isRequired,
    int countMax,
    boolean wildcards,
    boolean commonNameAsDns,
    NameRules rules) {

  /** No profile may allow more. */
  public static final int COUNT_LIMIT = GeneralName.COUNT_MAX;

  /** RFC 5321 4.5.3.1.3: a path has at most 256 octets, with its two brackets. */
  private static final int EMAIL_LENGTH_MAX = 254;

  /** RFC 5321 4.5.3.1.1. */
  private static final int EMAIL_LOCAL_LENGTH_MAX = 64;

  /** RFC 5321 4.1.2: the Dot-string form; a Quoted-string is another's way into a parser. */
  private static final Pattern EMAIL_LOCAL =
      Pattern.compile("[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*");

  /** The forms of GeneralName that a profile can allow. */
  public enum Form {
    DNS,
    IP,
    EMAIL,
    URI
  }

  public SanPolicy {
    forms = Set.copyOf(forms);
    if (countMax < 0 || countMax > COUNT_LIMIT) {
      throw new IllegalArgumentException("countMax " + countMax + " not in 0.." + COUNT_LIMIT);
    }
    if (forms.isEmpty() && (isRequired || countMax > 0)) {
      throw new IllegalArgumentException("names required or counted, but no form allowed");
    }
    if (!forms.isEmpty() && countMax == 0) {
      throw new IllegalArgumentException("forms allowed, but countMax is 0");
    }
    if ((wildcards || commonNameAsDns) && !forms.contains(Form.DNS)) {
      throw new IllegalArgumentException("DNS rules without the form dns");
    }
    for (Form form : Form.values()) {
      boolean isRuled =
          rules.patterns().containsKey(form)
              || rules.counts().containsKey(form)
              || (form == Form.URI && !rules.uriSchemes().isEmpty())
              || rules.added().stream().anyMatch(a -> a.form() == form);
      if (isRuled && !forms.contains(form)) {
        throw new IllegalArgumentException("a rule for names of form " + form + ", not allowed");
      }
    }
    if (rules.added().size() > countMax) {
      throw new IllegalArgumentException("more names added than countMax " + countMax);
    }
  }

  /** A policy without further rules. */
  public SanPolicy(
      Set<Form> forms,
      boolean isRequired,
      int countMax,
      boolean wildcards,
      boolean commonNameAsDns) {
    this(forms, isRequired, countMax, wildcards, commonNameAsDns, NameRules.NONE);
  }

  /** Returns the names to certify: the requested ones and the profile's own, checked. */
  public List<GeneralName> certify(
      List<GeneralName> requested, DistinguishedName subject, RequestFacts facts)
      throws RejectedException {
    List<String> commonNames = subject.values(NameAttribute.COMMON_NAME);
    boolean isNamedByCommonName =
        commonNameAsDns && requested.isEmpty() && !commonNames.isEmpty() && rules.fromRequest();
    return check(
        rules.names(
            isNamedByCommonName ? List.of(new GeneralName.Dns(commonNames.getFirst())) : requested,
            facts),
        subject);
  }

  /** Returns the form of a name that was checked. */
  static Form formOf(GeneralName name) {
    return switch (name) {
      case GeneralName.Dns dns -> Form.DNS;
      case GeneralName.Ip ip -> Form.IP;
      case GeneralName.Email email -> Form.EMAIL;
      case GeneralName.Uri uri -> Form.URI;
      case GeneralName.Unsupported unsupported ->
          throw new IllegalArgumentException("a name of tag " + unsupported.tag());
    };
  }

  /** Checks the requested names against the checked subject; returns the names to certify. */
  public List<GeneralName> check(List<GeneralName> requested, DistinguishedName subject)
      throws RejectedException {
    // A name that is asked for twice, in any case, is one name.
    List<GeneralName> names = NameComparison.distinct(requested);
    List<String> commonNames = subject.values(NameAttribute.COMMON_NAME);
    if (commonNameAsDns && requested.isEmpty() && !commonNames.isEmpty()) {
      names = List.of(new GeneralName.Dns(commonNames.getFirst()));
    }
    if (names.size() > countMax) {
      throw refused(
          String.format(Locale.ROOT, "%d subjectAltNames, allowed %d", names.size(), countMax));
    }
    if (isRequired && names.isEmpty()) {
      throw refused("the profile wants at least one subjectAltName");
    }
    Set<String> seen = new HashSet<>();
    for (GeneralName name : names) {
      checkName(name);
      seen.add(NameComparison.key(name));
    }
    if (commonNameAsDns
        && !commonNames.isEmpty()
        && !seen.contains(NameComparison.key(new GeneralName.Dns(commonNames.getFirst())))
        && !seen.contains("i" + hostAddress(commonNames.getFirst()))) {
      throw refused("CN is not among the subjectAltNames; the profile demands that it is");
    }
    rules.check(names, subject);
    return names;
  }

  /** Returns an IPv6 literal in the JDK's form, any other text unchanged. Asks no name server. */
  private static String hostAddress(String text) {
    if (text.indexOf(':') < 0 || text.indexOf('%') >= 0 || text.indexOf('[') >= 0) {
      return text;
    }
    try {
      return Inet6Address.ofLiteral(text).getHostAddress();
    } catch (IllegalArgumentException e) {
      return text;
    }
  }

  private void checkName(GeneralName name) throws RejectedException {
    switch (name) {
      case GeneralName.Dns dns -> {
        demand(Form.DNS, name);
        if (!DnsNames.isHostName(dns.name()) && !(wildcards && DnsNames.isWildcard(dns.name()))) {
          throw refused("not an allowed DNS name: " + GeneralNameText.shown(name));
        }
      }
      case GeneralName.Ip ip -> {
        demand(Form.IP, name);
        if (isNobody(ip.address())) {
          throw refused("address of no single host: " + GeneralNameText.shown(name));
        }
      }
      case GeneralName.Email email -> {
        demand(Form.EMAIL, name);
        if (!isMailbox(email.address())) {
          throw refused("not an e-mail address: " + GeneralNameText.shown(name));
        }
      }
      case GeneralName.Uri uri -> {
        demand(Form.URI, name);
        if (!UriNames.isAbsoluteUri(uri.uri())) {
          throw refused(
              "not an absolute URI with a host, if any, no user and no segment . or ..: "
                  + GeneralNameText.shown(name));
        }
      }
      case GeneralName.Unsupported unsupported ->
          throw refused("subjectAltName of form " + formOf(unsupported) + " is not allowed");
    }
  }

  /** Returns whether a text is an address of RFC 5321 4.1.2 with a Dot-string and a host name. */
  static boolean isMailbox(String address) {
    int at = address.lastIndexOf('@');
    return at >= 1
        && at <= EMAIL_LOCAL_LENGTH_MAX
        && address.length() <= EMAIL_LENGTH_MAX
        && EMAIL_LOCAL.matcher(address.substring(0, at)).matches()
        && DnsNames.isHostName(address.substring(at + 1));
  }

  /**
   * Returns whether this is an unspecified, multicast or broadcast address. Loopback and link-local
   * addresses are allowed: they identify no host beyond a machine or a link, but a private CA
   * serves those.
   */
  private static boolean isNobody(InetAddress address) {
    return address.isAnyLocalAddress()
        || address.isMulticastAddress()
        || address.getHostAddress().equals("255.255.255.255");
  }

  /** The name of the form in RFC 5280 4.2.1.6, by its tag. */
  private static String formOf(GeneralName.Unsupported name) {
    return switch (name.tag()) {
      case 0 -> "otherName";
      case 3 -> "x400Address";
      case 4 -> "directoryName";
      case 5 -> "ediPartyName";
      case 8 -> "registeredID";
      default -> "of tag " + name.tag();
    };
  }

  private void demand(Form form, GeneralName name) throws RejectedException {
    if (!forms.contains(form)) {
      throw refused(
          "subjectAltName of form "
              + form
              + " is not allowed by the profile: "
              + GeneralNameText.shown(name));
    }
  }

  private static RejectedException refused(String detail) {
    return new RejectedException(Reason.NAME_NOT_ALLOWED, detail);
  }
}
