package org.sluiceca.core.der;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.pkcs.Attribute;
import org.bouncycastle.asn1.pkcs.CertificationRequestInfo;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
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

  private CsrReader() {}

  /** Reads a request; {@link DerException} names what is wrong with it, without its content. */
  public static CertificationRequest read(CsrDer csr) throws DerException {
    return StrictDer.read(
        "certification request",
        csr.encoded(),
        p -> {
          var request = org.bouncycastle.asn1.pkcs.CertificationRequest.getInstance(p);
          // The library overlooks elements behind those it expects; written anew, they are gone.
          if (!Arrays.equals(
              request.getEncoded(ASN1Encoding.DER), p.getEncoded(ASN1Encoding.DER))) {
            throw new DerException("certification request with superfluous elements");
          }
          return of(request);
        });
  }

  /** Reads the names of a subjectAltName extension's value (RFC 5280 4.2.1.6). */
  public static List<GeneralName> subjectAltNames(Extension extension) throws DerException {
    return StrictDer.read("subjectAltName", extension.value(), GeneralNames::read);
  }

  private static CertificationRequest of(org.bouncycastle.asn1.pkcs.CertificationRequest csr)
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
        PublicKeyReader.of(info.getSubjectPublicKeyInfo()),
        requestedExtensions(info.getAttributes()),
        OctetString.copyOf(info.getEncoded(ASN1Encoding.DER)),
        AlgorithmIdentifiers.read(csr.getSignatureAlgorithm()),
        OctetString.copyOf(csr.getSignature().getOctets()));
  }

  private static List<Extension> requestedExtensions(ASN1Set attributes)
      throws DerException, IOException {
    List<Extension> extensions = new ArrayList<>();
    boolean seen = false;
    if (attributes == null) {
      return extensions;
    }
    for (int i = 0; i < attributes.size(); i++) {
      Attribute attribute = Attribute.getInstance(attributes.getObjectAt(i));
      if (attribute.getAttrType().equals(MICROSOFT_EXTENSIONS)) {
        throw new DerException("extensions in Microsoft's attribute, not in extensionRequest");
      }
      if (!attribute.getAttrType().equals(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest)) {
        continue; // challengePassword and its like ask nothing of the certificate.
      }
      // RFC 2985 5.4.2: extensionRequest is SINGLE VALUE.
      if (seen || attribute.getAttrValues().size() != 1) {
        throw new DerException("more than one extensionRequest");
      }
      seen = true;
      extensions.addAll(read(attribute.getAttrValues()));
    }
    return extensions;
  }

  private static List<Extension> read(ASN1Set values) throws IOException {
    var requested = org.bouncycastle.asn1.x509.Extensions.getInstance(values.getObjectAt(0));
    List<Extension> extensions = new ArrayList<>();
    for (ASN1ObjectIdentifier oid : requested.getExtensionOIDs()) {
      extensions.add(ExtensionReader.of(requested.getExtension(oid)));
    }
    return extensions;
  }
}
