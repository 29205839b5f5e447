package org.sluiceca.hsm.ceremony;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.pkcs11.Attribute;
import org.sluiceca.hsm.pkcs11.Cka;
import org.sluiceca.hsm.pkcs11.Session;
import org.sluiceca.hsm.pkcs11.Token;
import org.sluiceca.hsm.pkcs11.WrapperCryptoki;
import org.sluiceca.hsm.testkit.SoftHsm;
import org.sluiceca.hsm.testkit.SoftHsm.SoftToken;

class KeyCeremonyTest {
  private static final CkaId ID = CkaId.parse("01");

  @Test
  void generateIfAbsent_twice_samePair() {
    SoftToken token = SoftHsm.newToken("twice");
    try (KeyCeremony ceremony = open(token)) {
      KeyRef made = ceremony.generateIfAbsent(ID, "root", KeyAlgorithm.EC_P384);

      assertThat(ceremony.generateIfAbsent(ID, "root", KeyAlgorithm.EC_P384)).isEqualTo(made);
      assertThat(ceremony.find(ID)).contains(made);
    }
  }

  @Test
  void generateIfAbsent_privateKey_signsAndNothingElse() {
    SoftToken token = SoftHsm.newToken("attributes");
    try (KeyCeremony ceremony = open(token);
        Session session = session(token)) {
      ceremony.generateIfAbsent(ID, "root", KeyAlgorithm.RSA_2048);

      long key = session.privateKeyHandle(ID).orElseThrow();
      assertThat(List.of(Cka.TOKEN, Cka.PRIVATE, Cka.SENSITIVE, Cka.SIGN))
          .allMatch(type -> session.isSet(key, type));
      assertThat(List.of(Cka.EXTRACTABLE, Cka.DECRYPT, Cka.UNWRAP, Cka.DERIVE))
          .noneMatch(type -> session.isSet(key, type));
    }
  }

  @Test
  void find_absent_empty() {
    SoftToken token = SoftHsm.newToken("empty");
    try (KeyCeremony ceremony = open(token)) {
      assertThat(ceremony.find(ID)).isEmpty();
    }
  }

  @Test
  void holds_sameIdAndPublicKeyAlone() {
    SoftToken token = SoftHsm.newToken("holds");
    SoftToken other = SoftHsm.newToken("holds-not");
    try (KeyCeremony ceremony = open(token);
        KeyCeremony elsewhere = open(other)) {
      KeyRef made = ceremony.generateIfAbsent(ID, "root", KeyAlgorithm.EC_P256);

      assertThat(ceremony.holds(made)).isTrue();
      assertThat(ceremony.holds(new KeyRef(CkaId.parse("02"), made.publicKey()))).isFalse();
      assertThat(elsewhere.holds(made)).isFalse();
      elsewhere.generateIfAbsent(ID, "root", KeyAlgorithm.EC_P256);
      assertThat(elsewhere.holds(made)).isFalse();
    }
  }

  /** As a vendor's import leaves it: a node signs with it, so it is to be measured for. */
  @Test
  void holds_keyThatIsUnfit_itDoes() {
    SoftToken token = SoftHsm.newToken("holds-unfit");
    try (KeyCeremony ceremony = open(token);
        Session session = session(token)) {
      generate(session, true);

      assertThat(ceremony.holds(new KeyRef(ID, session.publicKey(ID)))).isTrue();
    }
  }

  @Test
  void find_twoPrivateKeysWithOneId_refused() {
    SoftToken token = SoftHsm.newToken("double");
    try (KeyCeremony ceremony = open(token);
        Session session = session(token)) {
      generate(session, false);
      generate(session, false);

      assertThatThrownBy(() -> ceremony.find(ID))
          .isInstanceOf(HsmException.KeyMissing.class)
          .hasMessage("the token has two private keys with CKA_ID 01");
    }
  }

  @Test
  void generateIfAbsent_existingKeyIsExtractable_refused() {
    SoftToken token = SoftHsm.newToken("extractable");
    try (KeyCeremony ceremony = open(token);
        Session session = session(token)) {
      generate(session, true);

      assertThatThrownBy(() -> ceremony.generateIfAbsent(ID, "root", KeyAlgorithm.EC_P256))
          .isInstanceOf(HsmException.KeyUnfit.class)
          .hasMessage("the private key with CKA_ID 01 is not fit for a CA: CKA_EXTRACTABLE is set");
    }
  }

  private static KeyCeremony open(SoftToken token) {
    return KeyCeremony.open(SoftHsm.library(), token.label(), token.pin());
  }

  /** Shares the ceremony's login: a login is the application's, not the session's. */
  private static Session session(SoftToken token) {
    return Token.find(WrapperCryptoki.load(SoftHsm.library()), token.label()).openSession(true);
  }

  private static void generate(Session session, boolean isExtractable) {
    session.generateKeyPair(
        KeyAlgorithm.EC_P256.ckm(),
        List.of(
            KeyAlgorithm.EC_P256.publicAttributes().getFirst(),
            Attribute.of(Cka.TOKEN, true),
            Attribute.of(Cka.ID, ID.bytes())),
        List.of(
            Attribute.of(Cka.TOKEN, true),
            Attribute.of(Cka.SENSITIVE, true),
            Attribute.of(Cka.EXTRACTABLE, isExtractable),
            Attribute.of(Cka.SIGN, true),
            Attribute.of(Cka.ID, ID.bytes())));
  }
}
