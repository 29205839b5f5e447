package org.sluiceca.core.der;

import java.util.List;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.pkcs.Attribute;
import org.bouncycastle.asn1.pkcs.CertificationRequestInfo;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.sluiceca.core.x509.CsrDer;
import org.sluiceca.core.x509.Extension;
import org.sluiceca.core.x509.NameDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/** Writes certification requests (RFC 2986 4) for keys of the CA's own. Thread-safe. */
public final class CsrWriter {

  private CsrWriter() {}

  /** Writes the certificationRequestInfo, which the key of the request then signs. */
  public static OctetString write(
      NameDer subject, SubjectPublicKeyInfo key, List<Extension> extensions) {
    ExtensionsGenerator requested = new ExtensionsGenerator();
    for (Extension extension : extensions) {
      requested.addExtension(
          new org.bouncycastle.asn1.x509.Extension(
              new ASN1ObjectIdentifier(extension.oid()),
              extension.isCritical(),
              new DEROctetString(extension.value())));
    }
    ASN1EncodableVector attributes = new ASN1EncodableVector();
    if (!extensions.isEmpty()) {
      attributes.add(
          new Attribute(
              PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, new DERSet(requested.generate())));
    }
    return OctetString.copyOf(
        Encodings.der(
            new CertificationRequestInfo(
                X500Name.getInstance(subject.encoded()),
                org.bouncycastle.asn1.x509.SubjectPublicKeyInfo.getInstance(key.encoded()),
                new DERSet(attributes))));
  }

  /** Assembles the request from the signed certificationRequestInfo and the signature. */
  public static CsrDer assemble(
      OctetString signed, SignatureAlgorithm algorithm, OctetString signature) {
    return CsrDer.of(
        SignedStructure.write(
            signed.octets(),
            Encodings.der(AlgorithmIdentifiers.of(algorithm)),
            Encodings.der(new DERBitString(signature.octets()))));
  }
}
