package org.sluiceca.core.der;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.sluiceca.core.der.DerScan.Element;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.OidNames;

/**
 * Reads certification requests (RFC 2986 4). Verifies nothing. Thread-safe.
 *
 * <p>Strict DER is demanded of what is certified: the subject, the key and the subjectAltName.
 * Everything else only has to be well formed (tags, lengths, bounds), because the certificate is
 * written from the profile: attributes may stand in any order, ignored ones may hold anything, and
 * a default may be written out. The signature is verified over the octets as they came.
 */
public final class CsrReader {

  /** Windows' requests have five or six; none has a reason for more. */
  private static final int ATTRIBUTES_MAX = 16;

  /** {@link ExtensionOids} has twelve, RFC 5280 sixteen. */
  private static final int EXTENSIONS_MAX = 32;

  private static final String EXTENSION_REQUEST = "1.2.840.113549.1.9.14";

  /**
   * szOID_CERT_EXTENSIONS, which asks for extensions as extensionRequest does. Windows writes the
   * one or the other, or both.
   */
  private static final String MICROSOFT_EXTENSIONS = "1.3.6.1.4.1.311.2.1.14";

  private static final String WHAT = "certification request";

  /** The fields' places: version, subject, subjectPKInfo, attributes (RFC 2986 4.1). */
  private static final int VERSION = 0;

  private static final int SUBJECT = 1;
  private static final int PUBLIC_KEY = 2;
  private static final int ATTRIBUTES = 3;

  /** [0] IMPLICIT SET. */
  private static final int ATTRIBUTES_TAG = 0xA0;

  private static final int BOOLEAN = 0x01;
  private static final int SET = 0x31;

  private CsrReader() {}

  /** Reads a request; {@link DerException} names what is wrong with it, without its content. */
  public static CertificationRequest read(CsrDer csr) throws DerException {
    List<Element> parts = fields(DerScan.whole(WHAT, csr.encoded()), 3, 3);
    Element signed = parts.getFirst();
    List<Element> fields = fields(signed, 3, 4);
    byte[] version = fields.get(VERSION).demand(WHAT, DerWriter.INTEGER).content();
    // RFC 2986 4.1: version is v1(0).
    if (version.length != 1 || version[0] != 0) {
      throw new DerException("certification request of an unknown version");
    }
    NameCodec.Requested subject = NameCodec.requested(fields.get(SUBJECT).encoded());
    var key = PublicKeyReader.read(fields.get(PUBLIC_KEY).encoded());
    List<Extension> extensions =
        fields.size() > ATTRIBUTES ? requestedExtensions(fields.get(ATTRIBUTES)) : List.of();
    RequestSignatureReader.Algorithm algorithm = RequestSignatureReader.read(parts.get(1));
    return new CertificationRequest(
        subject.name(),
        subject.restated(),
        key,
        extensions,
        OctetString.copyOf(signed.encoded()),
        algorithm.algorithm(),
        algorithm.pssSaltOctets(),
        signature(parts.get(2)));
  }

  /** Reads the names of a subjectAltName extension's value (RFC 5280 4.2.1.6). */
  public static List<GeneralName> subjectAltNames(Extension extension) throws DerException {
    return GeneralNames.read(extension.value());
  }

  /** Reads an object identifier, in dotted form. */
  static String oid(String what, Element element) throws DerException {
    byte[] encoded = element.demand(what, DerWriter.OBJECT_IDENTIFIER).encoded();
    return StrictDer.read(what, encoded, p -> ASN1ObjectIdentifier.getInstance(p).getId());
  }

  private static List<Element> fields(Element sequence, int min, int max) throws DerException {
    List<Element> fields = sequence.elements(WHAT, DerWriter.SEQUENCE);
    if (fields.size() < min) {
      throw new DerException(
          String.format(
              Locale.ROOT,
              "certification request is malformed: %d elements where %d must be",
              fields.size(),
              min));
    }
    if (fields.size() > max) {
      throw new DerException("certification request with superfluous elements");
    }
    return fields;
  }

  private static OctetString signature(Element element) throws DerException {
    byte[] bits = element.demand(WHAT, DerWriter.BIT_STRING).content();
    if (bits.length == 0) {
      throw new DerException("certification request is malformed: signature without octets");
    }
    if (bits[0] != 0) {
      throw new DerException("signature with unused bits");
    }
    byte[] octets = new byte[bits.length - 1];
    System.arraycopy(bits, 1, octets, 0, octets.length); // X.690 8.6.2.
    return OctetString.copyOf(octets);
  }

  private static List<Extension> requestedExtensions(Element attributes) throws DerException {
    List<Element> all = attributes.elements(WHAT, ATTRIBUTES_TAG);
    if (all.size() > ATTRIBUTES_MAX) {
      throw new DerException(
          String.format(Locale.ROOT, "%d attributes, allowed %d", all.size(), ATTRIBUTES_MAX));
    }
    List<Element> requested = new ArrayList<>();
    for (Element attribute : all) {
      List<Element> pair = attribute.elements("attribute", DerWriter.SEQUENCE);
      if (pair.isEmpty()) {
        throw new DerException("attribute without a type");
      }
      String type = oid("attribute type", pair.getFirst());
      if (!type.equals(EXTENSION_REQUEST) && !type.equals(MICROSOFT_EXTENSIONS)) {
        continue; // challengePassword and its like ask nothing of the certificate.
      }
      if (pair.size() != 2) {
        throw new DerException("extensionRequest with superfluous elements");
      }
      for (Element value : pair.get(1).elements("extensionRequest", SET)) {
        requested.addAll(value.elements("extensionRequest", DerWriter.SEQUENCE));
      }
    }
    return read(requested);
  }

  /** RFC 5280 4.2: no extension comes twice. */
  private static List<Extension> read(List<Element> requested) throws DerException {
    if (requested.size() > EXTENSIONS_MAX) {
      throw new DerException(
          String.format(
              Locale.ROOT,
              "%d requested extensions, allowed %d",
              requested.size(),
              EXTENSIONS_MAX));
    }
    List<Extension> extensions = new ArrayList<>();
    Set<String> oids = new HashSet<>();
    for (Element element : requested) {
      Extension extension = extension(element.elements("requested extension", DerWriter.SEQUENCE));
      if (!oids.add(extension.oid())) {
        throw new DerException(
            String.format(
                Locale.ROOT,
                "extension %s requested more than once",
                OidNames.shown(extension.oid())));
      }
      if (extension.oid().equals(ExtensionOids.SUBJECT_ALT_NAME)) {
        GeneralNames.checkCount(extension.value());
      }
      extensions.add(extension);
    }
    return extensions;
  }

  /** RFC 5280 4.1: extnID, critical DEFAULT FALSE, extnValue. Any octet but 0 is TRUE (BER). */
  private static Extension extension(List<Element> parts) throws DerException {
    if (parts.size() != 2 && parts.size() != 3) {
      throw new DerException(
          String.format(Locale.ROOT, "requested extension of %d elements", parts.size()));
    }
    String oid = oid("requested extension", parts.getFirst());
    boolean isCritical = false;
    if (parts.size() == 3) {
      byte[] critical = parts.get(1).demand("extension " + oid, BOOLEAN).content();
      if (critical.length != 1) {
        throw new DerException(
            String.format(
                Locale.ROOT, "extension %s: critical of %d octets", oid, critical.length));
      }
      isCritical = critical[0] != 0;
    }
    byte[] value = parts.getLast().demand("extension " + oid, DerWriter.OCTET_STRING).content();
    return Extension.of(oid, isCritical, value);
  }
}
