package org.sluiceca.client.key;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.security.interfaces.EdECKey;
import java.security.interfaces.RSAKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.util.List;
import org.sluiceca.client.output.Failure;

/**
 * What a server shows who it is by.
 *
 * @param key private
 * @param chain its certificate, then those above it; at least one
 */
public record Identity(PrivateKey key, List<X509Certificate> chain) {
  private static final PSSParameterSpec PSS =
      new PSSParameterSpec(
          "SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, PSSParameterSpec.TRAILER_FIELD_BC);

  /** Copies the chain. */
  public Identity {
    chain = List.copyOf(chain);
    if (chain.isEmpty()) {
      throw new IllegalArgumentException("an identity without a certificate");
    }
  }

  /** The certificate of the key. */
  public X509Certificate certificate() {
    return chain.getFirst();
  }

  /** Certificate and chain, PEM. */
  public String chainPem() {
    StringBuilder text = new StringBuilder();
    try {
      for (X509Certificate one : chain) {
        text.append(PemFiles.block("CERTIFICATE", one.getEncoded()));
      }
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read cannot be written", e);
    }
    return text.toString();
  }

  /** Fails if the private key is not the one of the certificate. */
  public void requirePair() {
    sign("sluice: is this the key of the certificate?".getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Signs; RSA by PSS with SHA-256 and a salt of 32 octets, ECDSA with the hash of its curve.
   *
   * @return as certificates encode it; the certificate's key has verified it
   */
  public byte[] sign(byte[] message) {
    PublicKey publicKey = certificate().getPublicKey();
    try {
      Signature signer = signature(publicKey);
      signer.initSign(key);
      signer.update(message);
      byte[] signed = signer.sign();
      Signature verifier = signature(publicKey);
      verifier.initVerify(publicKey);
      verifier.update(message);
      if (verifier.verify(signed)) {
        return signed;
      }
    } catch (GeneralSecurityException e) {
      throw Failure.of("the private key is not the one of the certificate: " + e.getMessage());
    }
    throw Failure.of("the private key is not the one of the certificate");
  }

  private static Signature signature(PublicKey key) throws GeneralSecurityException {
    Signature signature =
        Signature.getInstance(
            switch (key) {
              case RSAKey _ -> "RSASSA-PSS";
              case ECKey curve -> Csr.ecdsa(curve);
              default -> "EdDSA";
            });
    if (key instanceof RSAKey) {
      signature.setParameter(PSS);
    }
    return signature;
  }

  /** A new pair of the algorithm and the size of {@code key}, from the JDK's random numbers. */
  public static KeyPair pairLike(PublicKey key) {
    try {
      KeyPairGenerator pairs =
          KeyPairGenerator.getInstance(
              key instanceof EdECKey edwards ? edwards.getParams().getName() : key.getAlgorithm());
      AlgorithmParameterSpec parameters =
          switch (key) {
            case RSAKey rsa ->
                new RSAKeyGenParameterSpec(rsa.getModulus().bitLength(), RSAKeyGenParameterSpec.F4);
            case ECKey curve -> curve.getParams();
            case EdECKey edwards -> edwards.getParams();
            default -> throw Failure.of("no new key can be made like one of " + key.getAlgorithm());
          };
      pairs.initialize(parameters);
      return pairs.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw Failure.of("this Java runtime makes no key like that of the certificate");
    }
  }
}
