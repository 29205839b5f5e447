package org.sluiceca.core.naming;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.sluiceca.core.der.NameForm;
import org.sluiceca.core.syntax.DnsNames;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.GeneralName;

/**
 * Whether two names are the same name (RFC 5280 7): the one form in which alternative names are
 * compared, as {@link NameForm} is for distinguished names. Certificates keep the form in which a
 * name was asked for.
 */
public final class NameComparison {

  private NameComparison() {}

  /**
   * Returns whether the first attributes of {@code name} are those of {@code base}, compared as
   * {@link NameForm} compares (RFC 5280 7.1).
   */
  public static boolean beginsWith(DistinguishedName name, DistinguishedName base) {
    if (name.attributes().size() < base.attributes().size()) {
      return false;
    }
    for (int i = 0; i < base.attributes().size(); i++) {
      Attribute mine = name.attributes().get(i);
      Attribute wanted = base.attributes().get(i);
      if (mine.type() != wanted.type()
          || !NameForm.folded(mine.value()).equals(NameForm.folded(wanted.value()))) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether two lists have the same names, in any order and however often. */
  public static boolean areSame(List<GeneralName> some, List<GeneralName> others) {
    return new HashSet<>(keys(some)).equals(new HashSet<>(keys(others)));
  }

  /** Returns each name once, as it was written first, in order. */
  public static List<GeneralName> distinct(List<GeneralName> names) {
    Map<String, GeneralName> distinct = new LinkedHashMap<>();
    for (GeneralName name : names) {
      distinct.putIfAbsent(key(name), name);
    }
    return List.copyOf(distinct.values());
  }

  /**
   * Returns a text that is equal for equal names: a letter for the form, then the name. Host names
   * have no case (RFC 5280 7.2, 7.5), nor have a URI's scheme and host (7.4); a mailbox' local part
   * has (RFC 5321 2.4). An address has one form, however it was written.
   */
  public static String key(GeneralName name) {
    return switch (name) {
      case GeneralName.Dns(String dns) -> "d" + DnsNames.lowerCase(dns);
      case GeneralName.Ip ip -> "i" + ip.address().getHostAddress();
      case GeneralName.Email(String address) -> {
        int at = Math.max(0, address.lastIndexOf('@'));
        yield "e" + address.substring(0, at) + address.substring(at).toLowerCase(Locale.ROOT);
      }
      case GeneralName.Uri(String uri) -> "u" + uriKey(uri);
      case GeneralName.Unsupported(int tag) -> "x" + tag;
    };
  }

  private static List<String> keys(List<GeneralName> names) {
    List<String> keys = new ArrayList<>(names.size());
    for (GeneralName name : names) {
      keys.add(key(name));
    }
    return keys;
  }

  private static String uriKey(String uri) {
    int end = uri.indexOf(':') + 1;
    if (end > 0 && uri.startsWith("//", end)) {
      end += 2;
      while (end < uri.length() && "/?#".indexOf(uri.charAt(end)) < 0) {
        end++;
      }
    }
    return uri.substring(0, end).toLowerCase(Locale.ROOT) + uri.substring(end);
  }
}
