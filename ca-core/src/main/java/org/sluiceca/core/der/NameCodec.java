package org.sluiceca.core.der;

import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1IA5String;
import org.bouncycastle.asn1.ASN1PrintableString;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.ASN1UTF8String;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.util.Strings;
import org.sluiceca.core.der.DerException.Kind;
import org.sluiceca.core.x509.DistinguishedName;
import org.sluiceca.core.x509.DistinguishedName.Attribute;
import org.sluiceca.core.x509.NameAttribute;
import org.sluiceca.core.x509.NameDer;

/**
 * Reads and writes distinguished names (RFC 5280 4.1.2.4, 4.1.2.6): PrintableString for country and
 * serialNumber as X.520 demands, UTF8String for the rest. Thread-safe.
 */
public final class NameCodec {

  private static final int ASCII_MAX = 0x7F;

  private static final int UTF8_STRING = 0x0C;
  private static final int PRINTABLE_STRING = 0x13;
  private static final int SET = 0x31;

  /** Room for the usual name. */
  private static final int OCTETS_EXPECTED = 128;

  private NameCodec() {}

  /** Writes a name; attribute values must already have passed the subject policy. */
  public static NameDer write(DistinguishedName name) {
    DerWriter out = new DerWriter(OCTETS_EXPECTED);
    for (Attribute attribute : name.attributes().reversed()) {
      int end = out.written();
      writeValue(out, attribute);
      ObjectIdentifiers.write(out, attribute.type().oid());
      out.header(DerWriter.SEQUENCE, end);
      out.header(SET, end);
    }
    out.header(DerWriter.SEQUENCE, 0);
    return NameDer.of(out.toByteArray());
  }

  /** Reads a name of the attribute types in {@link NameAttribute}. */
  public static DistinguishedName read(NameDer name) throws DerException {
    return StrictDer.read("name", name.encoded(), p -> of(X500Name.getInstance(p)));
  }

  static DistinguishedName of(X500Name name) throws DerException {
    List<Attribute> attributes = new ArrayList<>();
    for (RDN rdn : name.getRDNs()) {
      if (rdn.size() == 0) {
        throw new DerException("name with an empty relative name");
      }
      if (rdn.isMultiValued()) {
        throw new DerException(Kind.NAME_NOT_SUPPORTED, "name with a multi-valued relative name");
      }
      ASN1Set pair = ASN1Set.getInstance(rdn.toASN1Primitive());
      if (ASN1Sequence.getInstance(pair.getObjectAt(0)).size() != 2) {
        throw new DerException("name attribute with superfluous elements");
      }
      String oid = rdn.getFirst().getType().getId();
      NameAttribute type =
          NameAttribute.ofOid(oid)
              .orElseThrow(
                  () ->
                      new DerException(
                          Kind.NAME_NOT_SUPPORTED, "name attribute " + oid + " not supported"));
      attributes.add(new Attribute(type, textOf(rdn.getFirst().getValue(), type)));
    }
    return new DistinguishedName(attributes);
  }

  private static void writeValue(DerWriter out, Attribute attribute) {
    int end = out.written();
    switch (attribute.type()) {
      case COUNTRY, SERIAL_NUMBER -> {
        if (!ASN1PrintableString.isPrintableString(attribute.value())) {
          throw new IllegalArgumentException(attribute.type() + " outside PrintableString");
        }
        out.ascii(attribute.value());
        out.header(PRINTABLE_STRING, end);
      }
      case COMMON_NAME, LOCALITY, STATE_OR_PROVINCE, ORGANIZATION, ORGANIZATIONAL_UNIT -> {
        out.octets(Strings.toUTF8ByteArray(attribute.value()));
        out.header(UTF8_STRING, end);
      }
    }
  }

  /**
   * TeletexString, BMPString and UniversalString are refused: their mapping is ambiguous, as is
   * that of octets from 128 in strings of ASCII. Characters beyond PrintableString in one (the
   * asterisk of many a request) are taken: they are unambiguous, and the certificate says them in
   * UTF-8.
   */
  private static String textOf(ASN1Encodable value, NameAttribute type) throws DerException {
    if (value instanceof ASN1UTF8String utf8) {
      return utf8.getString();
    }
    if (value instanceof ASN1PrintableString || value instanceof ASN1IA5String) {
      String text = ((ASN1String) value).getString();
      for (int i = 0; i < text.length(); i++) {
        if (text.charAt(i) > ASCII_MAX) {
          throw new DerException(
              Kind.NAME_NOT_SUPPORTED,
              "name attribute " + type.shortName() + " with octets outside ASCII");
        }
      }
      return text;
    }
    throw new DerException(
        Kind.NAME_NOT_SUPPORTED,
        "name attribute " + type.shortName() + " of an unsupported string type");
  }
}
