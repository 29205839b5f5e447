package org.sluiceca.hsm.isolate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.Pin;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.ceremony.KeyAlgorithm;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import org.sluiceca.hsm.pkcs11.Attribute;
import org.sluiceca.hsm.pkcs11.Cka;
import org.sluiceca.hsm.pkcs11.Ckr;
import org.sluiceca.hsm.pkcs11.Cryptoki;
import org.sluiceca.hsm.pkcs11.CryptokiException;
import org.sluiceca.hsm.pkcs11.SessionHandle;
import org.sluiceca.hsm.testkit.SoftHsm;
import org.sluiceca.hsm.testkit.SoftHsm.SoftToken;

/** What each implementation of {@link Cryptoki} must do, on a real token. */
@Timeout(180)
abstract class CryptokiContract {
  private static final CkaId ID = CkaId.parse("c0");
  private static final AtomicInteger TOKENS = new AtomicInteger();
  private static final byte[] MESSAGE = "to be signed".getBytes(StandardCharsets.UTF_8);

  @SuppressWarnings("NullAway.Init")
  private SoftToken token;

  @SuppressWarnings("NullAway.Init")
  private Cryptoki module;

  /** The module of this token; the token is there already. */
  abstract Cryptoki open(SoftToken token);

  abstract void close();

  @BeforeEach
  void openModule() {
    token = SoftHsm.newToken("contract-" + TOKENS.incrementAndGet());
    module = open(token);
  }

  @AfterEach
  void closeModule() {
    close();
  }

  @Test
  void name_ofTheModule_isItsPathWithoutLinks() throws IOException {
    assertThat(module.name()).isEqualTo(SoftHsm.library().toRealPath().toString());
  }

  @Test
  void tokenLabel_ofEachSlot_oneIsOurs() {
    assertThat(Arrays.stream(module.slotsWithToken()).boxed())
        .anyMatch(slot -> label(slot).equals(token.label()));
  }

  @Test
  void tokenLabel_noSuchSlot_slotIdInvalid() {
    assertThatThrownBy(() -> module.tokenLabel(999_999_999))
        .isInstanceOf(CryptokiException.class)
        .hasMessage("C_GetTokenInfo: CKR_SLOT_ID_INVALID");
  }

  @Test
  void tokenInfo_ofTwoTokens_distinguishesThem() {
    Cryptoki.TokenInfo own = module.tokenInfo(slot());
    SoftToken other = SoftHsm.newToken("contract-other-" + TOKENS.incrementAndGet());
    module.reinitialise();

    assertThat(own.label()).isEqualTo(token.label());
    assertThat(own.manufacturer()).isEqualTo("SoftHSM project");
    assertThat(own.model()).isEqualTo("SoftHSM v2");
    assertThat(own.serialNumber()).matches("[0-9a-f]{16}");
    assertThat(module.tokenInfo(slot(token))).isEqualTo(own);
    assertThat(module.tokenInfo(slot(other)).serialNumber()).isNotEqualTo(own.serialNumber());
  }

  @Test
  void tokenInfo_noSuchSlot_slotIdInvalid() {
    assertThatThrownBy(() -> module.tokenInfo(999_999_999))
        .isInstanceOf(CryptokiException.class)
        .hasMessage("C_GetTokenInfo: CKR_SLOT_ID_INVALID");
  }

  @Test
  void login_rightPin_loggedInInEverySession() {
    SessionHandle first = module.openSession(slot(), false);
    SessionHandle second = module.openSession(slot(), false);
    assertThat(module.isLoggedIn(first)).isFalse();

    login(first);

    assertThat(module.isLoggedIn(second)).isTrue();
    module.closeSession(first);
    module.closeSession(second);
  }

  @Test
  void login_wrongPin_pinIncorrect() {
    SessionHandle session = module.openSession(slot(), false);

    assertThatThrownBy(() -> module.login(session, "999999".toCharArray()))
        .isInstanceOf(CryptokiException.class)
        .hasMessage("C_Login: CKR_PIN_INCORRECT");
    assertThat(module.isLoggedIn(session)).isFalse();
    module.closeSession(session);
  }

