package org.sluiceca.api.console.work;

import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.sluiceca.core.der.CsrReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.ExtensionReader;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.KeyUsage;
import org.sluiceca.core.x509.OidNames;

/**
 * An extension for people: what it is called, and what stands in it, as lines of text.
 *
 * @param name with its OID
 */
record ExtensionText(String name, boolean critical, List<String> lines) {

  /** Longer values are cut: they are in the certificate itself. */
  private static final int OCTETS_SHOWN = 64;

  /** As many names as a certificate may have. */
  private static final int LINES_SHOWN = 100;

  private static final Map<String, String> OTHER_NAMES =
      Map.of(
          ExtensionOids.NO_REVOCATION_AVAILABLE, "noRevAvail",
          ExtensionOids.OCSP_NO_CHECK, "ocspNoCheck");

  private static final String OCSP = "1.3.6.1.5.5.7.48.1";

  ExtensionText {
    lines =
        lines.size() <= LINES_SHOWN
            ? List.copyOf(lines)
            : Stream.concat(lines.stream().limit(LINES_SHOWN), Stream.of(more(lines))).toList();
  }

  private static String more(List<String> lines) {
    return String.format(Locale.ROOT, "… and %d more", lines.size() - LINES_SHOWN);
  }

  static ExtensionText of(Extension extension) {
    String known = OTHER_NAMES.get(extension.oid());
    return new ExtensionText(
        known == null
            ? OidNames.shown(extension.oid())
            : String.format(Locale.ROOT, "%s (%s)", known, extension.oid()),
        extension.isCritical(),
        linesOf(extension));
  }

  private static List<String> linesOf(Extension extension) {
    try {
      return read(extension);
    } catch (DerException e) {
      // Shown as it stands: a request may hold anything, and an added extension is a profile's.
      return List.of(hex(extension.value()));
    }
  }

  private static List<String> read(Extension extension) throws DerException {
    return switch (extension.oid()) {
      case ExtensionOids.SUBJECT_ALT_NAME ->
          CsrReader.subjectAltNames(extension).stream().map(ExtensionText::name).toList();
      case ExtensionOids.KEY_USAGE ->
          ExtensionReader.requestedKeyUsage(extension).stream()
              .map(KeyUsage::standardName)
              .toList();
      case ExtensionOids.EXTENDED_KEY_USAGE ->
          ExtensionReader.requestedPurposes(extension).stream().map(OidNames::shown).toList();
      case ExtensionOids.BASIC_CONSTRAINTS -> List.of(basicConstraints(extension));
      case ExtensionOids.SUBJECT_KEY_IDENTIFIER ->
          List.of(ExtensionReader.subjectKeyIdentifier(extension).toString());
      case ExtensionOids.AUTHORITY_KEY_IDENTIFIER ->
          ExtensionReader.authorityKeyIdentifier(extension).stream().map(Object::toString).toList();
      case ExtensionOids.CRL_DISTRIBUTION_POINTS ->
          ExtensionReader.crlDistributionPoints(extension);
      case ExtensionOids.AUTHORITY_INFORMATION_ACCESS ->
          ExtensionReader.authorityInfoAccess(extension).stream()
              .map(
                  access ->
                      (access.getKey().equals(OCSP) ? "OCSP: " : "issuer: ") + access.getValue())
              .toList();
      case ExtensionOids.NO_REVOCATION_AVAILABLE, ExtensionOids.OCSP_NO_CHECK -> List.of("present");
      default -> List.of(hex(extension.value()));
    };
  }

  private static String basicConstraints(Extension extension) throws DerException {
    if (!ExtensionReader.isCaRequested(extension)) {
      return "no CA";
    }
    OptionalInt pathLen = ExtensionReader.pathLen(extension);
    return pathLen.isPresent()
        ? String.format(Locale.ROOT, "CA, %d more below it", pathLen.getAsInt())
        : "CA";
  }

  /** A name with its form, as OpenSSL writes it. */
  static String name(GeneralName name) {
    return switch (name) {
      case GeneralName.Dns(String dns) -> "DNS:" + dns;
      case GeneralName.Ip(var address) -> "IP:" + address.getHostAddress();
      case GeneralName.Email(String address) -> "email:" + address;
      case GeneralName.Uri(String uri) -> "URI:" + uri;
      case GeneralName.Unsupported(int tag) ->
          String.format(Locale.ROOT, "a name of form [%d], which is not shown", tag);
    };
  }

  private static String hex(byte[] octets) {
    return octets.length <= OCTETS_SHOWN
        ? HexFormat.of().formatHex(octets)
        : HexFormat.of().formatHex(octets, 0, OCTETS_SHOWN)
            + String.format(Locale.ROOT, "… (%d octets)", octets.length);
  }
}
