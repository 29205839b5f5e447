package org.sluiceca.api.cli.check;

import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.ExtensionOids;
import org.sluiceca.core.der.ExtensionReader;
import org.sluiceca.core.x509.ExtendedKeyUsage;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.NameConstraints;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.OidNames;

/** Extensions for people. */
final class ExtensionText {

  /** As the standards call them; the map's order does not matter. */
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry(ExtensionOids.SUBJECT_KEY_IDENTIFIER, "subjectKeyIdentifier"),
          Map.entry(ExtensionOids.KEY_USAGE, "keyUsage"),
          Map.entry(ExtensionOids.SUBJECT_ALT_NAME, "subjectAltName"),
          Map.entry(ExtensionOids.BASIC_CONSTRAINTS, "basicConstraints"),
          Map.entry(ExtensionOids.NAME_CONSTRAINTS, "nameConstraints"),
          Map.entry(ExtensionOids.CRL_DISTRIBUTION_POINTS, "cRLDistributionPoints"),
          Map.entry(ExtensionOids.CERTIFICATE_POLICIES, "certificatePolicies"),
          Map.entry(ExtensionOids.AUTHORITY_KEY_IDENTIFIER, "authorityKeyIdentifier"),
          Map.entry(ExtensionOids.EXTENDED_KEY_USAGE, "extKeyUsage"),
          Map.entry(ExtensionOids.NO_REVOCATION_AVAILABLE, "noRevAvail"),
          Map.entry(ExtensionOids.AUTHORITY_INFORMATION_ACCESS, "authorityInfoAccess"),
          Map.entry(ExtensionOids.OCSP_NO_CHECK, "ocsp-nocheck"));

  private ExtensionText() {}

  static String name(String oid) {
    return NAMES.getOrDefault(oid, oid);
  }

  static String value(Extension extension) throws DerException {
    return switch (extension.oid()) {
      case ExtensionOids.BASIC_CONSTRAINTS -> {
        OptionalInt pathLen = ExtensionReader.pathLen(extension);
        yield !ExtensionReader.isCa(extension)
            ? "no CA"
            : "CA" + (pathLen.isPresent() ? ", pathLen " + pathLen.getAsInt() : "");
      }
      case ExtensionOids.KEY_USAGE ->
          ExtensionReader.keyUsage(extension).stream()
              .map(Enum::name)
              .sorted()
              .collect(Collectors.joining(", "));
      case ExtensionOids.EXTENDED_KEY_USAGE ->
          ExtensionReader.extendedKeyUsage(extension).stream()
              .map(ExtensionText::purpose)
              .collect(Collectors.joining(", "));
      case ExtensionOids.SUBJECT_ALT_NAME ->
          String.join(", ", PlanView.names(Optional.of(extension)));
      case ExtensionOids.NAME_CONSTRAINTS -> {
        NameConstraints constraints = ExtensionReader.nameConstraints(extension);
        yield String.format(
            Locale.ROOT,
            "permitted %s, excluded %s",
            constraints.permitted(),
            constraints.excluded());
      }
      case ExtensionOids.SUBJECT_KEY_IDENTIFIER ->
          hexadecimal(ExtensionReader.subjectKeyIdentifier(extension));
      case ExtensionOids.AUTHORITY_KEY_IDENTIFIER ->
          ExtensionReader.authorityKeyIdentifier(extension)
              .map(ExtensionText::hexadecimal)
              .orElse("none");
      case ExtensionOids.CRL_DISTRIBUTION_POINTS ->
          String.join(", ", ExtensionReader.crlDistributionPoints(extension));
      case ExtensionOids.AUTHORITY_INFORMATION_ACCESS ->
          ExtensionReader.authorityInfoAccess(extension).stream()
              .map(access -> method(access.getKey()) + " " + access.getValue())
              .collect(Collectors.joining(", "));
      default -> readable(extension.value());
    };
  }

  /** As openssl and browsers print key identifiers. */
  private static String hexadecimal(OctetString octets) {
    return HexFormat.ofDelimiter(":").withUpperCase().formatHex(octets.octets());
  }

  /** RFC 5280 4.2.2.1. */
  private static String method(String oid) {
    return switch (oid) {
      case "1.3.6.1.5.5.7.48.1" -> "OCSP";
      case "1.3.6.1.5.5.7.48.2" -> "caIssuers";
      default -> oid;
    };
  }

  private static String purpose(String oid) {
    for (ExtendedKeyUsage purpose : ExtendedKeyUsage.known()) {
      if (purpose.oid().equals(oid)) {
        return purpose.name();
      }
    }
    return OidNames.shown(oid);
  }

  /** The URIs and texts inside, if there are any of eight letters or more; else all in hex. */
  private static String readable(byte[] value) {
    StringBuilder texts = new StringBuilder();
    StringBuilder run = new StringBuilder();
    for (int i = 0; i <= value.length; i++) {
      if (i < value.length && value[i] >= ' ' && value[i] <= '~') {
        run.append((char) value[i]);
        continue;
      }
      if (run.length() >= 8) {
        texts.append(texts.isEmpty() ? "" : " ").append(run);
      }
      run.setLength(0);
    }
    return texts.isEmpty() ? HexFormat.of().formatHex(value) : texts.toString();
  }
}
