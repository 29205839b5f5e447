package org.sluiceca.api.hsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.sign.SigningPool;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.HsmStats;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SubjectPublicKeyInfo;
import org.sluiceca.hsm.route.TokenGroup.Engines;

class SigningPoolsTest {

  private static final long SECOND = 1_000_000_000;
  private static final KeyName HOME = new KeyName("home");
  private static final KeyName TWIN = new KeyName("twin");
  private static final KeyName AWAY = new KeyName("away");

  private final Map<KeyName, KeyRef> keys = Map.of(HOME, key(1), TWIN, key(2), AWAY, key(3));
  private final Map<KeyRef, List<Engines>> engines = new ConcurrentHashMap<>();
  private long now = -SECOND;
  private int asked;

  @Test
  void of_sameEngines_oneStation() {
    at(HOME, engines("near", 0, true, 4, 2_000_000));
    at(TWIN, engines("near", 0, true, 4, 2_000_000));
    at(AWAY, engines("far", 1, true, 8, 160_000_000));
    SigningPools pools = pools();

    assertThat(pools.of(HOME)).isEqualTo(pools.of(TWIN)).isEqualTo(new SigningPool("near"));
    assertThat(pools.of(AWAY)).isEqualTo(new SigningPool("far#1"));
    assertThat(pools.of(new KeyName("unknown"))).isEqualTo(pools.any());
    assertThat(pools.capacityPerSecond(new SigningPool("near"))).isEqualTo(2_000);
    assertThat(pools.capacityPerSecond(new SigningPool("far#1"))).isEqualTo(50);
    assertThat(pools.capacityPerSecond(new SigningPool("gone"))).isZero();
  }

  @Test
  void of_keyInSeveralTokens_aStationOfItsOwnWhateverTheirOrder() {
    at(HOME, engines("near", 0, true, 4, 2_000_000));
    at(TWIN, engines("near", 0, true, 4, 2_000_000), engines("far", 0, true, 1, 10_000_000));
    at(AWAY, engines("far", 0, true, 1, 10_000_000), engines("near", 0, true, 4, 2_000_000));
    SigningPools pools = pools();

    assertThat(pools.of(TWIN)).isEqualTo(pools.of(AWAY)).isNotEqualTo(pools.of(HOME));
    assertThat(pools.capacityPerSecond(pools.of(TWIN))).isEqualTo(2_100);
  }

  @Test
  void isUsable_oneTokenLost_itsStationAlone() {
    at(HOME, engines("near", 0, true, 4, 2_000_000));
    at(TWIN, engines("near", 0, true, 4, 2_000_000), engines("far", 0, false, 1, 10_000_000));
    at(AWAY, engines("far", 0, false, 1, 10_000_000));
    SigningPools pools = pools();

    assertThat(pools.isUsable(pools.of(HOME))).isTrue();
    assertThat(pools.isUsable(pools.of(TWIN))).isTrue();
    assertThat(pools.isUsable(pools.of(AWAY))).isFalse();
    assertThat(pools.capacityPerSecond(pools.of(TWIN))).isEqualTo(2_000);
    assertThat(pools.isUsable(SigningPool.ONLY)).as("unknown: any of all").isTrue();
    at(HOME, engines("near", 0, false, 4, 2_000_000));
    at(TWIN, engines("near", 0, false, 4, 2_000_000));
    assertThat(pools.isUsable(pools.of(HOME))).as("asked each time").isFalse();
    assertThat(pools.isUsable(SigningPool.ONLY)).isFalse();
  }

  @Test
  void of_keyInNoToken_aStationThatSignsNothing() {
    at(HOME, engines("near", 0, true, 4, 2_000_000));
    at(TWIN);
    at(AWAY);
    SigningPools pools = pools();

    assertThat(pools.isUsable(pools.of(TWIN))).isFalse();
    assertThat(pools.of(TWIN)).isNotEqualTo(pools.of(AWAY));
    at(TWIN, engines("near", 0, true, 4, 2_000_000));
    now += SECOND;
    assertThat(pools.of(TWIN)).as("its token has come").isEqualTo(pools.of(HOME));
  }

  /** As a root's that is kept offline, whose profiles the node refuses. */
  @Test
  void any_firstKeyInNoToken_whereAnotherIs() {
    at(AWAY);
    at(HOME, engines("near", 0, true, 4, 2_000_000));
    at(TWIN, engines("near", 0, true, 4, 2_000_000));
    SigningPools pools = pools();

    assertThat(pools.any()).isEqualTo(new SigningPool("near"));
    assertThat(pools.isUsable(pools.of(AWAY))).isFalse();
  }

  @Test
  void any_noTokenYet_noneIsUsable() {
    keys.keySet().forEach(this::at);
    SigningPools pools = pools();

    assertThat(pools.isUsable(pools.any())).isFalse();
  }

  @Test
  void of_askedManyTimes_tokensAskedOnceASecond() {
    keys.keySet().forEach(name -> at(name, engines("near", 0, true, 4, 2_000_000)));
    SigningPools pools = pools();
    for (int i = 0; i < 1_000; i++) {
      assertThat(pools.of(HOME).name()).isEqualTo("near");
      now += SECOND / 1_001;
    }
    assertThat(asked).isEqualTo(keys.size());
  }

  private void at(KeyName name, Engines... where) {
    engines.put(keys.get(name), List.of(where));
  }

  private SigningPools pools() {
    return new SigningPools(keys, this::engines, () -> now);
  }

  private List<Engines> engines(KeyRef key, Mechanism mechanism) {
    asked++;
    assertThat(mechanism).isEqualTo(Mechanism.ECDSA_SHA256);
    return new ArrayList<>(engines.get(key));
  }

  static Engines engines(String token, int group, boolean isUsable, double window, long nanos) {
    HsmStats stats =
        new HsmStats(
            isUsable ? HsmState.READY : HsmState.TOKEN_LOST,
            isUsable,
            0,
            512,
            0,
            List.of(),
            0,
            window,
            0,
            8,
            0,
            0,
            nanos,
            0);
    return new Engines(token, group, stats);
  }

  private static KeyRef key(int id) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      return new KeyRef(
          CkaId.of(new byte[] {(byte) id}),
          SubjectPublicKeyInfo.of(generator.generateKeyPair().getPublic().getEncoded()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
