package org.sluiceca.load.soak;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.text.ParseException;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1GeneralizedTime;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.ocsp.BasicOCSPResponse;
import org.bouncycastle.asn1.ocsp.CertID;
import org.bouncycastle.asn1.ocsp.OCSPObjectIdentifiers;
import org.bouncycastle.asn1.ocsp.OCSPRequest;
import org.bouncycastle.asn1.ocsp.OCSPResponse;
import org.bouncycastle.asn1.ocsp.OCSPResponseStatus;
import org.bouncycastle.asn1.ocsp.Request;
import org.bouncycastle.asn1.ocsp.ResponseData;
import org.bouncycastle.asn1.ocsp.SingleResponse;
import org.bouncycastle.asn1.ocsp.TBSRequest;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.sluiceca.load.soak.judge.OcspJudge.Said;
import org.sluiceca.load.soak.judge.OcspJudge.Status;

/**
 * A relying party of OCSP (RFC 6960): asks about one certificate of an issuer, and verifies answers
 * and their responder by the JDK's means. Thread-safe.
 */
public final class OcspClient {

  private static final String SHA1 = "1.3.14.3.2.26";
  private static final String OCSP_SIGNING = "1.3.6.1.5.5.7.3.9";

  private final X509Certificate issuer;
  private final AlgorithmIdentifier sha1 =
      new AlgorithmIdentifier(new ASN1ObjectIdentifier(SHA1), DERNull.INSTANCE);
  private final byte[] nameHash;
  private final byte[] keyHash;

  /** Asks about certificates of {@code issuer}. */
  public OcspClient(X509Certificate issuer) throws GeneralSecurityException {
    this.issuer = issuer;
    MessageDigest digest = MessageDigest.getInstance("SHA-1");
    this.nameHash = digest.digest(issuer.getSubjectX500Principal().getEncoded());
    this.keyHash =
        digest.digest(
            SubjectPublicKeyInfo.getInstance(issuer.getPublicKey().getEncoded())
                .getPublicKeyData()
                .getBytes());
  }

  /**
   * Returns a request about a certificate (RFC 6960 4.1.1).
   *
   * @param serial in hexadecimal digits
   */
  public byte[] request(String serial) {
    try {
      TBSRequest request =
          new TBSRequest(
              null, new DERSequence(new Request(certId(serial), null)), (Extensions) null);
      return new OCSPRequest(request, null).getEncoded(ASN1Encoding.DER);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private CertID certId(String serial) {
    return new CertID(
        sha1,
        new DEROctetString(nameHash),
        new DEROctetString(keyHash),
        new ASN1Integer(new BigInteger(serial, 16)));
  }

  /**
   * Returns what an answer says of that certificate; empty if the responder asks to try later.
   *
   * @throws GeneralSecurityException if it is another's, of another certificate, or refuses
   */
  public Optional<Said> read(byte[] der, String serial, Instant at)
      throws GeneralSecurityException {
    try {
      OCSPResponse response = OCSPResponse.getInstance(der);
      int status = response.getResponseStatus().getIntValue();
      if (status == OCSPResponseStatus.TRY_LATER) {
        return Optional.empty();
      }
      if (status != OCSPResponseStatus.SUCCESSFUL
          || !OCSPObjectIdentifiers.id_pkix_ocsp_basic.equals(
              response.getResponseBytes().getResponseType())) {
        throw new GeneralSecurityException("response status " + status);
      }
      BasicOCSPResponse basic =
          BasicOCSPResponse.getInstance(response.getResponseBytes().getResponse().getOctets());
      verify(basic, at);
      ResponseData data = basic.getTbsResponseData();
      SingleResponse single = SingleResponse.getInstance(data.getResponses().getObjectAt(0));
      if (data.getResponses().size() != 1 || !single.getCertID().equals(certId(serial))) {
        throw new GeneralSecurityException("it is about other certificates");
      }
      return Optional.of(
          new Said(
              switch (single.getCertStatus().getTagNo()) {
                case 0 -> Status.GOOD;
                case 1 -> Status.REVOKED;
                default -> Status.UNKNOWN;
              },
              time(single.getThisUpdate()),
              time(single.getNextUpdate()),
              time(data.getProducedAt())));
    } catch (IOException | ParseException | IllegalArgumentException e) {
      throw new GeneralSecurityException("cannot be read", e);
    }
  }

  /** RFC 6960 4.2.2.2: the responder is certified by the issuer itself, for this alone. */
  private void verify(BasicOCSPResponse basic, Instant at)
      throws GeneralSecurityException, IOException {
    X509Certificate responder =
        (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(
                    new ByteArrayInputStream(
                        basic.getCerts().getObjectAt(0).toASN1Primitive().getEncoded()));
    responder.verify(issuer.getPublicKey());
    responder.checkValidity(Date.from(at));
    if (responder.getExtendedKeyUsage() == null
        || !responder.getExtendedKeyUsage().contains(OCSP_SIGNING)) {
      throw new GeneralSecurityException("its signer is no responder");
    }
    Signature signature =
        Signature.getInstance(basic.getSignatureAlgorithm().getAlgorithm().getId());
    signature.initVerify(responder);
    signature.update(basic.getTbsResponseData().getEncoded(ASN1Encoding.DER));
    if (!signature.verify(basic.getSignature().getOctets())) {
      throw new GeneralSecurityException("its signature does not hold");
    }
  }

  private static Instant time(ASN1GeneralizedTime time) throws ParseException {
    return time.getDate().toInstant();
  }
}
