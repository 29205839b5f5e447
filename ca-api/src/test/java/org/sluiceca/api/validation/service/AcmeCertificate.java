package org.sluiceca.api.validation.service;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERUTCTime;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x509.TBSCertificate;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.asn1.x509.V3TBSCertificateGenerator;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.sluiceca.api.validation.Sha256;

/** A certificate of tls-alpn-01, right unless a test makes it wrong. */
final class AcmeCertificate {

  static final char[] PASSWORD = "changeit".toCharArray();

  private static final ASN1ObjectIdentifier ACME_IDENTIFIER =
      new ASN1ObjectIdentifier("1.3.6.1.5.5.7.1.31");

  private final List<GeneralName> names = new ArrayList<>();
  private byte[] identifier =
      derOf(Sha256.of(Attempts.KEY_AUTHORIZATION.getBytes(StandardCharsets.US_ASCII)));
  private boolean hasIdentifier = true;
  private boolean critical = true;
  private String issuer = "CN=acme";
  private boolean signedByItself = true;

  static AcmeCertificate of(String... dnsNames) {
    AcmeCertificate certificate = new AcmeCertificate();
    for (String name : dnsNames) {
      certificate.names.add(new GeneralName(GeneralName.dNSName, name));
    }
    return certificate;
  }

  AcmeCertificate address(String address) {
    names.add(new GeneralName(GeneralName.iPAddress, address));
    return this;
  }

  AcmeCertificate mail(String address) {
    names.add(new GeneralName(GeneralName.rfc822Name, address));
    return this;
  }

  AcmeCertificate keyAuthorization(String other) {
    identifier = derOf(Sha256.of(other.getBytes(StandardCharsets.US_ASCII)));
    return this;
  }

  /** Puts other octets into the extension. */
  AcmeCertificate identifier(byte[] octets) {
    identifier = octets.clone();
    return this;
  }

  AcmeCertificate withoutIdentifier() {
    hasIdentifier = false;
    return this;
  }

  AcmeCertificate notCritical() {
    critical = false;
    return this;
  }

  AcmeCertificate issuer(String name) {
    issuer = name;
    return this;
  }

  AcmeCertificate signedByAnotherKey() {
    signedByItself = false;
    return this;
  }

  static byte[] derOf(byte[] digest) {
    try {
      return new DEROctetString(digest).getEncoded();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns key and certificate. */
  KeyStore build() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair pair = generator.generateKeyPair();
      KeyPair signer = signedByItself ? pair : generator.generateKeyPair();
      AlgorithmIdentifier algorithm =
          new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA256);
      TBSCertificate content = content(pair, algorithm);
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(signer.getPrivate());
      signature.update(content.getEncoded("DER"));
      ASN1EncodableVector parts = new ASN1EncodableVector();
      parts.add(content);
      parts.add(algorithm);
      parts.add(new DERBitString(signature.sign()));
      Certificate certificate =
          CertificateFactory.getInstance("X.509")
              .generateCertificate(
                  new ByteArrayInputStream(new DERSequence(parts).getEncoded("DER")));
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("acme", pair.getPrivate(), PASSWORD, new Certificate[] {certificate});
      return store;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private TBSCertificate content(KeyPair pair, AlgorithmIdentifier algorithm) throws IOException {
    V3TBSCertificateGenerator content = new V3TBSCertificateGenerator();
    content.setSerialNumber(new ASN1Integer(BigInteger.ONE));
    content.setSignature(algorithm);
    content.setIssuer(new X500Name(issuer));
    content.setSubject(new X500Name("CN=acme"));
    content.setStartDate(new Time(new DERUTCTime("200101000000Z")));
    content.setEndDate(new Time(new DERUTCTime("490101000000Z")));
    content.setSubjectPublicKeyInfo(
        SubjectPublicKeyInfo.getInstance(pair.getPublic().getEncoded()));
    List<Extension> extensions = new ArrayList<>();
    if (!names.isEmpty()) {
      extensions.add(
          new Extension(
              Extension.subjectAlternativeName,
              false,
              new GeneralNames(names.toArray(GeneralName[]::new)).getEncoded("DER")));
    }
    if (hasIdentifier) {
      extensions.add(new Extension(ACME_IDENTIFIER, critical, identifier));
    }
    content.setExtensions(new Extensions(extensions.toArray(Extension[]::new)));
    return content.generateTBSCertificate();
  }
}
