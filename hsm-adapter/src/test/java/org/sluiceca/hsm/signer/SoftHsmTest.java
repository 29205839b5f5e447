package org.sluiceca.hsm.signer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.PinFile;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.ceremony.KeyAlgorithm;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.testkit.Await;
import org.sluiceca.hsm.testkit.RecordingObserver;
import org.sluiceca.hsm.testkit.SoftHsm;
import org.sluiceca.hsm.testkit.SoftHsm.SoftToken;

/** The adapter on a real token. */
class SoftHsmTest {
  private static final byte[] MESSAGE = "to be signed".repeat(100).getBytes(StandardCharsets.UTF_8);
  private static final CkaId ID = CkaId.parse("0a01");

  private final RecordingObserver observer = new RecordingObserver();
  private @Nullable HsmSigner opened;

  @AfterEach
  void closeSigner() {
    if (opened != null) {
      opened.close();
    }
  }

  @Test
  void sign_everyMechanism_verifiesInTheJdk() throws GeneralSecurityException {
    SoftToken token = SoftHsm.newToken("mechanisms");
    HsmSigner signer = open(token);
    for (Mechanism mechanism : Mechanism.values()) {
      KeyAlgorithm algorithm = algorithm(mechanism);
      CkaId id = CkaId.of(algorithm.name().getBytes(StandardCharsets.UTF_8));
      KeyRef key = generate(token, id, algorithm);

      byte[] signature = signer.sign(request(key, mechanism));

      assertThat(verifies(mechanism, key, signature)).as(mechanism.name()).isTrue();
    }
  }

  @Test
  void sign_tokenRemovedAndBack_worksAgainWithoutRestart() {
    SoftToken token = SoftHsm.newToken("removed");
    KeyRef key = generate(token, ID, KeyAlgorithm.EC_P256);
    HsmSigner signer = open(token);
    signer.sign(request(key, Mechanism.ECDSA_SHA256));

    SoftHsm.move(token.folder(), SoftHsm.away(token));
    assertThatThrownBy(() -> signer.sign(request(key, Mechanism.ECDSA_SHA256)))
        .isInstanceOf(HsmException.TokenLost.class)
        .message()
        .startsWith("token lost: ")
        .doesNotContain("\n");
    Await.until("token lost", () -> signer.stats().state() == HsmState.TOKEN_LOST);
    // Before anybody has looked for the token, it knows only what the failed call said.
    Await.until(
        "the token is missed by its name",
        () -> refusal(signer, key).startsWith("token lost: no token labelled \"removed\""));

    SoftHsm.move(SoftHsm.away(token), token.folder());
    Await.until("token back", () -> signer.stats().state() == HsmState.READY);
    for (int i = 0; i < 10; i++) {
      assertThat(signer.sign(request(key, Mechanism.ECDSA_SHA256))).hasSize(64);
    }
    assertThat(signer.stats().reinitialisations()).isPositive();
  }

