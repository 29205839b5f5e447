package org.sluiceca.core.verify;

import java.io.IOException;
import java.math.BigInteger;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.crypto.DataLengthException;
import org.bouncycastle.crypto.Digest;
import org.bouncycastle.crypto.Signer;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.digests.SHA384Digest;
import org.bouncycastle.crypto.digests.SHA512Digest;
import org.bouncycastle.crypto.engines.RSABlindedEngine;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.bouncycastle.crypto.params.RSAKeyParameters;
import org.bouncycastle.crypto.signers.DSADigestSigner;
import org.bouncycastle.crypto.signers.ECDSASigner;
import org.bouncycastle.crypto.signers.Ed25519Signer;
import org.bouncycastle.crypto.signers.Ed448Signer;
import org.bouncycastle.crypto.signers.PSSSigner;
import org.bouncycastle.crypto.signers.RSADigestSigner;
import org.bouncycastle.crypto.signers.StandardDSAEncoding;
import org.bouncycastle.crypto.util.PublicKeyFactory;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKey;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * Verifies by Bouncy Castle's lightweight engines, without a provider: the same on every platform,
 * and the reference that others are held against.
 */
public final class BouncyCastleVerifier implements SignatureVerifier {

  @Override
  public boolean verifies(
      SubjectPublicKeyInfo key,
      SignatureAlgorithm algorithm,
      OctetString message,
      OctetString signature) {
    return algorithm.fits(key.key().algorithm())
        && verifies(key, signerOf(algorithm), message, signature);
  }

  /**
   * Returns whether an RSASSA-PSS signature with a salt of {@code saltOctets} verifies: requests
   * may have any length (RFC 4055 3.1). False too for an algorithm that is not PSS.
   */
  public boolean verifiesPss(
      SubjectPublicKeyInfo key,
      SignatureAlgorithm algorithm,
      int saltOctets,
      OctetString message,
      OctetString signature) {
    return algorithm.fits(key.key().algorithm())
        && switch (algorithm) {
          case RSASSA_PSS_SHA256 ->
              verifies(key, pss(new SHA256Digest(), saltOctets), message, signature);
          case RSASSA_PSS_SHA384 ->
              verifies(key, pss(new SHA384Digest(), saltOctets), message, signature);
          case RSASSA_PSS_SHA512 ->
              verifies(key, pss(new SHA512Digest(), saltOctets), message, signature);
          case RSA_PKCS1_SHA256,
              RSA_PKCS1_SHA384,
              RSA_PKCS1_SHA512,
              ECDSA_SHA256,
              ECDSA_SHA384,
              ECDSA_SHA512,
              ED25519,
              ED448 ->
              false;
        };
  }

  private static boolean verifies(
      SubjectPublicKeyInfo key, Signer signer, OctetString message, OctetString signature) {
    if (!isAsLongAsModulus(key.key(), signature)) {
      return false;
    }
    try {
      AsymmetricKeyParameter parameter = parameterOf(key);
      signer.init(false, parameter);
      byte[] bytes = message.octets();
      signer.update(bytes, 0, bytes.length);
      return signer.verifySignature(signature.octets());
    } catch (IOException
        | IllegalArgumentException
        | IllegalStateException
        | ArithmeticException
        | ArrayIndexOutOfBoundsException
        | DataLengthException e) {
      return false;
    }
  }

  /** RFC 8017 8.1.2 and 8.2.2, step 1; the library takes one without its leading zero octets. */
  private static boolean isAsLongAsModulus(SubjectPublicKey key, OctetString signature) {
    return !(key instanceof SubjectPublicKey.Rsa(BigInteger modulus, BigInteger exponent))
        || signature.length() == (modulus.bitLength() + 7) / 8;
  }

  /**
   * RSA keys are handed over as read: the library's own check of a modulus that it sees for the
   * first time is a primality test of 6 ms for 2048 bits and of a second for 8192, where the
   * verification takes 0.03 and 0.2 ms. {@code csr.WeakKeys} judges moduli.
   */
  private static AsymmetricKeyParameter parameterOf(SubjectPublicKeyInfo key) throws IOException {
    return switch (key.key()) {
      case SubjectPublicKey.Rsa(BigInteger modulus, BigInteger exponent) -> {
        if (!modulus.testBit(0)) {
          throw new IllegalArgumentException("even RSA modulus");
        }
        yield new RSAKeyParameters(false, modulus, exponent, true);
      }
      case SubjectPublicKey.Ec ec -> PublicKeyFactory.createKey(key.encoded());
      case SubjectPublicKey.EdDsa edDsa -> PublicKeyFactory.createKey(key.encoded());
    };
  }

  private static Signer signerOf(SignatureAlgorithm algorithm) {
    // RFC 4055 3.1: the salt of certificates is as long as the hash.
    return switch (algorithm) {
      case RSA_PKCS1_SHA256 -> rsa(new SHA256Digest(), NISTObjectIdentifiers.id_sha256);
      case RSA_PKCS1_SHA384 -> rsa(new SHA384Digest(), NISTObjectIdentifiers.id_sha384);
      case RSA_PKCS1_SHA512 -> rsa(new SHA512Digest(), NISTObjectIdentifiers.id_sha512);
      case RSASSA_PSS_SHA256 -> pss(new SHA256Digest(), 32);
      case RSASSA_PSS_SHA384 -> pss(new SHA384Digest(), 48);
      case RSASSA_PSS_SHA512 -> pss(new SHA512Digest(), 64);
      case ECDSA_SHA256 -> ecdsa(new SHA256Digest());
      case ECDSA_SHA384 -> ecdsa(new SHA384Digest());
      case ECDSA_SHA512 -> ecdsa(new SHA512Digest());
      case ED25519 -> new Ed25519Signer();
      // RFC 8410 3: certificates use Ed448 itself, with the empty context.
      case ED448 -> new Ed448Signer(new byte[0]);
    };
  }

  private static Signer rsa(Digest digest, ASN1ObjectIdentifier oid) {
    return new RSADigestSigner(digest, oid);
  }

  private static Signer pss(Digest digest, int saltOctets) {
    return new PSSSigner(new RSABlindedEngine(), digest, saltOctets);
  }

  private static Signer ecdsa(Digest digest) {
    return new DSADigestSigner(new ECDSASigner(), digest, StandardDSAEncoding.INSTANCE);
  }
}
