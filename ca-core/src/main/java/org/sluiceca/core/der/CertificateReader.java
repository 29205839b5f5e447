package org.sluiceca.core.der;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.x509.Certificate;
import org.bouncycastle.asn1.x509.TBSCertificate;
import org.bouncycastle.asn1.x509.Time;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.TbsCertificateDer;
import org.sluiceca.core.x509.Validity;

/** Reads certificates and TBSCertificates back, strictly. Verifies no signature. Thread-safe. */
public final class CertificateReader {

  private static final ASN1ObjectIdentifier SUBJECT_ALT_NAME =
      new ASN1ObjectIdentifier(ExtensionOids.SUBJECT_ALT_NAME);

  private CertificateReader() {}

  /** Reads the fields of a TBSCertificate. */
  public static TbsCertificate read(TbsCertificateDer tbs) throws DerException {
    return StrictDer.read("TBSCertificate", tbs.encoded(), p -> of(TBSCertificate.getInstance(p)));
  }

  /**
   * Reads only the validity of a TBSCertificate that this CA wrote: the rest is not parsed, so this
   * says nothing about it.
   */
  public static Validity validity(TbsCertificateDer tbs) throws DerException {
    return StrictDer.peek(
        "TBSCertificate",
        tbs.encoded(),
        p -> {
          // version, serialNumber, signature, issuer, validity (RFC 5280 4.1).
          ASN1Sequence times = ASN1Sequence.getInstance(ASN1Sequence.getInstance(p).getObjectAt(4));
          return new Validity(
              Times.read(Time.getInstance(times.getObjectAt(0))),
              Times.read(Time.getInstance(times.getObjectAt(1))));
        });
  }

  /**
   * Reads only the names of a TBSCertificate that this CA wrote, without its public key: the rest
   * is not judged.
   */
  public static CertifiedNames names(TbsCertificateDer tbs) throws DerException {
    return StrictDer.peek(
        "TBSCertificate",
        tbs.encoded(),
        p -> {
          TBSCertificate fields = TBSCertificate.getInstance(p);
          org.bouncycastle.asn1.x509.Extension alternatives =
              fields.getExtensions() == null
                  ? null
                  : fields.getExtensions().getExtension(SUBJECT_ALT_NAME);
          return new CertifiedNames(
              NameCodec.of(fields.getSubject()),
              alternatives == null
                  ? List.of()
                  : GeneralNames.read(alternatives.getExtnValue().getOctets()));
        });
  }

  /** Splits a certificate into its signed fields and its signature. */
  public static SignedCertificate read(CertificateDer certificate) throws DerException {
    return StrictDer.read(
        "certificate", certificate.encoded(), p -> of(Certificate.getInstance(p)));
  }

  private static SignedCertificate of(Certificate certificate) throws DerException, IOException {
    return new SignedCertificate(
        TbsCertificateDer.of(certificate.getTBSCertificate().getEncoded(ASN1Encoding.DER)),
        of(certificate.getTBSCertificate()),
        AlgorithmIdentifiers.read(certificate.getSignatureAlgorithm()),
        OctetString.copyOf(certificate.getSignature().getOctets()));
  }

  private static TbsCertificate of(TBSCertificate tbs) throws DerException, IOException {
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
        NameCodec.derOf(tbs.getIssuer()),
        new Validity(Times.read(tbs.getStartDate()), Times.read(tbs.getEndDate())),
        NameCodec.derOf(tbs.getSubject()),
        PublicKeyReader.of(tbs.getSubjectPublicKeyInfo()),
        extensions);
  }
}
