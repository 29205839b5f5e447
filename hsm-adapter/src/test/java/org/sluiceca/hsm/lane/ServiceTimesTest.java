package org.sluiceca.hsm.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignatureClass;

class ServiceTimesTest {

  private static final SignatureClass EC = new SignatureClass(Mechanism.ECDSA_SHA256, 256);
  private static final SignatureClass RSA = new SignatureClass(Mechanism.RSA_PKCS1_SHA256, 4096);

  /** Both wait 20 ms in the token: what they take of its engines is not 40 : 180. */
  @Test
  void cost_calibrated_theEnginesTimeWhateverTheyWait() {
    ServiceTimes times = new ServiceTimes(Map.of(EC, 0.020, RSA, 0.160));

    times.learn(EC, 40_000_000);
    times.learn(RSA, 180_000_000);

    assertThat(times.costNanos(EC)).isEqualTo(20_000_000);
    assertThat(times.costNanos(RSA)).isEqualTo(160_000_000);
    assertThat(times.stayNanos(EC)).isEqualTo(40_000_000);
    assertThat(times.stayNanos(RSA)).isEqualTo(180_000_000);
  }

  @Test
  void cost_notCalibrated_theStay() {
    ServiceTimes times = new ServiceTimes();
    assertThat(times.costNanos(EC)).isEqualTo(1);

    times.learn(RSA, 180_000_000);
    assertThat(times.costNanos(EC)).isEqualTo(180_000_000);
    assertThat(times.knownCostNanos(EC)).isZero();

    times.learn(EC, 40_000_000);
    assertThat(times.costNanos(EC)).isEqualTo(40_000_000);
  }
}
