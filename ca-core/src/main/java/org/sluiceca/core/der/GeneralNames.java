package org.sluiceca.core.der;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.DERIA5String;
import org.bouncycastle.asn1.DEROctetString;
import org.sluiceca.core.der.DerException.Kind;
import org.sluiceca.core.x509.GeneralName;

/** Reads and writes the forms of GeneralName that profiles can allow (RFC 5280 4.2.1.6). */
final class GeneralNames {

  private static final int IPV4_OCTETS = 4;
  private static final int IPV6_OCTETS = 16;

  private static final String WHAT = "subjectAltName";
  private static final byte SEQUENCE = 0x30;
  private static final int TAG_NUMBER = 0x1F;

  private GeneralNames() {}

  /** Reads SEQUENCE SIZE (1..MAX) OF GeneralName, at most {@link GeneralName#COUNT_MAX}. */
  static List<GeneralName> read(byte[] encoded) throws DerException {
    checkCount(encoded);
    DerScan.check(WHAT, encoded);
    if (encoded[0] != SEQUENCE) {
      throw new DerException("subjectAltName is no SEQUENCE");
    }
    List<GeneralName> names = new ArrayList<>();
    for (DerScan.Element element : DerScan.elements(WHAT, encoded)) {
      names.add(of(element));
    }
    if (names.isEmpty()) {
      throw new DerException("subjectAltName without a name");
    }
    return List.copyOf(names);
  }

  /** Refuses more names than any profile may allow, before one of them is built. */
  static void checkCount(byte[] encoded) throws DerException {
    if (DerScan.hasMoreThan(GeneralName.COUNT_MAX, encoded)) {
      throw new DerException(
          Kind.NAME_NOT_SUPPORTED, "more than %d subjectAltNames".formatted(GeneralName.COUNT_MAX));
    }
  }

  static org.bouncycastle.asn1.x509.GeneralNames write(List<GeneralName> names) {
    return new org.bouncycastle.asn1.x509.GeneralNames(
        names.stream()
            .map(GeneralNames::encode)
            .toArray(org.bouncycastle.asn1.x509.GeneralName[]::new));
  }

  /** RFC 5280 appendix A.2: the tags are implicit, but for directoryName, which is a CHOICE. */
  private static GeneralName of(DerScan.Element element) throws DerException {
    return switch (element.tag()) {
      case 0x81 -> new GeneralName.Email(text("rfc822Name", element));
      case 0x82 -> new GeneralName.Dns(text("dNSName", element));
      case 0x86 -> new GeneralName.Uri(text("uniformResourceIdentifier", element));
      case 0x87 -> new GeneralName.Ip(address(element.content().octets()));
      case 0xA0, 0xA3, 0xA4, 0xA5, 0x88 -> new GeneralName.Unsupported(element.tag() & TAG_NUMBER);
      default -> throw new DerException("subjectAltName with an element of tag " + element.tag());
    };
  }

  /** X.680 41.3: IA5String has octets below 128; a name in UTF-8 has no place in it. */
  private static String text(String form, DerScan.Element element) throws DerException {
    byte[] octets = element.content().octets();
    for (byte octet : octets) {
      if (octet < 0) {
        throw new DerException(
            Kind.NAME_NOT_SUPPORTED, form + " with octets outside IA5String (not an A-label?)");
      }
    }
    return new String(octets, StandardCharsets.US_ASCII);
  }

  private static InetAddress address(byte[] octets) throws DerException {
    if (octets.length != IPV4_OCTETS && octets.length != IPV6_OCTETS) {
      throw new DerException("iPAddress of " + octets.length + " octets");
    }
    try {
      InetAddress address = InetAddress.getByAddress(octets);
      // The JDK turns ::ffff:a.b.c.d into a.b.c.d, which is another name than the one asked for.
      if (address.getAddress().length != octets.length) {
        throw new DerException("iPAddress is an IPv4 address mapped into IPv6");
      }
      return address;
    } catch (UnknownHostException e) {
      throw new DerException("malformed iPAddress", e);
    }
  }

  static org.bouncycastle.asn1.x509.GeneralName uri(String uri) {
    return new org.bouncycastle.asn1.x509.GeneralName(
        org.bouncycastle.asn1.x509.GeneralName.uniformResourceIdentifier, uri);
  }

  private static org.bouncycastle.asn1.x509.GeneralName encode(GeneralName name) {
    return switch (name) {
      case GeneralName.Dns dns ->
          new org.bouncycastle.asn1.x509.GeneralName(
              org.bouncycastle.asn1.x509.GeneralName.dNSName, new DERIA5String(dns.name(), true));
      case GeneralName.Email email ->
          new org.bouncycastle.asn1.x509.GeneralName(
              org.bouncycastle.asn1.x509.GeneralName.rfc822Name,
              new DERIA5String(email.address(), true));
      case GeneralName.Uri uri ->
          new org.bouncycastle.asn1.x509.GeneralName(
              org.bouncycastle.asn1.x509.GeneralName.uniformResourceIdentifier,
              new DERIA5String(uri.uri(), true));
      case GeneralName.Ip ip ->
          new org.bouncycastle.asn1.x509.GeneralName(
              org.bouncycastle.asn1.x509.GeneralName.iPAddress,
              new DEROctetString(ip.address().getAddress()));
      case GeneralName.Unsupported unsupported ->
          throw new IllegalArgumentException("cannot encode a name of tag " + unsupported.tag());
    };
  }
}
