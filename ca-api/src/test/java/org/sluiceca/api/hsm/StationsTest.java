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
import org.sluiceca.core.sign.Station;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.HsmStats;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SubjectPublicKeyInfo;
import org.sluiceca.hsm.route.TokenGroup.Engines;

class StationsTest {

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
    Stations stations = stations();

    assertThat(stations.of(HOME)).isEqualTo(stations.of(TWIN)).isEqualTo(new Station("near"));
    assertThat(stations.of(AWAY)).isEqualTo(new Station("far#1"));
    assertThat(stations.of(new KeyName("nobody"))).isEqualTo(stations.any());
    assertThat(stations.capacityPerSecond(new Station("near"))).isEqualTo(2_000);
    assertThat(stations.capacityPerSecond(new Station("far#1"))).isEqualTo(50);
    assertThat(stations.capacityPerSecond(new Station("gone"))).isZero();
  }

  @Test
  void of_keyInSeveralTokens_aStationOfItsOwnWhateverTheirOrder() {
    at(HOME, engines("near", 0, true, 4, 2_000_000));
    at(TWIN, engines("near", 0, true, 4, 2_000_000), engines("far", 0, true, 1, 10_000_000));
    at(AWAY, engines("far", 0, true, 1, 10_000_000), engines("near", 0, true, 4, 2_000_000));
    Stations stations = stations();

    assertThat(stations.of(TWIN)).isEqualTo(stations.of(AWAY)).isNotEqualTo(stations.of(HOME));
    assertThat(stations.capacityPerSecond(stations.of(TWIN))).isEqualTo(2_100);
  }

  @Test
  void isUsable_oneTokenLost_itsStationAlone() {
    at(HOME, engines("near", 0, true, 4, 2_000_000));
    at(TWIN, engines("near", 0, true, 4, 2_000_000), engines("far", 0, false, 1, 10_000_000));
    at(AWAY, engines("far", 0, false, 1, 10_000_000));
    Stations stations = stations();

    assertThat(stations.isUsable(stations.of(HOME))).isTrue();
    assertThat(stations.isUsable(stations.of(TWIN))).isTrue();
    assertThat(stations.isUsable(stations.of(AWAY))).isFalse();
    assertThat(stations.capacityPerSecond(stations.of(TWIN))).isEqualTo(2_000);
    assertThat(stations.isUsable(Station.ONLY)).as("unknown: any of all").isTrue();
    at(HOME, engines("near", 0, false, 4, 2_000_000));
    at(TWIN, engines("near", 0, false, 4, 2_000_000));
    assertThat(stations.isUsable(stations.of(HOME))).as("asked each time").isFalse();
    assertThat(stations.isUsable(Station.ONLY)).isFalse();
  }

  @Test
  void of_keyInNoToken_aStationThatSignsNothing() {
    at(HOME, engines("near", 0, true, 4, 2_000_000));
    at(TWIN);
    at(AWAY);
    Stations stations = stations();

    assertThat(stations.isUsable(stations.of(TWIN))).isFalse();
    assertThat(stations.of(TWIN)).isNotEqualTo(stations.of(AWAY));
    at(TWIN, engines("near", 0, true, 4, 2_000_000));
    now += SECOND;
    assertThat(stations.of(TWIN)).as("its token has come").isEqualTo(stations.of(HOME));
  }

  /** As a root's that is kept offline, whose profiles the node refuses. */
  @Test
  void any_firstKeyInNoToken_whereAnotherIs() {
    at(AWAY);
    at(HOME, engines("near", 0, true, 4, 2_000_000));
    at(TWIN, engines("near", 0, true, 4, 2_000_000));
    Stations stations = stations();

    assertThat(stations.any()).isEqualTo(new Station("near"));
    assertThat(stations.isUsable(stations.of(AWAY))).isFalse();
  }

  @Test
  void any_noTokenYet_noneIsUsable() {
    keys.keySet().forEach(this::at);
    Stations stations = stations();

    assertThat(stations.isUsable(stations.any())).isFalse();
  }

  @Test
  void of_askedManyTimes_tokensAskedOnceASecond() {
    keys.keySet().forEach(name -> at(name, engines("near", 0, true, 4, 2_000_000)));
    Stations stations = stations();
    for (int i = 0; i < 1_000; i++) {
      assertThat(stations.of(HOME).name()).isEqualTo("near");
      now += SECOND / 1_001;
    }
    assertThat(asked).isEqualTo(keys.size());
  }

  private void at(KeyName name, Engines... where) {
    engines.put(keys.get(name), List.of(where));
  }

  private Stations stations() {
    return new Stations(keys, this::engines, () -> now);
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
