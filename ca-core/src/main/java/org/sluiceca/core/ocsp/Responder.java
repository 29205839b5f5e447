package org.sluiceca.core.ocsp;

import org.sluiceca.core.der.CertificateReader;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.PublicKeyReader;
import org.sluiceca.core.der.TbsCertificate;
import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.NameDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;
import org.sluiceca.core.x509.Validity;

/**
 * Who signs the responses about an issuer's certificates: a key that the issuer certified for this
 * and nothing else (RFC 6960 4.2.2.2).
 *
 * @param keyHash SHA-1 of the public key, by which responses name it
 */
public record Responder(
    IssuerName issuer,
    CertificateDer certificate,
    NameDer subject,
    SubjectPublicKeyInfo subjectPublicKeyInfo,
    Validity validity,
    OctetString keyHash) {

  /** Takes a responder's certificate apart. */
  public static Responder of(IssuerName issuer, CertificateDer certificate) throws DerException {
    TbsCertificate fields = CertificateReader.read(certificate).fields();
    return new Responder(
        issuer,
        certificate,
        fields.subject(),
        fields.subjectPublicKeyInfo(),
        fields.validity(),
        IssuerHashes.digest(
            "SHA-1", PublicKeyReader.subjectPublicKey(fields.subjectPublicKeyInfo()).octets()));
  }

  /** Returns the name of the key that signs about an issuer's certificates. */
  public static KeyName keyOf(IssuerName issuer) {
    return new KeyName(issuer + ".ocsp");
  }

  SignatureAlgorithm signatureAlgorithm() {
    return SignatureAlgorithm.ofIssuer(subjectPublicKeyInfo.key());
  }
}
