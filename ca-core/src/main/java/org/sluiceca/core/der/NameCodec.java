package org.sluiceca.core.der;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.bouncycastle.asn1.ASN1BMPString;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1IA5String;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
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
import org.sluiceca.core.x509.OidNames;

/**
 * Reads and writes distinguished names (RFC 5280 4.1.2.4, 4.1.2.6): each attribute in the string
 * type that {@link NameAttribute} gives it. Thread-safe.
 */
public final class NameCodec {

  private static final int ASCII_MAX = 0x7F;

  private static final int UTF8_STRING = 0x0C;
  private static final int PRINTABLE_STRING = 0x13;
  private static final int IA5_STRING = 0x16;
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

  /**
   * A subject as a request has it.
   *
   * @param restated types of attributes that {@code name} states in another way than the request
   */
  record Requested(DistinguishedName name, List<NameAttribute> restated) {}

  /**
   * Reads a requested subject, which the certificate states again in this CA's own form: an
   * attribute without a value says nothing and is left out, and each attribute of a multi-valued
   * relative name (two organizations of a Go client) gets a relative name of its own.
   */
  static Requested requested(byte[] name) throws DerException {
    return StrictDer.read(
        "subject",
        name,
        p -> {
          List<Attribute> attributes = new ArrayList<>();
          Set<NameAttribute> restated = EnumSet.noneOf(NameAttribute.class);
          for (RDN rdn : X500Name.getInstance(p).getRDNs()) {
            for (Attribute attribute : attributes(rdn)) {
              if (rdn.isMultiValued() || attribute.value().isEmpty()) {
                restated.add(attribute.type());
              }
              if (!attribute.value().isEmpty()) {
                attributes.add(attribute);
              }
            }
          }
          return new Requested(new DistinguishedName(attributes), List.copyOf(restated));
        });
  }

  static DistinguishedName of(X500Name name) throws DerException {
    List<Attribute> attributes = new ArrayList<>();
    for (RDN rdn : name.getRDNs()) {
      if (rdn.isMultiValued()) {
        throw new DerException(Kind.NAME_NOT_SUPPORTED, "name with a multi-valued relative name");
      }
      attributes.addAll(attributes(rdn));
    }
    return new DistinguishedName(attributes);
  }

  private static List<Attribute> attributes(RDN rdn) throws DerException {
    if (rdn.size() == 0) {
      throw new DerException("name with an empty relative name");
    }
    List<Attribute> attributes = new ArrayList<>(rdn.size());
    for (ASN1Encodable element : ASN1Set.getInstance(rdn.toASN1Primitive())) {
      ASN1Sequence pair = ASN1Sequence.getInstance(element);
      if (pair.size() != 2) {
        throw new DerException("name attribute with superfluous elements");
      }
      String oid = ASN1ObjectIdentifier.getInstance(pair.getObjectAt(0)).getId();
      NameAttribute type =
          NameAttribute.ofOid(oid)
              .orElseThrow(
                  () ->
                      new DerException(
                          Kind.NAME_NOT_SUPPORTED,
                          String.format(
                              Locale.ROOT,
                              "name attribute %s is not one that a profile can allow",
                              OidNames.shown(oid))));
      attributes.add(new Attribute(type, textOf(pair.getObjectAt(1), type)));
    }
    return attributes;
  }

  private static void writeValue(DerWriter out, Attribute attribute) {
    int end = out.written();
    switch (attribute.type().stringType()) {
      case PRINTABLE -> {
        if (!ASN1PrintableString.isPrintableString(attribute.value())) {
          throw new IllegalArgumentException(attribute.type() + " outside PrintableString");
        }
        out.ascii(attribute.value());
        out.header(PRINTABLE_STRING, end);
      }
      case IA5 -> {
        out.ascii(attribute.value());
        out.header(IA5_STRING, end);
      }
      case UTF8 -> {
        out.octets(Strings.toUTF8ByteArray(attribute.value()));
        out.header(UTF8_STRING, end);
      }
    }
  }

  /**
   * TeletexString and UniversalString are refused: the mapping of the one is ambiguous, the other
   * is out of use. So are octets from 128 in strings of ASCII. Characters beyond PrintableString in
   * one (the asterisk of many a request) are taken, and so is a BMPString of characters of the
   * basic plane: they are unambiguous, and the certificate writes them in UTF-8.
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
    if (value instanceof ASN1BMPString bmp) {
      String text = bmp.getString();
      if (text.chars().anyMatch(c -> Character.isSurrogate((char) c))) {
        throw new DerException(
            Kind.NAME_NOT_SUPPORTED,
            "name attribute " + type.shortName() + " as BMPString with a surrogate");
      }
      return text;
    }
    throw new DerException(
        Kind.NAME_NOT_SUPPORTED,
        String.format(
            Locale.ROOT,
            "name attribute %s of an unsupported string type: use UTF8String or PrintableString",
            type.shortName()));
  }
}
