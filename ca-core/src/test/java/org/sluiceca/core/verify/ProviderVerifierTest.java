package org.sluiceca.core.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.RSAKeyGenParameterSpec;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.PublicKeyReader;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;

/** The native verifier; skipped, and so counted, on a machine for which it has no library. */
class ProviderVerifierTest extends SignatureVerifierContract {

  @BeforeAll
  static void libraryLoads() {
    assumeThat(AmazonCorrettoCryptoProvider.INSTANCE.getLoadingError()).isNull();
  }

  @Override
  SignatureVerifier verifier() {
    return new ProviderVerifier(AmazonCorrettoCryptoProvider.INSTANCE);
  }

  @Test
  void verifies_rsaExponentBeyondTheProvidersLimit_trueAllTheSame()
      throws GeneralSecurityException, DerException {
    for (BigInteger exponent :
        new BigInteger[] {
          BigInteger.ONE.shiftLeft(32).subtract(BigInteger.valueOf(5)),
          BigInteger.ONE.shiftLeft(32).add(BigInteger.valueOf(15)),
          BigInteger.ONE.shiftLeft(255).add(BigInteger.valueOf(95))
        }) {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(new RSAKeyGenParameterSpec(2048, exponent));
      KeyPair pair = generator.generateKeyPair();
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(pair.getPrivate());
      byte[] message = {1, 2, 3};
      signature.update(message);

      assertThat(
              verifier()
                  .verifies(
                      PublicKeyReader.read(pair.getPublic().getEncoded()),
                      SignatureAlgorithm.RSA_PKCS1_SHA256,
                      OctetString.copyOf(message),
                      OctetString.copyOf(signature.sign())))
          .as("%d bits", exponent.bitLength())
          .isTrue();
    }
  }
}
