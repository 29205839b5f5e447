package org.sluiceca.blackbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509CRL;
import java.security.interfaces.ECPublicKey;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.ocsp.BasicOCSPResponse;
import org.bouncycastle.asn1.ocsp.OCSPResponse;
import org.bouncycastle.asn1.ocsp.ResponseBytes;

/** What a CA said, word for word, with a signature by another key of the same kind. */
final class Resigned {

  private Resigned() {}

  /**
   * Signs a CRL.
   *
   * @param issuer the key that it should have been signed with
   */
  static X509CRL crl(X509CRL crl, PublicKey issuer) {
    try {
      return RelyingParty.read(
          resigned(crl.getEncoded(), crl.getSigAlgName(), keys(issuer)).getEncoded());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Signs an OCSP response of a responder with an EC P-256 key, which trials have. */
  static byte[] ocsp(byte[] response) {
    try {
      OCSPResponse whole = OCSPResponse.getInstance(response);
      ResponseBytes bytes = whole.getResponseBytes();
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      BasicOCSPResponse basic =
          BasicOCSPResponse.getInstance(
              resigned(
                  bytes.getResponse().getOctets(), "SHA256withECDSA", generator.generateKeyPair()));
      return new OCSPResponse(
              whole.getResponseStatus(),
              new ResponseBytes(
                  bytes.getResponseType(), new DEROctetString(basic.getEncoded(ASN1Encoding.DER))))
          .getEncoded(ASN1Encoding.DER);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Content, algorithm, signature, and whatever follows (X.509 SIGNED, RFC 6960 4.2.1). */
  private static ASN1Sequence resigned(byte[] signed, String algorithm, KeyPair keys)
      throws GeneralSecurityException, IOException {
    ASN1Encodable[] parts = ASN1Sequence.getInstance(signed).toArray();
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(keys.getPrivate());
    signature.update(parts[0].toASN1Primitive().getEncoded(ASN1Encoding.DER));
    parts[2] = new DERBitString(signature.sign());
    return new DERSequence(parts);
  }

  private static KeyPair keys(PublicKey like) throws GeneralSecurityException {
    KeyPairGenerator generator =
        KeyPairGenerator.getInstance(
            like.getAlgorithm().equals("EdDSA") ? "Ed25519" : like.getAlgorithm());
    if (like instanceof ECPublicKey curve) {
      generator.initialize(curve.getParams());
    }
    return generator.generateKeyPair();
  }
}
