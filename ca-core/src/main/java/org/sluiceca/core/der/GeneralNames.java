package org.sluiceca.core.der;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.sluiceca.core.der.DerException.Kind;
import org.sluiceca.core.x509.GeneralName;

/** Reads and writes the forms of GeneralName that profiles can allow (RFC 5280 4.2.1.6). */
final class GeneralNames {

  private static final int IPV4_OCTETS = 4;
  private static final int IPV6_OCTETS = 16;

  private static final String WHAT = "subjectAltName";
  private static final byte SEQUENCE = 0x30;
  private static final int TAG_NUMBER = 0x1F;

  private static final int RFC822_NAME = 0x81;
  private static final int DNS_NAME = 0x82;
  private static final int URI = 0x86;
  private static final int IP_ADDRESS = 0x87;

  /** Of one name. */
  private static final int OCTETS_EXPECTED = 48;

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
          Kind.NAME_NOT_SUPPORTED,
          String.format(Locale.ROOT, "more than %d subjectAltNames", GeneralName.COUNT_MAX));
    }
  }

  static DerWriter write(List<GeneralName> names) {
    DerWriter out = new DerWriter(OCTETS_EXPECTED * names.size() + 4);
    for (GeneralName name : names.reversed()) {
      int end = out.written();
      switch (name) {
        case GeneralName.Dns dns -> {
          out.ascii(dns.name());
          out.header(DNS_NAME, end);
        }
        case GeneralName.Email email -> {
          out.ascii(email.address());
          out.header(RFC822_NAME, end);
        }
        case GeneralName.Uri uri -> writeUri(out, uri.uri());
        case GeneralName.Ip ip -> {
          out.octets(ip.address().getAddress());
          out.header(IP_ADDRESS, end);
        }
        case GeneralName.Unsupported unsupported ->
            throw new IllegalArgumentException("cannot encode a name of tag " + unsupported.tag());
      }
    }
    out.header(DerWriter.SEQUENCE, 0);
    return out;
  }

  /** Puts a uniformResourceIdentifier in front of what {@code out} has. */
  static void writeUri(DerWriter out, String uri) {
    int end = out.written();
    out.ascii(uri);
    out.header(URI, end);
  }

  /** RFC 5280 appendix A.2: the tags are implicit, but for directoryName, which is a CHOICE. */
  private static GeneralName of(DerScan.Element element) throws DerException {
    return switch (element.tag()) {
      case RFC822_NAME -> new GeneralName.Email(text("rfc822Name", element));
      case DNS_NAME -> new GeneralName.Dns(text("dNSName", element));
      case URI -> new GeneralName.Uri(text("uniformResourceIdentifier", element));
      case IP_ADDRESS -> new GeneralName.Ip(address(element.content()));
      case 0xA0, 0xA3, 0xA4, 0xA5, 0x88 -> new GeneralName.Unsupported(element.tag() & TAG_NUMBER);
      default -> throw new DerException("subjectAltName with an element of tag " + element.tag());
    };
  }

  /** X.680 41.3: IA5String has octets below 128; a name in UTF-8 has no place in it. */
  private static String text(String form, DerScan.Element element) throws DerException {
    byte[] octets = element.content();
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
}
