package org.sluiceca.core.der;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.pkcs.Attribute;
import org.bouncycastle.asn1.pkcs.CertificationRequestInfo;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.sluiceca.core.der.DerScan.Element;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.OctetString;

/** Reads certification requests (RFC 2986 4). Verifies nothing. Thread-safe. */
public final class CsrReader {

  /**
   * szOID_CERT_EXTENSIONS, which asks for extensions as extensionRequest does: overlooking it would
   * drop them without a word.
   */
  private static final ASN1ObjectIdentifier MICROSOFT_EXTENSIONS =
      new ASN1ObjectIdentifier("1.3.6.1.4.1.311.2.1.14");

  /** Windows' requests have five or six; none has a reason for more. */
  private static final int ATTRIBUTES_MAX = 16;

  /** {@link ExtensionOids} has twelve, RFC 5280 sixteen. */
  private static final int EXTENSIONS_MAX = 32;

  private static final String WHAT = "certification request";

  /** The field's place: version, subject, subjectPKInfo (RFC 2986 4.1). */
  private static final int PUBLIC_KEY = 2;

  /** [0] IMPLICIT SET. */
  private static final int ATTRIBUTES = 0xA0;

  private CsrReader() {}

  /** Reads a request; {@link DerException} names what is wrong with it, without its content. */
  public static CertificationRequest read(CsrDer csr) throws DerException {
    byte[] encoded = csr.encoded();
    return StrictDer.read(
        WHAT,
        encoded,
        p -> {
          var request = org.bouncycastle.asn1.pkcs.CertificationRequest.getInstance(p);
          List<Element> parts = DerScan.elements(WHAT, encoded);
          // The library overlooks elements behind those it expects; written anew, they are gone.
          // Where the octets themselves differ they may as well be no DER, which is told as such.
          if (!isUsual(parts)
              && !StrictDer.isEncodedAs(request, encoded)
              && !StrictDer.isEncodedAs(request, p.getEncoded(ASN1Encoding.DER))) {
            throw new DerException("certification request with superfluous elements");
          }
          return of(request, parts.getFirst());
        });
  }

  /**
   * Returns whether everything in a request is sure to have been read (RFC 2986 4): the library
   * takes three parts, and of the first three fields and the attributes, whose order need not be
   * looked at if there is one at most. Below these it overlooks nothing.
   */
  private static boolean isUsual(List<Element> parts) throws DerException {
    if (parts.size() != 3) {
      return false;
    }
    List<Element> fields = parts.getFirst().elements(WHAT);
    return fields.size() == 4
        && fields.getLast().tag() == ATTRIBUTES
        && fields.getLast().elements(WHAT).size() <= 1;
  }

  /** Reads the names of a subjectAltName extension's value (RFC 5280 4.2.1.6). */
  public static List<GeneralName> subjectAltNames(Extension extension) throws DerException {
    return GeneralNames.read(extension.value());
  }

  private static CertificationRequest of(
      org.bouncycastle.asn1.pkcs.CertificationRequest csr, Element signed)
      throws IOException, DerException {
    CertificationRequestInfo info = csr.getCertificationRequestInfo();
    // RFC 2986 4.1: version is v1(0).
    if (!info.getVersion().hasValue(0)) {
      throw new DerException("certification request of an unknown version");
    }
    if (csr.getSignature().getPadBits() != 0) {
      throw new DerException("signature with unused bits");
    }
    return new CertificationRequest(
        NameCodec.of(info.getSubject()),
        PublicKeyReader.of(
            info.getSubjectPublicKeyInfo(), signed.elements(WHAT).get(PUBLIC_KEY).encoded()),
        requestedExtensions(info.getAttributes()),
        OctetString.copyOf(signed.encoded()),
        AlgorithmIdentifiers.read(csr.getSignatureAlgorithm()),
        OctetString.copyOf(csr.getSignature().getOctets()));
  }

  private static List<Extension> requestedExtensions(ASN1Set attributes) throws DerException {
    List<Extension> extensions = new ArrayList<>();
    if (attributes == null) {
      return extensions;
    }
    if (attributes.size() > ATTRIBUTES_MAX) {
      throw new DerException(
          String.format(
              Locale.ROOT, "%d attributes, allowed %d", attributes.size(), ATTRIBUTES_MAX));
    }
    Set<String> types = new HashSet<>();
    for (ASN1Encodable element : attributes) {
      if (ASN1Sequence.getInstance(element).size() != 2) {
        throw new DerException("attribute with superfluous elements");
      }
      Attribute attribute = Attribute.getInstance(element);
      // RFC 2986 4.1 by X.501 9.3: each type once; RFC 2985 5.4.2: extensionRequest is SINGLE
      // VALUE.
      if (!types.add(attribute.getAttrType().getId())) {
        throw new DerException("more than one attribute " + attribute.getAttrType().getId());
      }
      if (attribute.getAttrType().equals(MICROSOFT_EXTENSIONS)) {
        throw new DerException("extensions in Microsoft's attribute, not in extensionRequest");
      }
      if (!attribute.getAttrType().equals(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest)) {
        continue; // challengePassword and its like ask nothing of the certificate.
      }
      if (attribute.getAttrValues().size() != 1) {
        throw new DerException("extensionRequest without exactly one value");
      }
      extensions.addAll(read(ASN1Sequence.getInstance(attribute.getAttrValues().getObjectAt(0))));
    }
    return extensions;
  }

  /** RFC 5280 4.1: Extensions is SEQUENCE SIZE (1..MAX), and 4.2: none comes twice. */
  private static List<Extension> read(ASN1Sequence requested) throws DerException {
    if (requested.size() == 0 || requested.size() > EXTENSIONS_MAX) {
      throw new DerException(
          String.format(
              Locale.ROOT,
              "%d requested extensions, allowed 1 to %d",
              requested.size(),
              EXTENSIONS_MAX));
    }
    List<Extension> extensions = new ArrayList<>();
    Set<String> oids = new HashSet<>();
    for (ASN1Encodable element : requested) {
      Extension extension =
          ExtensionReader.of(org.bouncycastle.asn1.x509.Extension.getInstance(element));
      if (!oids.add(extension.oid())) {
        throw new DerException("extension " + extension.oid() + " requested more than once");
      }
      // X.690 11.5: critical is DEFAULT FALSE, and a default is not written.
      if (ASN1Sequence.getInstance(element).size() == 3 && !extension.isCritical()) {
        throw new DerException("extension " + extension.oid() + " with critical FALSE written");
      }
      if (extension.oid().equals(ExtensionOids.SUBJECT_ALT_NAME)) {
        GeneralNames.checkCount(extension.value());
      }
      extensions.add(extension);
    }
    return extensions;
  }
}