  @Test
  void generateKeyPair_inReadWriteSession_foundWithItsAttributes() {
    SessionHandle session = module.openSession(slot(), true);
    login(session);
    module.generateKeyPair(
        session,
        0x1040, // CKM_EC_KEY_PAIR_GEN
        List.of(
            Attribute.of(Cka.TOKEN, true),
            Attribute.of(Cka.ID, new byte[] {7}),
            Attribute.of(Cka.LABEL, "made here"),
            Attribute.of(
                Cka.EC_PARAMS, new byte[] {6, 8, 42, -122, 72, -50, 61, 3, 1, 7})), // P-256
        List.of(
            Attribute.of(Cka.TOKEN, true),
            Attribute.of(Cka.ID, new byte[] {7}),
            Attribute.of(Cka.SIGN, true)));

    long[] found =
        module.findObjects(
            session,
            List.of(
                Attribute.of(Cka.CLASS, Cka.CKO_PRIVATE_KEY), Attribute.of(Cka.ID, new byte[] {7})),
            2);

    assertThat(found).hasSize(1);
    assertThat(module.attribute(session, found[0], Cka.SIGN)).isEqualTo(true);
    assertThat(module.attribute(session, found[0], Cka.KEY_TYPE)).isEqualTo(Cka.CKK_EC);
    assertThat(module.attribute(session, found[0], Cka.ID)).isEqualTo(new byte[] {7});
    module.closeSession(session);
  }

  @Test
  void findObjects_noneMatches_empty() {
    SessionHandle session = module.openSession(slot(), false);
    login(session);

    assertThat(module.findObjects(session, List.of(Attribute.of(Cka.ID, new byte[] {99, 99})), 2))
        .isEmpty();
    module.closeSession(session);
  }

  @Test
  void attribute_noSuchObject_objectHandleInvalid() {
    SessionHandle session = module.openSession(slot(), false);

    assertThatThrownBy(() -> module.attribute(session, 999_999, Cka.CLASS))
        .isInstanceOf(CryptokiException.class)
        .hasMessage("C_GetAttributeValue: CKR_OBJECT_HANDLE_INVALID");
    module.closeSession(session);
  }

  @Test
  void sign_inOneCallAndInTwo_bothVerify() throws GeneralSecurityException {
    KeyRef key = generate(KeyAlgorithm.EC_P256);
    SessionHandle session = module.openSession(slot(), false);
    login(session);
    long handle = privateKey(session);
    byte[] input = Mechanism.ECDSA_SHA256.tokenInput(MESSAGE);

    byte[] whole = module.sign(session, Mechanism.ECDSA_SHA256, handle, input);
    module.signInit(session, Mechanism.ECDSA_SHA256, handle);
    byte[] inTwo = module.sign(session, input);

    assertThat(verifies("SHA256withECDSAinP1363Format", "EC", key, MESSAGE, whole)).isTrue();
    assertThat(verifies("SHA256withECDSAinP1363Format", "EC", key, MESSAGE, inTwo)).isTrue();
    module.closeSession(session);
  }

  @Test
  void sign_largestMessage_verifies() throws GeneralSecurityException {
    KeyRef key = generate(KeyAlgorithm.ED25519);
    SessionHandle session = module.openSession(slot(), false);
    login(session);
    byte[] message = new byte[SignRequest.MESSAGE_BYTES_MAX];
    message[message.length - 1] = 1;

    byte[] signature = module.sign(session, Mechanism.ED25519, privateKey(session), message);

    assertThat(verifies("Ed25519", "Ed25519", key, message, signature)).isTrue();
    module.closeSession(session);
  }

  @Test
  void sign_noSuchKey_failsBeforeCSign() {
    SessionHandle session = module.openSession(slot(), false);
    login(session);

    CryptokiException failure =
        failure(() -> module.sign(session, Mechanism.ECDSA_SHA256, 999_999, new byte[32]));

    assertThat(failure).hasMessageStartingWith("C_SignInit: ");
    assertThat(failure.hadEnteredSign()).isFalse();
    module.closeSession(session);
  }

  @Test
  void sign_withoutSignInit_failsInCSign() {
    SessionHandle session = module.openSession(slot(), false);
    login(session);

    CryptokiException failure = failure(() -> module.sign(session, new byte[32]));

    assertThat(failure).hasMessage("C_Sign: CKR_OPERATION_NOT_INITIALIZED");
    assertThat(failure.hadEnteredSign()).isTrue();
    module.closeSession(session);
  }

