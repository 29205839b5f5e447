package org.sluiceca.hsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** How much may be signed: a large CRL where it is digested here, a message the token can take. */
class SignRequestTest {

  private static final byte[] LARGE = new byte[SignRequest.MESSAGE_BYTES_MAX + 1];

  @Test
  void message_digestedHere_mayBeALargeCrl() {
    assertThat(request(Mechanism.ECDSA_SHA256, LARGE).message()).isSameAs(LARGE);
    assertThat(request(Mechanism.RSA_PKCS1_SHA256, LARGE).message()).isSameAs(LARGE);
  }

  @Test
  void message_givenToTheToken_boundedByWhatItTakes() {
    byte[] most = new byte[SignRequest.MESSAGE_BYTES_MAX];

    assertThat(request(Mechanism.ED25519, most).message()).isSameAs(most);
    assertThatThrownBy(() -> request(Mechanism.ED25519, LARGE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static SignRequest request(Mechanism mechanism, byte[] message) {
    KeyRef key =
        new KeyRef(CkaId.of(new byte[] {1}), SubjectPublicKeyInfo.of(new byte[] {0x30, 0}));
    return new SignRequest(key, mechanism, message, new SignSchedule(Lane.STATUS, "crl", 1, 1));
  }
}
