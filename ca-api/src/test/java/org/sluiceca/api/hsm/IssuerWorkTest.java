package org.sluiceca.api.hsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sluiceca.core.profile.ProfileCatalog;
import org.sluiceca.core.request.ProfileName;
import org.sluiceca.core.sign.KeyName;
import org.sluiceca.core.sign.SigningPool;
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SubjectPublicKeyInfo;
import org.sluiceca.hsm.route.TokenGroup.Engines;

class IssuerWorkTest {

  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000 * MILLISECOND;
  private static final IssuerName EC = Fixtures.ISSUING;
  private static final IssuerName OTHER_EC = new IssuerName("other-ec");
  private static final IssuerName RSA = new IssuerName("rsa");

  private final Map<KeyRef, Long> nanos = new HashMap<>();
  private final Map<KeyName, KeyRef> keys =
      Map.of(
          KeyName.of(EC), key(1, "EC", 256),
          KeyName.of(OTHER_EC), key(2, "EC", 256),
          KeyName.of(RSA), key(3, "RSA", 2048));
  private long now = -SECOND / 2;
  private int asked;

  @Test
  void cost_twoKinds_relativeToTheCheapest() {
    takes(EC, 133);
    takes(RSA, 1_064);
    IssuerWork work = work();

    assertThat(work.of(EC).cost()).isEqualTo(1);
    assertThat(work.of(RSA).cost()).isEqualTo(8);
  }

  /** Whatever tokens they are in: else costs would follow every moving average. */
  @Test
  void cost_oneKind_allOne() {
    takes(EC, 133);
    takes(OTHER_EC, 171);
    IssuerWork work = work();

    assertThat(work.of(EC).cost()).isEqualTo(1);
    assertThat(work.of(OTHER_EC).cost()).isEqualTo(1);
  }

  @Test
  void cost_nothingKnown_one() {
    IssuerWork work = work();

    assertThat(work.of(RSA).cost()).isEqualTo(1);
    takes(RSA, 1_000);
    now += SECOND;
    assertThat(work.of(RSA).cost()).as("of the only kind that is known").isEqualTo(1);
    assertThat(work.of(EC).cost()).isEqualTo(1);
    assertThat(work.of(new IssuerName("unknown")).cost()).isEqualTo(1);
  }

  @Test
  void cost_wildMeasurement_sixtyFour() {
    takes(EC, 1);
    takes(RSA, 1_000);

    assertThat(work().of(RSA).cost()).isEqualTo(64);
  }

  @Test
  void cost_ofAProfile_itsIssuers() {
    takes(EC, 800);
    takes(RSA, 100);
    IssuerWork work = work();

    assertThat(work.of(EC).pool()).isEqualTo(new SigningPool("near"));
    assertThat(work.of(RSA).pool()).isEqualTo(new SigningPool("far"));
    assertThat(work.of(Fixtures.profiles().getFirst().name()).cost()).isEqualTo(8);
    assertThat(work.of(new ProfileName("unknown")).cost()).isEqualTo(1);
  }

  /** Its key is in no token of a node: that must not answer before the policy does. */
  @Test
  void of_ceremonyProfileOfAnOfflineRoot_whereOthersSign() {
    KeyName root = KeyName.of(Fixtures.issuingCa().issuer());
    Map<KeyName, KeyRef> withRoot = new HashMap<>(keys);
    withRoot.put(root, key(4, "EC", 384));
    SigningPools pools =
        new SigningPools(
            withRoot,
            (key, mechanism) ->
                key.equals(withRoot.get(root)) ? List.of() : engines(key, mechanism),
            () -> now);
    IssuerWork work =
        new IssuerWork(
            new ProfileCatalog(Fixtures.profiles()),
            withRoot,
            pools,
            (key, mechanism) -> 0,
            () -> now);

    assertThat(pools.isUsable(pools.of(root))).isFalse();
    assertThat(work.of(Fixtures.issuingCa().name()).pool()).isEqualTo(pools.any());
    assertThat(pools.isUsable(pools.any())).isTrue();
  }

  @Test
  void cost_askedManyTimes_tokensAskedOnceASecond() {
    takes(EC, 100);
    takes(RSA, 300);
    IssuerWork work = work();
    for (int i = 0; i < 1_000; i++) {
      assertThat(work.of(RSA).cost()).isEqualTo(3);
      now += MILLISECOND / 2;
    }
    assertThat(asked).isEqualTo(keys.size());

    takes(RSA, 500);
    assertThat(work.of(RSA).cost()).isEqualTo(3);
    now += SECOND / 2;
    assertThat(work.of(RSA).cost()).isEqualTo(5);
    assertThat(asked).isEqualTo(2 * keys.size());
  }

  private void takes(IssuerName issuer, long millis) {
    nanos.put(keys.get(KeyName.of(issuer)), millis * MILLISECOND);
  }

  private IssuerWork work() {
    return new IssuerWork(
        new ProfileCatalog(List.of(Fixtures.profiles().getFirst())),
        keys,
        new SigningPools(keys, this::engines, () -> now),
        this::costNanos,
        () -> now);
  }

  /** EC keys are in one token, the RSA key in another. */
  private List<Engines> engines(KeyRef key, Mechanism mechanism) {
    String token = key.equals(keys.get(KeyName.of(RSA))) ? "far" : "near";
    return List.of(SigningPoolsTest.engines(token, 0, true, 4, 1));
  }

  private long costNanos(KeyRef key, Mechanism mechanism) {
    asked++;
    assertThat(mechanism)
        .isEqualTo(
            key.publicKey().bits() == 256 ? Mechanism.ECDSA_SHA256 : Mechanism.RSA_PKCS1_SHA256);
    return nanos.getOrDefault(key, 0L);
  }

  private static KeyRef key(int id, String algorithm, int bits) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
      generator.initialize(bits);
      return new KeyRef(
          CkaId.of(new byte[] {(byte) id}),
          SubjectPublicKeyInfo.of(generator.generateKeyPair().getPublic().getEncoded()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