  @Test
  void closeSession_usedAfterwards_sessionHandleInvalid() {
    SessionHandle session = module.openSession(slot(), false);
    module.closeSession(session);

    assertThat(failure(() -> module.isLoggedIn(session)).ckr())
        .isEqualTo(Ckr.SESSION_HANDLE_INVALID);
  }

  @Test
  void reinitialise_quiet_newGenerationAndOldSessionsAreDead() {
    SessionHandle old = module.openSession(slot(), false);
    login(old);
    long before = module.generation();

    assertThat(module.reinitialise()).isTrue();

    assertThat(module.generation()).isGreaterThan(before);
    CryptokiException failure = failure(() -> module.sign(old, new byte[32]));
    assertThat(failure.ckr()).isEqualTo(Ckr.SESSION_HANDLE_INVALID);
    assertThat(failure.hadEnteredSign()).isFalse();
    SessionHandle fresh = module.openSession(slot(), false);
    assertThat(fresh.generation()).isEqualTo(module.generation());
    assertThat(module.isLoggedIn(fresh)).isFalse();
    module.closeSession(fresh);
  }

  @Test
  void sign_manySessionsAtOnce_eachGetsItsOwnSignature() throws Exception {
    KeyRef key = generate(KeyAlgorithm.EC_P256);
    SessionHandle first = module.openSession(slot(), false);
    login(first);
    int threads = 16;
    int each = 50;
    List<Future<Boolean>> verified = new ArrayList<>();
    try (ExecutorService callers = Executors.newFixedThreadPool(threads)) {
      for (int thread = 0; thread < threads; thread++) {
        int number = thread;
        verified.add(callers.submit(() -> signsAndVerifies(key, number, each)));
      }
    }
    for (Future<Boolean> one : verified) {
      assertThat(one.get()).isTrue();
    }
    module.closeSession(first);
  }

  private boolean signsAndVerifies(KeyRef key, int thread, int times)
      throws GeneralSecurityException {
    SessionHandle session = module.openSession(slot(), false);
    long handle = privateKey(session);
    boolean isGood = true;
    for (int i = 0; i < times; i++) {
      byte[] message = ("message " + thread + "." + i).getBytes(StandardCharsets.UTF_8);
      byte[] input = Mechanism.ECDSA_SHA256.tokenInput(message);
      byte[] signature = module.sign(session, Mechanism.ECDSA_SHA256, handle, input);
      isGood &= verifies("SHA256withECDSAinP1363Format", "EC", key, message, signature);
    }
    module.closeSession(session);
    return isGood;
  }

  private KeyRef generate(KeyAlgorithm algorithm) {
    KeyRef key;
    try (KeyCeremony ceremony = KeyCeremony.open(SoftHsm.library(), token.label(), token.pin())) {
      key = ceremony.generateIfAbsent(ID, "contract", algorithm);
    }
    return key;
  }

  private long privateKey(SessionHandle session) {
    return module
        .findObjects(
            session,
            List.of(Attribute.of(Cka.CLASS, Cka.CKO_PRIVATE_KEY), Attribute.of(Cka.ID, ID.bytes())),
            2)[0];
  }

  private void login(SessionHandle session) {
    try (Pin pin = token.pin().read()) {
      module.login(session, pin.characters());
    }
  }

  private long slot() {
    return slot(token);
  }

  private long slot(SoftToken wanted) {
    for (long slot : module.slotsWithToken()) {
      if (label(slot).equals(wanted.label())) {
        return slot;
      }
    }
    throw new AssertionError("no slot with " + wanted.label());
  }

  private String label(long slot) {
    return module.tokenLabel(slot);
  }

  private static CryptokiException failure(Runnable call) {
    return catchThrowableOfType(CryptokiException.class, call::run);
  }

  private static boolean verifies(
      String algorithm, String keyType, KeyRef key, byte[] message, byte[] signature)
      throws GeneralSecurityException {
    Signature verifier = Signature.getInstance(algorithm);
    verifier.initVerify(
        KeyFactory.getInstance(keyType)
            .generatePublic(new X509EncodedKeySpec(key.publicKey().der())));
    verifier.update(message);
    return verifier.verify(signature);
  }
}
