package org.sluiceca.core.der;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1IA5String;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.DERIA5String;
import org.bouncycastle.asn1.DEROctetString;
import org.sluiceca.core.x509.GeneralName;

/** Reads and writes the forms of GeneralName that profiles can allow (RFC 5280 4.2.1.6). */
final class GeneralNames {

  private static final int IPV4_OCTETS = 4;
  private static final int IPV6_OCTETS = 16;

  private GeneralNames() {}

  static List<GeneralName> read(ASN1Encodable value) throws DerException {
    List<GeneralName> names = new ArrayList<>();
    for (var name : org.bouncycastle.asn1.x509.GeneralNames.getInstance(value).getNames()) {
      names.add(of(name));
    }
    // RFC 5280 4.2.1.6: SEQUENCE SIZE (1..MAX).
    if (names.isEmpty()) {
      throw new DerException("subjectAltName without a name");
    }
    return List.copyOf(names);
  }

  static org.bouncycastle.asn1.x509.GeneralNames write(List<GeneralName> names) {
    return new org.bouncycastle.asn1.x509.GeneralNames(
        names.stream()
            .map(GeneralNames::encode)
            .toArray(org.bouncycastle.asn1.x509.GeneralName[]::new));
  }

  private static GeneralName of(org.bouncycastle.asn1.x509.GeneralName name) throws DerException {
    return switch (name.getTagNo()) {
      case org.bouncycastle.asn1.x509.GeneralName.rfc822Name ->
          new GeneralName.Email(ASN1IA5String.getInstance(name.getName()).getString());
      case org.bouncycastle.asn1.x509.GeneralName.dNSName ->
          new GeneralName.Dns(ASN1IA5String.getInstance(name.getName()).getString());
      case org.bouncycastle.asn1.x509.GeneralName.uniformResourceIdentifier ->
          new GeneralName.Uri(ASN1IA5String.getInstance(name.getName()).getString());
      case org.bouncycastle.asn1.x509.GeneralName.iPAddress ->
          new GeneralName.Ip(address(ASN1OctetString.getInstance(name.getName()).getOctets()));
      default -> new GeneralName.Unsupported(name.getTagNo());
    };
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
