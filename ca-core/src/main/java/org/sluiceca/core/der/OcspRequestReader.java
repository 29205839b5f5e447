package org.sluiceca.core.der;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.ocsp.CertID;
import org.bouncycastle.asn1.ocsp.OCSPObjectIdentifiers;
import org.bouncycastle.asn1.ocsp.OCSPRequest;
import org.bouncycastle.asn1.ocsp.Request;
import org.bouncycastle.asn1.ocsp.TBSRequest;
import org.bouncycastle.asn1.x509.Extensions;
import org.sluiceca.core.der.OcspRequest.Nonce;
import org.sluiceca.core.x509.OctetString;

/**
 * Reads OCSP requests (RFC 6960 4.1) strictly. The requester's name and signature are not looked
 * at: everybody may ask, so they decide nothing. Thread-safe.
 */
public final class OcspRequestReader {

  /** As for every body; a request about one certificate has some 70 octets. */
  public static final int BYTES_MAX = 64 * 1024;

  /** A chain of this length is longer than any that clients accept; RFC 5019 asks about one. */
  public static final int CERT_IDS_MAX = 8;

  /** RFC 6960 4.4 knows six. */
  private static final int EXTENSIONS_MAX = 16;

  /** RFC 9654 2.1: shorter and longer ones MUST be refused. */
  private static final int NONCE_OCTETS_MAX = 128;

  /** SHA-512's; RFC 5280 4.1.2.2 allows serial numbers 20. */
  private static final int FIELD_OCTETS_MAX = 64;

  private OcspRequestReader() {}

  /** Reads a request; {@link DerException} names what is wrong with it, without its content. */
  public static OcspRequest read(byte[] der) throws DerException {
    if (der.length > BYTES_MAX) {
      throw new DerException("OCSP request of " + der.length + " octets");
    }
    return StrictDer.read(
        "OCSP request",
        der,
        p -> {
          OCSPRequest request = OCSPRequest.getInstance(p);
          // The library ignores elements after those it expects; re-encoding drops them.
          if (!Arrays.equals(
              request.getEncoded(ASN1Encoding.DER), p.getEncoded(ASN1Encoding.DER))) {
            throw new DerException("OCSP request with superfluous elements");
          }
          return of(request.getTbsRequest());
        });
  }

  private static OcspRequest of(TBSRequest request) throws DerException, IOException {
    if (!request.getVersion().hasValue(0)) {
      throw new DerException("OCSP request of an unknown version");
    }
    ASN1Sequence list = request.getRequestList();
    if (list.size() == 0 || list.size() > CERT_IDS_MAX) {
      throw new DerException(
          String.format(
              Locale.ROOT,
              "%d CertIDs in an OCSP request, allowed 1 to %d",
              list.size(),
              CERT_IDS_MAX));
    }
    List<CertId> certIds = new ArrayList<>();
    for (ASN1Encodable element : list) {
      Request single = Request.getInstance(element);
      checkCount(single.getSingleRequestExtensions());
      refuseCritical(single.getSingleRequestExtensions(), false);
      certIds.add(of(single.getReqCert()));
    }
    checkCount(request.getRequestExtensions());
    refuseCritical(request.getRequestExtensions(), true);
    return new OcspRequest(certIds, nonce(request.getRequestExtensions()));
  }

  private static CertId of(CertID id) throws DerException {
    ASN1Encodable parameters = id.getHashAlgorithm().getParameters();
    if (parameters != null && !DERNull.INSTANCE.equals(parameters)) {
      throw new DerException("CertID whose hash has parameters");
    }
    return new CertId(
        id.getHashAlgorithm().getAlgorithm().getId(),
        parameters != null,
        field(id.getIssuerNameHash().getOctets()),
        field(id.getIssuerKeyHash().getOctets()),
        field(id.getSerialNumber().getValue().toByteArray()));
  }

  private static OctetString field(byte[] octets) throws DerException {
    if (octets.length > FIELD_OCTETS_MAX) {
      throw new DerException("CertID with a field of " + octets.length + " octets");
    }
    return OctetString.copyOf(octets);
  }

  private static void checkCount(Extensions extensions) throws DerException {
    if (extensions != null && extensions.getExtensionOIDs().length > EXTENSIONS_MAX) {
      throw new DerException("OCSP request with more than " + EXTENSIONS_MAX + " extensions");
    }
  }

  /**
   * What must be understood and is not: whether a nonce will be honoured is the caller's to say.
   */
  private static void refuseCritical(Extensions extensions, boolean mayHaveNonce)
      throws DerException {
    if (extensions == null) {
      return;
    }
    for (ASN1ObjectIdentifier oid : extensions.getCriticalExtensionOIDs()) {
      if (!mayHaveNonce || !oid.equals(OCSPObjectIdentifiers.id_pkix_ocsp_nonce)) {
        throw new DerException("OCSP request with the critical extension " + oid.getId());
      }
    }
  }

  private static Optional<Nonce> nonce(Extensions extensions) throws DerException, IOException {
    if (extensions == null
        || extensions.getExtension(OCSPObjectIdentifiers.id_pkix_ocsp_nonce) == null) {
      return Optional.empty();
    }
    var nonce = extensions.getExtension(OCSPObjectIdentifiers.id_pkix_ocsp_nonce);
    byte[] value =
        StrictDer.read(
            "nonce",
            nonce.getExtnValue().getOctets(),
            p -> ASN1OctetString.getInstance(p).getOctets());
    if (value.length == 0 || value.length > NONCE_OCTETS_MAX) {
      throw new DerException("nonce of " + value.length + " octets");
    }
    return Optional.of(new Nonce(OctetString.copyOf(value), nonce.isCritical()));
  }
}
