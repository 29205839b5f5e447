package org.sluiceca.hsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import org.junit.jupiter.api.Test;

class SignatureClassTest {

  @Test
  void of_keysOfAllKinds_theirSizes() throws GeneralSecurityException {
    KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
    rsa.initialize(1024);
    KeyPairGenerator ec = KeyPairGenerator.getInstance("EC");
    ec.initialize(new ECGenParameterSpec("secp384r1"));

    assertThat(bits(Mechanism.RSA_PKCS1_SHA256, rsa)).isEqualTo(1024);
    assertThat(bits(Mechanism.ECDSA_SHA384, ec)).isEqualTo(384);
    assertThat(bits(Mechanism.ED25519, KeyPairGenerator.getInstance("Ed25519"))).isEqualTo(255);
  }

  @Test
  void of_noKey_sizeZero() {
    KeyRef key =
        new KeyRef(CkaId.of(new byte[] {1}), SubjectPublicKeyInfo.of(new byte[] {0x30, 0}));

    assertThat(SignatureClass.of(Mechanism.ED25519, key).keyBits()).isZero();
  }

  private static int bits(Mechanism mechanism, KeyPairGenerator generator) {
    byte[] der = generator.generateKeyPair().getPublic().getEncoded();
    KeyRef key = new KeyRef(CkaId.of(new byte[] {1}), SubjectPublicKeyInfo.of(der));
    return SignatureClass.of(mechanism, key).keyBits();
  }
}
