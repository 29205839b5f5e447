package org.sluiceca.core.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.PublicKeyReader;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SignatureAlgorithm;
import org.sluiceca.core.x509.SubjectPublicKeyInfo;

/** The native verifier that keeps keys answers as the one that reads each key again. */
class KeptKeysVerifierTest extends SignatureVerifierContract {

  private static final OctetString MESSAGE = OctetString.copyOf(new byte[] {1, 2, 3});

  private record Signed(SubjectPublicKeyInfo key, OctetString signature) {}

  private final SignatureVerifier keeping =
      new ProviderVerifier(AmazonCorrettoCryptoProvider.INSTANCE).ofFewKeys();

  @BeforeAll
  static void libraryLoads() {
    assumeThat(AmazonCorrettoCryptoProvider.INSTANCE.getLoadingError()).isNull();
  }

  @Override
  SignatureVerifier verifier() {
    return keeping;
  }

  /** Each key counts for its own signature alone, also after all kept ones were dropped. */
  @Test
  void verifies_moreKeysThanAreKept_eachUnderItsOwnOnly() throws Exception {
    List<Signed> signed = new ArrayList<>();
    for (int i = 0; i <= ProviderVerifier.KEPT_KEYS_MAX; i++) {
      signed.add(signed());
    }

    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < signed.size(); i++) {
        SubjectPublicKeyInfo key = signed.get(i).key();
        OctetString other = signed.get((i + 1) % signed.size()).signature();

        assertThat(verifies(key, signed.get(i).signature())).as("key %d", i).isTrue();
        assertThat(verifies(key, other)).as("key %d, another's signature", i).isFalse();
      }
    }
  }

  private boolean verifies(SubjectPublicKeyInfo key, OctetString signature) {
    return keeping.verifies(key, SignatureAlgorithm.ECDSA_SHA256, MESSAGE, signature);
  }

  private static Signed signed() throws GeneralSecurityException, DerException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    KeyPair pair = generator.generateKeyPair();
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(pair.getPrivate());
    signature.update(MESSAGE.octets());
    return new Signed(
        PublicKeyReader.read(pair.getPublic().getEncoded()), OctetString.copyOf(signature.sign()));
  }
}
