package org.sluiceca.api.certificate.index.store;

import java.net.InetAddress;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.CertifiedNames;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.TbsCertificateDer;

/**
 * The names by which a certificate is found.
 *
 * @param subject for people, as the certificate has it
 * @param subjectNames its commonName and serialNumber attributes, in the index' form
 * @param sans its subjectAltNames, in the index' form
 */
public record IndexedNames(String subject, List<String> subjectNames, List<String> sans) {

  /** The names of a certificate that cannot be read: it is found by all but its names. */
  static final IndexedNames UNKNOWN = new IndexedNames("", List.of(), List.of());

  /** Stands between names in a parameter; no name in the index' form has it. */
  static final String SEPARATOR = "\u001f";

  /** A name of this length in UTF-8 fits into a row of a B-tree, which has 2,704 octets. */
  public static final int NAME_MAX = 500;

  private static final int REPLACEMENT = 0xFFFD;

  static IndexedNames of(TbsCertificateDer tbs) throws DerException {
    CertifiedNames names = CertificateReader.names(tbs);
    DistinguishedName subject = names.subject();
    return new IndexedNames(
        printable(subject.toString()),
        all(
            Stream.concat(
                    subject.values(NameAttribute.COMMON_NAME).stream(),
                    subject.values(NameAttribute.SERIAL_NUMBER).stream())
                .toList()),
        all(names.subjectAltNames().stream().map(IndexedNames::text).toList()));
  }

  /**
   * Returns the form in which names are kept and looked for: lower case, without characters that
   * control, cut at {@value #NAME_MAX} characters.
   */
  public static String normal(String name) {
    String text = printable(name.toLowerCase(Locale.ROOT));
    return text.codePointCount(0, text.length()) <= NAME_MAX
        ? text
        : text.substring(0, text.offsetByCodePoints(0, NAME_MAX));
  }

  /** Returns the form in which an address is kept: one, however it was written. */
  public static String text(InetAddress address) {
    return address.getHostAddress();
  }

  private static String text(GeneralName name) {
    return switch (name) {
      case GeneralName.Dns dns -> dns.name();
      case GeneralName.Ip ip -> text(ip.address());
      case GeneralName.Email email -> email.address();
      case GeneralName.Uri uri -> uri.uri();
      case GeneralName.Unsupported unsupported -> "";
    };
  }

  private static List<String> all(Collection<String> names) {
    Set<String> different = new LinkedHashSet<>();
    for (String name : names) {
      if (!name.isEmpty()) {
        different.add(normal(name));
      }
    }
    return List.copyOf(different);
  }

  /** PostgreSQL's text has no U+0000, and no search is for the other characters replaced here. */
  private static String printable(String text) {
    if (text.codePoints().noneMatch(IndexedNames::isOdd)) {
      return text;
    }
    StringBuilder printable = new StringBuilder(text.length());
    text.codePoints().forEach(c -> printable.appendCodePoint(isOdd(c) ? REPLACEMENT : c));
    return printable.toString();
  }

  private static boolean isOdd(int codePoint) {
    return Character.isISOControl(codePoint) || Character.getType(codePoint) == Character.SURROGATE;
  }
}
