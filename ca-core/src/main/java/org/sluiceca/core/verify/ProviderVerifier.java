package org.sluiceca.core.verify;

import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKey;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/**
 * Verifies RSA and ECDSA by a provider of the JCA that is faster than Java, and leaves the rest to
 * {@link BouncyCastleVerifier}. The provider need not be registered.
 */
public final class ProviderVerifier implements SignatureVerifier {

  /** AWS-LC takes no RSA exponent beyond 33 bits; this CA certifies up to 256. */
  private static final int EXPONENT_BITS_MAX = 32;

  /** Some KB each. A node has an issuer's key, and a few for its status, at a time. */
  static final int KEPT_KEYS_MAX = 64;

  /** Gives the provider's form of a key. */
  @FunctionalInterface
  private interface Keys {
    PublicKey of(String family, SubjectPublicKeyInfo key)
        throws NoSuchAlgorithmException, InvalidKeySpecException;
  }

  private final Provider provider;
  private final Keys keys;
  private final SignatureVerifier reference = new BouncyCastleVerifier();

  /** Verifies by {@code provider}, which must be thread-safe, as must its keys. */
  public ProviderVerifier(Provider provider) {
    this.provider = provider;
    this.keys = this::read;
  }

  private ProviderVerifier(Provider provider, Map<SubjectPublicKeyInfo, PublicKey> kept) {
    this.provider = provider;
    this.keys =
        (family, key) -> {
          PublicKey known = kept.get(key);
          if (known != null) {
            return known;
          }
          PublicKey read = read(family, key);
          if (kept.size() >= KEPT_KEYS_MAX) {
            kept.clear();
          }
          kept.put(key, read);
          return read;
        };
  }

  @Override
  public SignatureVerifier ofFewKeys() {
    return new ProviderVerifier(provider, new ConcurrentHashMap<>());
  }

  private PublicKey read(String family, SubjectPublicKeyInfo key)
      throws NoSuchAlgorithmException, InvalidKeySpecException {
    return KeyFactory.getInstance(family, provider)
        .generatePublic(new X509EncodedKeySpec(key.encoded()));
  }

  @Override
  public boolean verifies(
      SubjectPublicKeyInfo key,
      SignatureAlgorithm algorithm,
      OctetString message,
      OctetString signature) {
    if (!algorithm.fits(key.key().algorithm())) {
      return false;
    }
    return switch (key.key()) {
      case SubjectPublicKey.Rsa rsa when rsa.publicExponent().bitLength() > EXPONENT_BITS_MAX ->
          reference.verifies(key, algorithm, message, signature);
      case SubjectPublicKey.Rsa rsa -> byProvider("RSA", key, algorithm, message, signature);
      case SubjectPublicKey.Ec ec -> byProvider("EC", key, algorithm, message, signature);
      case SubjectPublicKey.EdDsa edDsa -> reference.verifies(key, algorithm, message, signature);
    };
  }

  private boolean byProvider(
      String family,
      SubjectPublicKeyInfo key,
      SignatureAlgorithm algorithm,
      OctetString message,
      OctetString signature) {
    try {
      Signature verifier = verifierOf(algorithm);
      verifier.initVerify(keys.of(family, key));
      verifier.update(message.octets());
      return verifier.verify(signature.octets());
    } catch (SignatureException e) {
      return false; // Malformed.
    } catch (InvalidKeySpecException | InvalidKeyException e) {
      // A key that the provider does not take may be beyond its limits and still be good.
      return reference.verifies(key, algorithm, message, signature);
    } catch (NoSuchAlgorithmException | InvalidAlgorithmParameterException e) {
      throw new IllegalStateException(provider.getName() + " lacks " + algorithm, e);
    }
  }

  private Signature verifierOf(SignatureAlgorithm algorithm)
      throws NoSuchAlgorithmException, InvalidAlgorithmParameterException {
    return switch (algorithm) {
      case RSA_PKCS1_SHA256 -> Signature.getInstance("SHA256withRSA", provider);
      case RSA_PKCS1_SHA384 -> Signature.getInstance("SHA384withRSA", provider);
      case RSA_PKCS1_SHA512 -> Signature.getInstance("SHA512withRSA", provider);
      case RSASSA_PSS_SHA256 -> pss("SHA-256", MGF1ParameterSpec.SHA256, 32);
      case RSASSA_PSS_SHA384 -> pss("SHA-384", MGF1ParameterSpec.SHA384, 48);
      case RSASSA_PSS_SHA512 -> pss("SHA-512", MGF1ParameterSpec.SHA512, 64);
      case ECDSA_SHA256 -> Signature.getInstance("SHA256withECDSA", provider);
      case ECDSA_SHA384 -> Signature.getInstance("SHA384withECDSA", provider);
      case ECDSA_SHA512 -> Signature.getInstance("SHA512withECDSA", provider);
      case ED25519, ED448 -> throw new NoSuchAlgorithmException("left to the reference");
    };
  }

  // RFC 4055 3.1: the salt is as long as the hash.
  private Signature pss(String hash, MGF1ParameterSpec mask, int saltOctets)
      throws NoSuchAlgorithmException, InvalidAlgorithmParameterException {
    Signature verifier = Signature.getInstance("RSASSA-PSS", provider);
    verifier.setParameter(
        new PSSParameterSpec(hash, "MGF1", mask, saltOctets, PSSParameterSpec.TRAILER_FIELD_BC));
    return verifier;
  }
}
