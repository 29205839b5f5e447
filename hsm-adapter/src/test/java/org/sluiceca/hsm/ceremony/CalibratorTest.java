package org.sluiceca.hsm.ceremony;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sluiceca.hsm.Calibration;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.pkcs11.Attribute;
import org.sluiceca.hsm.pkcs11.Cka;
import org.sluiceca.hsm.pkcs11.Cryptoki;
import org.sluiceca.hsm.pkcs11.SessionHandle;
import org.sluiceca.hsm.pkcs11.WrapperCryptoki;
import org.sluiceca.hsm.testkit.SoftHsm;
import org.sluiceca.hsm.testkit.SoftHsm.SoftToken;

/** Calibration on a real module, SoftHSM, which signs on this host's own processors. */
// A calibration measures for seconds.
@Tag("slow")
class CalibratorTest {

  private static final SignatureClass P256 = new SignatureClass(Mechanism.ECDSA_SHA256, 256);
  private static final SignatureClass RSA = new SignatureClass(Mechanism.RSA_PKCS1_SHA256, 2048);

  @Test
  void calibrate_softToken_plausibleAndNothingLeftBehind() {
    SoftToken token = SoftHsm.newToken("calibrated");
    try (KeyCeremony ceremony = KeyCeremony.open(SoftHsm.library(), token.label(), token.pin())) {
      ceremony.generateIfAbsent(CkaId.parse("01"), "issuer", KeyAlgorithm.EC_P256);

      Calibration calibration = ceremony.calibrate(List.of(P256, RSA));

      // A busy host adds to the least that any processor takes, but not a second to each.
      assertThat(calibration.baseSeconds().get(P256)).isBetween(10e-6, 1.0);
      assertThat(calibration.baseSeconds().get(RSA)).isBetween(200e-6, 1.0);
      // The processors do both kinds. Rates that are measured one after the other say otherwise
      // where the host's other work ends between them: not three times in a row.
      for (int again = 0; again < 2 && calibration.groups().size() > 1; again++) {
        calibration = ceremony.calibrate(List.of(P256, RSA));
      }
      assertThat(calibration.groups()).hasSize(1);
      assertThat(calibration.groups().getFirst().engines()).isBetween(1, EngineRamp.IN_FLIGHT_MAX);
      assertThat(objects(token)).isEqualTo(2);
    }
  }

  @Test
  void calibrate_classWithoutKeys_refused() {
    SoftToken token = SoftHsm.newToken("unmade");
    try (KeyCeremony ceremony = KeyCeremony.open(SoftHsm.library(), token.label(), token.pin())) {
      assertThatThrownBy(
              () -> ceremony.calibrate(List.of(new SignatureClass(Mechanism.ECDSA_SHA256, 224))))
          .isInstanceOf(HsmException.RequestRefused.class);
    }
  }

  /** Keys in the token that outlive a session, and those of sessions that are open. */
  private static int objects(SoftToken token) {
    Cryptoki cryptoki = WrapperCryptoki.load(SoftHsm.library());
    for (long slot : cryptoki.slotsWithToken()) {
      if (cryptoki.tokenLabel(slot).equals(token.label())) {
        SessionHandle session = cryptoki.openSession(slot, false);
        try {
          return cryptoki.findObjects(
                      session, List.of(Attribute.of(Cka.CLASS, Cka.CKO_PRIVATE_KEY)), 10)
                  .length
              + cryptoki.findObjects(
                      session, List.of(Attribute.of(Cka.CLASS, Cka.CKO_PUBLIC_KEY)), 10)
                  .length;
        } finally {
          cryptoki.closeSession(session);
        }
      }
    }
    throw new AssertionError("no token " + token.label());
  }
}
