package org.sluiceca.hsm.vendor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
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
    assertThat(CkrProfile.GOOGLE_KMS.classify(Ckr.DEVICE_ERROR)).isEqualTo(FailureClass.BUSY);
  }

  @Test
  void translate_sameCodeBeforeAndInSign_mayHaveExecutedOnlyInSign() {
    assertThat(translate("C_SignInit", Ckr.DEVICE_ERROR).mayHaveExecuted()).isFalse();
    assertThat(translate("C_Sign", Ckr.DEVICE_ERROR).mayHaveExecuted()).isTrue();
    assertThat(translate("C_Sign", Ckr.USER_NOT_LOGGED_IN).mayHaveExecuted()).isFalse();
  }

  @Test
  void everyCodeOfTheDefault_hasANameOfTheStandard() {
    assertThat(CkrProfile.DEFAULT.classes().keySet())
        .allSatisfy(ckr -> assertThat(ckr.toString()).startsWith("CKR_"));
  }

  @Test
  void forModule_fileName_choosesTheProfile() {
    assertThat(CkrProfile.forModule(Path.of("/usr/lib/softhsm/libsofthsm2.so")))
        .isSameAs(CkrProfile.SOFTHSM);
    assertThat(CkrProfile.forModule(Path.of("/opt/vendor/libother.so")))
        .isSameAs(CkrProfile.DEFAULT);
  }

  private static HsmException translate(String function, Ckr ckr) {
    return CkrProfile.DEFAULT.translate(new CryptokiException(function, ckr));
  }
}
