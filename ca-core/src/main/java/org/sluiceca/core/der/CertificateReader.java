package org.sluiceca.core.der;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x509.Certificate;
import org.bouncycastle.asn1.x509.TBSCertificate;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.TbsCertificateDer;
import org.sluiceca.core.x509.Validity;

/** Reads certificates and TBSCertificates back, strictly. Verifies no signature. Thread-safe. */
public final class CertificateReader {

  private CertificateReader() {}

  /** Reads the fields of a TBSCertificate. */
  public static TbsCertificate read(TbsCertificateDer tbs) throws DerException {
    return StrictDer.read("TBSCertificate", tbs.encoded(), p -> of(TBSCertificate.getInstance(p)));
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
        new Validity(
            tbs.getStartDate().getDate().toInstant(), tbs.getEndDate().getDate().toInstant()),
        NameCodec.derOf(tbs.getSubject()),
        PublicKeyReader.of(tbs.getSubjectPublicKeyInfo()),
        extensions);
  }
}
