package org.sluiceca.core.der;

import java.io.IOException;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Enumerated;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1Object;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERTaggedObject;
import org.bouncycastle.asn1.ocsp.OCSPObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Certificate;
import org.sluiceca.core.x509.CertificateDer;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;

/** Writes OCSP responses (RFC 6960 4.2.1). Thread-safe. */
public final class OcspResponseWriter {

  private static final int SUCCESSFUL = 0;

  /** RFC 6960 4.4.8. */
  private static final ASN1ObjectIdentifier EXTENDED_REVOKE =
      new ASN1ObjectIdentifier("1.3.6.1.5.5.7.48.1.9");

  private OcspResponseWriter() {}

  /** Writes the ResponseData, which is what the responder signs. */
  public static OctetString responseData(OcspResponseFields fields) {
    ASN1EncodableVector data = new ASN1EncodableVector();
    data.add(new DERTaggedObject(true, 2, new DEROctetString(fields.responderKeyHash().octets())));
    data.add(time(fields.producedAt()));
    ASN1EncodableVector responses = new ASN1EncodableVector();
    fields.responses().forEach(single -> responses.add(single(single)));
    data.add(new DERSequence(responses));
    ASN1EncodableVector extensions = new ASN1EncodableVector();
    fields
        .nonce()
        .ifPresent(
            nonce ->
                extensions.add(
                    extension(
                        OCSPObjectIdentifiers.id_pkix_ocsp_nonce,
                        new DEROctetString(nonce.octets()))));
    if (fields.isExtendedRevoke()) {
      extensions.add(extension(EXTENDED_REVOKE, DERNull.INSTANCE));
    }
    if (extensions.size() > 0) {
      data.add(new DERTaggedObject(true, 1, new DERSequence(extensions)));
    }
    return OctetString.copyOf(Encodings.der(new DERSequence(data)));
  }

  /**
   * Assembles the response from the signed bytes, the signature, and the responder's certificate,
   * under which clients verify the signature (4.2.2.3).
   *
   * @param responseData as it was signed; taken over unchanged
   */
  public static OctetString assemble(
      OctetString responseData,
      SignatureAlgorithm algorithm,
      OctetString signature,
      CertificateDer responder) {
    ASN1EncodableVector basic = new ASN1EncodableVector();
    basic.add(reread(responseData.octets()));
    basic.add(AlgorithmIdentifiers.of(algorithm));
    basic.add(new DERBitString(signature.octets()));
    basic.add(
        new DERTaggedObject(
            true, 0, new DERSequence(Certificate.getInstance(responder.encoded()))));
    ASN1EncodableVector bytes = new ASN1EncodableVector();
    bytes.add(OCSPObjectIdentifiers.id_pkix_ocsp_basic);
    bytes.add(new DEROctetString(Encodings.der(new DERSequence(basic))));
    ASN1EncodableVector response = new ASN1EncodableVector();
    response.add(new ASN1Enumerated(SUCCESSFUL));
    response.add(new DERTaggedObject(true, 0, new DERSequence(bytes)));
    return OctetString.copyOf(Encodings.der(new DERSequence(response)));
  }

  /** Writes a response without content. */
  public static OctetString unsuccessful(OcspResponseStatus status) {
    return OctetString.copyOf(Encodings.der(new DERSequence(new ASN1Enumerated(status.code()))));
  }

  private static ASN1Object single(OcspResponseFields.Single single) {
    ASN1EncodableVector response = new ASN1EncodableVector();
    response.add(certId(single.certId()));
    response.add(
        switch (single.status()) {
          case CertStatus.Good good -> new DERTaggedObject(false, 0, DERNull.INSTANCE);
          case CertStatus.Revoked revoked -> revoked(revoked);
          case CertStatus.Unknown unknown -> new DERTaggedObject(false, 2, DERNull.INSTANCE);
        });
    response.add(time(single.thisUpdate()));
    response.add(new DERTaggedObject(true, 0, time(single.nextUpdate())));
    Optional<Instant> cutoff = single.archiveCutoff();
    if (cutoff.isPresent()) {
      response.add(
          new DERTaggedObject(
              true,
              1,
              new DERSequence(
                  extension(
                      OCSPObjectIdentifiers.id_pkix_ocsp_archive_cutoff, time(cutoff.get())))));
    }
    return new DERSequence(response);
  }

  private static DERTaggedObject revoked(CertStatus.Revoked revoked) {
    ASN1EncodableVector content = new ASN1EncodableVector();
    content.add(time(revoked.revocationTime()));
    revoked
        .reason()
        .ifPresent(
            reason -> content.add(new DERTaggedObject(true, 0, new ASN1Enumerated(reason.code()))));
    return new DERTaggedObject(false, 1, new DERSequence(content));
  }

  private static DERSequence certId(CertId id) {
    ASN1ObjectIdentifier hash = new ASN1ObjectIdentifier(id.hashAlgorithm());
    ASN1EncodableVector content = new ASN1EncodableVector();
    content.add(
        id.hasNull()
            ? new AlgorithmIdentifier(hash, DERNull.INSTANCE)
            : new AlgorithmIdentifier(hash));
    content.add(new DEROctetString(id.issuerNameHash().octets()));
    content.add(new DEROctetString(id.issuerKeyHash().octets()));
    content.add(new ASN1Integer(new BigInteger(id.serialNumber().octets())));
    return new DERSequence(content);
  }

  /** Not critical: RFC 6960 4.4 wants none to be. */
  private static DERSequence extension(ASN1ObjectIdentifier oid, ASN1Object value) {
    ASN1EncodableVector content = new ASN1EncodableVector();
    content.add(oid);
    content.add(new DEROctetString(Encodings.der(value)));
    return new DERSequence(content);
  }

  private static ASN1Primitive time(Instant instant) {
    try {
      return Times.generalized(instant);
    } catch (IOException e) {
      throw new IllegalStateException("a time of our own does not parse", e);
    }
  }

  private static ASN1Primitive reread(byte[] der) {
    try {
      return ASN1Primitive.fromByteArray(der);
    } catch (IOException e) {
      throw new IllegalStateException("a ResponseData of our own does not parse", e);
    }
  }
}
