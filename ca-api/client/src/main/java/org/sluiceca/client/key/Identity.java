package org.sluiceca.client.key;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECKey;
import java.security.interfaces.EdECKey;
import java.security.interfaces.RSAKey;
import java.security.spec.AlgorithmParameterSpec;
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
