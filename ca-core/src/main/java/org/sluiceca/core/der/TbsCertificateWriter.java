package org.sluiceca.core.der;

import java.io.IOException;
import java.math.BigInteger;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERTaggedObject;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.NameDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.TbsCertificateDer;
import org.sluiceca.core.x509.Validity;

/** Writes TBSCertificates and assembles certificates (RFC 5280 4.1). Thread-safe. */
public final class TbsCertificateWriter {

  private static final ASN1Integer VERSION_3 = new ASN1Integer(2);

  private TbsCertificateWriter() {}

  /** Writes the fields; equal fields give equal bytes. */
  public static TbsCertificateDer write(TbsCertificate fields) {
    ASN1EncodableVector tbs = new ASN1EncodableVector();
    tbs.add(new DERTaggedObject(true, 0, VERSION_3));
    tbs.add(new ASN1Integer(new BigInteger(1, fields.serialNumber().octets())));
    tbs.add(AlgorithmIdentifiers.of(fields.signatureAlgorithm()));
    tbs.add(nameOf(fields.issuer()));
    tbs.add(validityOf(fields.validity()));
    tbs.add(nameOf(fields.subject()));
    tbs.add(
        org.bouncycastle.asn1.x509.SubjectPublicKeyInfo.getInstance(
            fields.subjectPublicKeyInfo().encoded()));
    ExtensionsGenerator extensions = new ExtensionsGenerator();
    for (Extension extension : fields.extensions()) {
      extensions.addExtension(
          new org.bouncycastle.asn1.x509.Extension(
              new ASN1ObjectIdentifier(extension.oid()),
              extension.isCritical(),
              new DEROctetString(extension.value())));
    }
    tbs.add(new DERTaggedObject(true, 3, extensions.generate()));
    return TbsCertificateDer.of(Encodings.der(new DERSequence(tbs)));
  }

  /**
   * Puts the signature beside the signed bytes, which are taken over unchanged.
   *
   * @param signature the signatureValue's octets (RFC 5280 4.1.1.3)
   */
  public static CertificateDer assemble(
      TbsCertificateDer tbs, SignatureAlgorithm algorithm, OctetString signature) {
    return CertificateDer.of(
        SignedStructure.write(
            tbs.encoded(),
            Encodings.der(AlgorithmIdentifiers.of(algorithm)),
            Encodings.der(new DERBitString(signature.octets()))));
  }

  private static ASN1Encodable nameOf(NameDer name) {
    return X500Name.getInstance(name.encoded());
  }

  private static ASN1Encodable validityOf(Validity validity) {
    ASN1EncodableVector times = new ASN1EncodableVector();
    try {
      times.add(Times.write(validity.notBefore()));
      times.add(Times.write(validity.notAfter()));
    } catch (IOException e) {
      throw new IllegalStateException("a Time of our own does not parse", e);
    }
    return new DERSequence(times);
  }
}
