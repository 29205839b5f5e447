package org.sluiceca.hsm.vendor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.pkcs11.Ckr;
import org.sluiceca.hsm.pkcs11.CryptokiException;

class CkrProfileTest {
  @Test
  void classify_unknownCode_failsClosed() {
    CryptokiException unknown = new CryptokiException("C_Sign", new Ckr(0x80000001L));

    assertThat(CkrProfile.DEFAULT.classify(unknown.ckr())).isEqualTo(FailureClass.UNKNOWN);
    assertThat(CkrProfile.DEFAULT.translate(unknown))
        .isInstanceOf(HsmException.Unexpected.class)
        .hasMessage("C_Sign: CKR 0x80000001 (UNKNOWN by profile default)");
  }

  @Test
  void classify_deviceError_busyOnlyWhereTheVendorSaysSo() {
    assertThat(CkrProfile.DEFAULT.classify(Ckr.DEVICE_ERROR)).isEqualTo(FailureClass.TOKEN_LOST);
    assertThat(CkrProfile.named("google-kms").classify(Ckr.DEVICE_ERROR))
        .isEqualTo(FailureClass.BUSY);
  }

  @Test
  void translate_sameCodeBeforeAndInSign_mayHaveExecutedOnlyInSign() {
    assertThat(translate("C_SignInit", Ckr.DEVICE_ERROR).mayHaveExecuted()).isFalse();
    assertThat(translate("C_Sign", Ckr.DEVICE_ERROR).mayHaveExecuted()).isTrue();
    assertThat(translate("C_Sign", Ckr.USER_NOT_LOGGED_IN).mayHaveExecuted()).isFalse();
  }

  @Test
  void everyCodeOfEveryProfile_hasANameOfTheStandard() {
    for (CkrProfile profile : CkrProfiles.shipped().byName().values()) {
      assertThat(profile.classes().keySet())
          .as(profile.name())
          .allSatisfy(ckr -> assertThat(ckr.toString()).startsWith("CKR_"));
    }
  }

  /**
   * Otherwise a node would offer a wrong PIN again, or take a lost token for a busy one without
   * end.
   */
  @Test
  void everyProfile_pinAndRemovalMeanWhatTheyMean() {
    for (CkrProfile profile : CkrProfiles.shipped().byName().values()) {
      assertThat(profile.classify(Ckr.PIN_LOCKED)).isEqualTo(FailureClass.PIN_REFUSED);
      assertThat(profile.classify(Ckr.DEVICE_REMOVED)).isEqualTo(FailureClass.TOKEN_LOST);
      assertThat(profile.classify(Ckr.TOKEN_NOT_PRESENT)).isEqualTo(FailureClass.TOKEN_LOST);
      assertThat(profile.classify(Ckr.CRYPTOKI_NOT_INITIALIZED)).isEqualTo(FailureClass.TOKEN_LOST);
    }
  }

  @Test
  void nethsm_bothBusyCodesAreBusy() {
    CkrProfile nethsm = CkrProfile.named("nethsm");

    assertThat(nethsm.classify(Ckr.DEVICE_ERROR)).isEqualTo(FailureClass.BUSY);
    assertThat(nethsm.classify(Ckr.FUNCTION_FAILED)).isEqualTo(FailureClass.BUSY);
    assertThat(nethsm.reinitialiseWhenLost()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "/usr/lib/softhsm/libsofthsm2.so, softhsm",
    "/opt/cloudhsm/lib/libcloudhsm_pkcs11.so, cloudhsm",
    "/usr/lib/libkmsp11.so, google-kms",
    "/usr/lib/x86_64-linux-gnu/pkcs11/yubihsm_pkcs11.so, yubihsm",
    "/usr/safenet/lunaclient/lib/libCryptoki2_64.so, luna",
    "/opt/nfast/toolkits/pkcs11/libcknfast.so, nshield",
    "/opt/vendor/libother.so, default"
  })
  void forModule_fileName_choosesTheProfile(String module, String name) {
    assertThat(CkrProfile.forModule(Path.of(module)).name()).isEqualTo(name);
  }

  @Test
  void named_unknown_saysWhichThereAre() {
    assertThatThrownBy(() -> CkrProfile.named("acme"))
        .hasMessage(
            "no vendor 'acme'; there are default, softhsm, cloudhsm, google-kms, yubihsm, luna,"
                + " nshield, nethsm");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0x002 CKR_HOST_MEMORY BUSY | line 1: no profile has begun",
        "profile a;0x002 CKR_DEVICE_MEMORY BUSY | line 2: 0x002 is CKR_HOST_MEMORY and not CKR_DEVICE_MEMORY",
        "profile a;0x002 CKR_HOST_MEMORY SLEEPY | line 2: No enum constant",
        "profile a;0x002 CKR_HOST_MEMORY BUSY;0x2 CKR_HOST_MEMORY BUSY | line 3: CKR_HOST_MEMORY is there before",
        "profile a;profile a | line 2: the profile a is there before",
        "profile a extends b | line 1: no profile above to extend",
        "profile a;reinitialise maybe | line 2: 'reinitialise' takes yes or no",
        "profile a;what is this | line 2: neither a setting nor a code"
      })
  void parse_mistake_namesTheLine(String table, String message) {
    assertThatThrownBy(() -> CkrProfiles.parse(table.replace(';', '\n')))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("ckr-profiles.txt " + message);
  }

  private static HsmException translate(String function, Ckr ckr) {
    return CkrProfile.DEFAULT.translate(new CryptokiException(function, ckr));
  }
}