  private static String refusal(HsmSigner signer, KeyRef key) {
    try {
      signer.sign(request(key, Mechanism.ECDSA_SHA256));
      return "";
    } catch (HsmException.TokenLost e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void sign_sessionsLost_worksAgain() {
    SoftToken token = SoftHsm.newToken("sessions");
    KeyRef key = generate(token, ID, KeyAlgorithm.EC_P256);
    HsmSigner signer = open(token);
    signer.sign(request(key, Mechanism.ECDSA_SHA256));
    Await.until("all open", () -> signer.stats().sessions() == 4);

    SoftHsm.closeAllSessions();

    assertThat(signer.sign(request(key, Mechanism.ECDSA_SHA256))).hasSize(64);
    assertThat(observer.recoveries).isNotEmpty();
  }

  @Test
  void sign_keyReplacedUnderTheSameId_mismatch() {
    SoftToken token = SoftHsm.newToken("replaced");
    KeyRef key = generate(token, ID, KeyAlgorithm.EC_P256);
    HsmSigner signer = open(token);
    signer.sign(request(key, Mechanism.ECDSA_SHA256));

    SoftHsm.destroyKeys(token, ID);
    KeyRef other = generate(token, ID, KeyAlgorithm.EC_P256);

    assertThatThrownBy(() -> signer.sign(request(key, Mechanism.ECDSA_SHA256)))
        .isInstanceOf(HsmException.KeyMismatch.class)
        .hasMessage("the key with CKA_ID 0a01 is not the one expected: public keys differ");
    assertThat(signer.sign(request(other, Mechanism.ECDSA_SHA256))).hasSize(64);
  }

  @Test
  void open_wrongPin_oneClearLineAndNotTriedAgain() {
    SoftToken token = SoftHsm.newToken("wrongpin");
    PinFile wrong = SoftHsm.pinFile("wrong", "000000");
    HsmSettings settings = HsmSettings.of(SoftHsm.library(), token.label(), wrong);

    assertThatThrownBy(() -> HsmSigner.open(settings, HsmObserver.NONE))
        .isInstanceOf(HsmException.PinRefused.class)
        .hasMessage(
            "token \"wrongpin\" refuses the PIN (CKR_PIN_INCORRECT); it is not tried again");
    assertThatThrownBy(() -> HsmSigner.open(settings, HsmObserver.NONE))
        .isInstanceOf(HsmException.PinRefused.class)
        .hasMessage("token \"wrongpin\" has refused this PIN before; it is not tried again");
  }

  @Test
  void open_noSuchToken_oneClearLineWithThoseThere() {
    SoftToken token = SoftHsm.newToken("present");

    assertThatThrownBy(
            () ->
                HsmSigner.open(
                    HsmSettings.of(SoftHsm.library(), "absent", token.pin()), HsmObserver.NONE))
        .isInstanceOf(HsmException.TokenMissing.class)
        .hasMessageStartingWith("no token labelled \"absent\" in ")
        .hasMessageContaining("present");
  }

  @Test
  void open_oneKeyMissing_saysWhichAndSignsWithTheOther() {
    SoftToken token = SoftHsm.newToken("nokeyatstart");
    KeyRef there = generate(token, ID, KeyAlgorithm.EC_P256);
    KeyRef elsewhere = new KeyRef(CkaId.parse("ff"), there.publicKey());
    HsmSettings settings = HsmSettings.of(SoftHsm.library(), token.label(), token.pin());

    opened = HsmSigner.open(settings, List.of(there, elsewhere), observer);

    assertThat(opened.keys().held()).containsExactly(there);
    assertThat(opened.keys().absent().get(elsewhere))
        .isInstanceOf(HsmException.KeyMissing.class)
        .hasMessage("the token has no private key with CKA_ID ff");
    assertThat(opened.sign(request(there, Mechanism.ECDSA_SHA256))).hasSize(64);
  }

  @Test
  void open_noSuchModule_oneClearLine() {
    assertThatThrownBy(
            () ->
                HsmSigner.open(
                    HsmSettings.of(Path.of("/no/such.so"), "x", new PinFile(Path.of("/no/pin"))),
                    HsmObserver.NONE))
        .isInstanceOf(HsmException.ModuleMissing.class)
        .hasMessage("no PKCS#11 module at /no/such.so");
  }

  private static KeyRef generate(SoftToken token, CkaId id, KeyAlgorithm algorithm) {
    try (KeyCeremony ceremony = KeyCeremony.open(SoftHsm.library(), token.label(), token.pin())) {
      return ceremony.generateIfAbsent(id, "test", algorithm);
    }
  }

  private HsmSigner open(SoftToken token) {
    HsmSigner signer =
        HsmSigner.open(
            HsmSettings.of(SoftHsm.library(), token.label(), token.pin())
                .withSessions(4)
                .withCallTimeout(Duration.ofMinutes(1)),
            observer);
    opened = signer;
    return signer;
  }

  private static SignRequest request(KeyRef key, Mechanism mechanism) {
    return new SignRequest(
        key, mechanism, MESSAGE, SignSchedule.by(System.nanoTime() + 60_000_000_000L));
  }

  private static KeyAlgorithm algorithm(Mechanism mechanism) {
    return switch (mechanism) {
      case RSA_PKCS1_SHA256, RSA_PSS_SHA256 -> KeyAlgorithm.RSA_2048;
      case RSA_PKCS1_SHA384 -> KeyAlgorithm.RSA_3072;
      case ECDSA_SHA256 -> KeyAlgorithm.EC_P256;
      case ECDSA_SHA384 -> KeyAlgorithm.EC_P384;
      case ECDSA_SHA512 -> KeyAlgorithm.EC_P521;
      case ED25519 -> KeyAlgorithm.ED25519;
    };
  }

  private static boolean verifies(Mechanism mechanism, KeyRef key, byte[] signature)
      throws GeneralSecurityException {
    Signature verifier =
        Signature.getInstance(
            switch (mechanism) {
              case RSA_PKCS1_SHA256 -> "SHA256withRSA";
              case RSA_PKCS1_SHA384 -> "SHA384withRSA";
              case RSA_PSS_SHA256 -> "RSASSA-PSS";
              case ECDSA_SHA256 -> "SHA256withECDSAinP1363Format";
              case ECDSA_SHA384 -> "SHA384withECDSAinP1363Format";
              case ECDSA_SHA512 -> "SHA512withECDSAinP1363Format";
              case ED25519 -> "Ed25519";
            });
    if (mechanism == Mechanism.RSA_PSS_SHA256) {
      verifier.setParameter(
          new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
    }
    String keyType =
        switch (mechanism) {
          case RSA_PKCS1_SHA256, RSA_PKCS1_SHA384, RSA_PSS_SHA256 -> "RSA";
          case ECDSA_SHA256, ECDSA_SHA384, ECDSA_SHA512 -> "EC";
          case ED25519 -> "Ed25519";
        };
    PublicKey publicKey =
        KeyFactory.getInstance(keyType)
            .generatePublic(new X509EncodedKeySpec(key.publicKey().der()));
    verifier.initVerify(publicKey);
    verifier.update(MESSAGE);
    return verifier.verify(signature);
  }
}
