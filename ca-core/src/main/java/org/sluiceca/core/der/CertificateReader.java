package org.sluiceca.core.der;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x509.Certificate;
import org.bouncycastle.asn1.x509.TBSCertificate;
import org.sluiceca.core.der.DerScan.Element;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.GeneralName;
import org.sluiceca.core.x509.NameDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.TbsCertificateDer;
import org.sluiceca.core.x509.Validity;

/** Reads certificates and TBSCertificates back, strictly. Verifies no signature. Thread-safe. */
public final class CertificateReader {

  private static final byte[] SUBJECT_ALT_NAME =
      Encodings.der(new ASN1ObjectIdentifier(ExtensionOids.SUBJECT_ALT_NAME));

  private static final String WHAT = "TBSCertificate";

  /** The fields' places of version 3 (RFC 5280 4.1), version itself being the first. */
  private static final int ISSUER = 3;

  private static final int VALIDITY = 4;
  private static final int SUBJECT = 5;
  private static final int PUBLIC_KEY = 6;

  /** [3] EXPLICIT. */
  private static final int EXTENSIONS = 0xA3;

  private CertificateReader() {}

  /** Reads the fields of a TBSCertificate. */
  public static TbsCertificate read(TbsCertificateDer tbs) throws DerException {
    byte[] encoded = tbs.encoded();
    return StrictDer.read(
        WHAT, encoded, p -> of(TBSCertificate.getInstance(p), DerScan.elements(WHAT, encoded)));
  }

  /**
   * Reads only the validity of a TBSCertificate that this CA wrote: the rest is not parsed, so this
   * says nothing about it.
   */
  public static Validity validity(TbsCertificateDer tbs) throws DerException {
    return validity(field(fields(tbs), VALIDITY));
  }

  /**
   * Reads only the names of a TBSCertificate that this CA wrote, without its public key: the rest
   * is not judged.
   */
  public static CertifiedNames names(TbsCertificateDer tbs) throws DerException {
    List<Element> fields = fields(tbs);
    List<GeneralName> alternatives = List.of();
    for (Element field : fields) {
      if (field.tag() == EXTENSIONS) {
        for (Element extension : field(field.elements(WHAT), 0).elements(WHAT)) {
          List<Element> parts = extension.elements(WHAT);
          if (Arrays.equals(field(parts, 0).encoded(), SUBJECT_ALT_NAME)) {
            if (!alternatives.isEmpty()) {
              throw new DerException(WHAT + " with two subjectAltNames");
            }
            alternatives = GeneralNames.read(parts.getLast().content());
          }
        }
      }
    }
    return new CertifiedNames(
        NameCodec.read(NameDer.of(field(fields, SUBJECT).encoded())), alternatives);
  }

  /** Returns the octets of the subjectPublicKeyInfo; the rest is not judged. */
  static byte[] publicKey(TbsCertificateDer tbs) throws DerException {
    return field(fields(tbs), PUBLIC_KEY).encoded();
  }

  private static List<Element> fields(TbsCertificateDer tbs) throws DerException {
    byte[] encoded = tbs.encoded();
    if (encoded.length == 0 || encoded[0] != Encodings.SEQUENCE) {
      throw new DerException(WHAT + " is no SEQUENCE");
    }
    return DerScan.elements(WHAT, encoded);
  }

  private static Element field(List<Element> fields, int place) throws DerException {
    if (fields.size() <= place) {
      throw new DerException(WHAT + " with a part missing");
    }
    return fields.get(place);
  }

  private static Validity validity(Element field) throws DerException {
    List<Element> times = field.elements(WHAT);
    Instant notBefore = Times.read(field(times, 0).encoded());
    Instant notAfter = Times.read(field(times, 1).encoded());
    try {
      return new Validity(notBefore, notAfter);
    } catch (IllegalArgumentException e) {
      throw new DerException(WHAT + " is malformed", e);
    }
  }

  /** Splits a certificate into its signed fields and its signature. */
  public static SignedCertificate read(CertificateDer certificate) throws DerException {
    return StrictDer.read(
        "certificate", certificate.encoded(), p -> of(Certificate.getInstance(p)));
  }

  private static SignedCertificate of(Certificate certificate) throws DerException, IOException {
    byte[] tbs = certificate.getTBSCertificate().getEncoded(ASN1Encoding.DER);
    return new SignedCertificate(
        TbsCertificateDer.of(tbs),
        of(certificate.getTBSCertificate(), DerScan.elements(WHAT, tbs)),
        AlgorithmIdentifiers.read(certificate.getSignatureAlgorithm()),
        OctetString.copyOf(certificate.getSignature().getOctets()));
  }

  /** Takes names and key over from the octets that the library has read. */
  private static TbsCertificate of(TBSCertificate tbs, List<Element> fields)
      throws DerException, IOException {
    if (tbs.getVersionNumber() != 3) {
      throw new DerException("certificate of version " + tbs.getVersionNumber());
    }
    List<Extension> extensions = new ArrayList<>();
    if (tbs.getExtensions() != null) {
      for (ASN1ObjectIdentifier oid : tbs.getExtensions().getExtensionOIDs()) {
        extensions.add(ExtensionReader.of(tbs.getExtensions().getExtension(oid)));
      }
    }
    return new TbsCertificate(
        OctetString.copyOf(tbs.getSerialNumber().getValue().toByteArray()),
        AlgorithmIdentifiers.read(tbs.getSignature()),
        NameDer.of(field(fields, ISSUER).encoded()),
        validity(field(fields, VALIDITY)),
        NameDer.of(field(fields, SUBJECT).encoded()),
        PublicKeyReader.of(tbs.getSubjectPublicKeyInfo(), field(fields, PUBLIC_KEY).encoded()),
        extensions);
  }
}
