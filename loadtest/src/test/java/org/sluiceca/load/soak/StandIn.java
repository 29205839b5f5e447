package org.sluiceca.load.soak;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1GeneralizedTime;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.ocsp.BasicOCSPResponse;
import org.bouncycastle.asn1.ocsp.CertID;
import org.bouncycastle.asn1.ocsp.CertStatus;
import org.bouncycastle.asn1.ocsp.OCSPObjectIdentifiers;
import org.bouncycastle.asn1.ocsp.OCSPRequest;
import org.bouncycastle.asn1.ocsp.OCSPResponse;
import org.bouncycastle.asn1.ocsp.OCSPResponseStatus;
import org.bouncycastle.asn1.ocsp.Request;
import org.bouncycastle.asn1.ocsp.ResponderID;
import org.bouncycastle.asn1.ocsp.ResponseBytes;
import org.bouncycastle.asn1.ocsp.ResponseData;
import org.bouncycastle.asn1.ocsp.SingleResponse;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.CRLNumber;
import org.bouncycastle.asn1.x509.Certificate;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.IssuingDistributionPoint;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x509.Time;
import org.bouncycastle.asn1.x509.V2TBSCertListGenerator;
import org.bouncycastle.asn1.x509.V3TBSCertificateGenerator;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/** Who answers in a node's place, with true signatures, and leaves out what a test wants. */
final class StandIn {

  private static final X500Name NAME = new X500Name("CN=stand-in");
  private static final AlgorithmIdentifier ALGORITHM =
      new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA256);
  private static final Instant FROM = Instant.parse("2026-11-22T12:00:00Z");
  private static final Instant TO = FROM.plusSeconds(3_600);

  private final KeyPair keys;

  /** What of an OCSP response is left out. */
  enum Lack {
    NOTHING,
    NEXT_UPDATE,
    RESPONSES,
    CERTIFICATES
  }

  StandIn() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      keys = generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** A moment in which all that it signs holds. */
  static Instant now() {
    return FROM.plusSeconds(10);
  }

  /** Its own certificate, which names no CRL. */
  X509Certificate issuer() {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(certificate()));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** The same as DER; its key may sign OCSP responses too. */
  byte[] certificate() {
    V3TBSCertificateGenerator tbs = new V3TBSCertificateGenerator();
    tbs.setSerialNumber(new ASN1Integer(BigInteger.ONE));
    tbs.setIssuer(NAME);
    tbs.setSubject(NAME);
    tbs.setStartDate(new Time(Date.from(FROM)));
    tbs.setEndDate(new Time(Date.from(TO)));
    tbs.setSubjectPublicKeyInfo(SubjectPublicKeyInfo.getInstance(keys.getPublic().getEncoded()));
    tbs.setSignature(ALGORITHM);
    tbs.setExtensions(
        extensions(
            Extension.extendedKeyUsage, new ExtendedKeyUsage(KeyPurposeId.id_kp_OCSPSigning)));
    return der(signed(tbs.generateTBSCertificate()));
  }

  /** A complete CRL of the scope at {@code path}, with no entry. */
  byte[] crl(String path, Optional<Instant> nextUpdate) {
    GeneralName point = new GeneralName(GeneralName.uniformResourceIdentifier, "http://x" + path);
    V2TBSCertListGenerator tbs = new V2TBSCertListGenerator();
    tbs.setIssuer(NAME);
    // Issued at FROM: thisUpdate lies back by the allowance for clocks.
    tbs.setThisUpdate(new Time(Date.from(FROM.minus(Duration.ofMinutes(5)))));
    nextUpdate.ifPresent(at -> tbs.setNextUpdate(new Time(Date.from(at))));
    tbs.setSignature(ALGORITHM);
    tbs.setExtensions(
        extensions(
            Extension.issuingDistributionPoint,
            new IssuingDistributionPoint(
                new DistributionPointName(new GeneralNames(point)),
                false,
                false,
                null,
                false,
                false)));
    return der(signed(tbs.generateTBSCertList()));
  }

  /** The answer "good" to a request of one certificate. */
  byte[] good(byte[] request, Lack lack) {
    CertID asked =
        Request.getInstance(
                OCSPRequest.getInstance(request).getTbsRequest().getRequestList().getObjectAt(0))
            .getReqCert();
    ASN1GeneralizedTime from = new ASN1GeneralizedTime(Date.from(FROM));
    SingleResponse single =
        new SingleResponse(
            asked,
            new CertStatus(),
            from,
            lack == Lack.NEXT_UPDATE ? null : new ASN1GeneralizedTime(Date.from(TO)),
            (Extensions) null);
    ResponseData told =
        new ResponseData(
            new ResponderID(NAME),
            from,
            lack == Lack.RESPONSES ? new DERSequence() : new DERSequence(single),
            (Extensions) null);
    BasicOCSPResponse basic =
        new BasicOCSPResponse(
            told,
            ALGORITHM,
            signature(told),
            lack == Lack.CERTIFICATES
                ? null
                : new DERSequence(Certificate.getInstance(certificate())));
    return der(
        new OCSPResponse(
            new OCSPResponseStatus(OCSPResponseStatus.SUCCESSFUL),
            new ResponseBytes(
                OCSPObjectIdentifiers.id_pkix_ocsp_basic, new DEROctetString(der(basic)))));
  }

  private static Extensions extensions(ASN1ObjectIdentifier type, ASN1Encodable value) {
    try {
      ExtensionsGenerator extensions = new ExtensionsGenerator();
      extensions.addExtension(type, false, value);
      extensions.addExtension(Extension.cRLNumber, false, new CRLNumber(BigInteger.TEN));
      return extensions.generate();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private DERSequence signed(ASN1Encodable tbs) {
    return new DERSequence(new ASN1Encodable[] {tbs, ALGORITHM, signature(tbs)});
  }

  private DERBitString signature(ASN1Encodable tbs) {
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(keys.getPrivate());
      signature.update(der(tbs));
      return new DERBitString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] der(ASN1Encodable value) {
    try {
      return value.toASN1Primitive().getEncoded(ASN1Encoding.DER);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
