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
import org.sluiceca.core.testkit.Fixtures;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SubjectPublicKeyInfo;

class IssuerCostsTest {

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
    IssuerCosts costs = costs();

    assertThat(costs.of(EC)).isEqualTo(1);
    assertThat(costs.of(RSA)).isEqualTo(8);
  }

  /** Whatever tokens they are in: else costs would follow every moving average. */
  @Test
  void cost_oneKind_allOne() {
    takes(EC, 133);
    takes(OTHER_EC, 171);
    IssuerCosts costs = costs();

    assertThat(costs.of(EC)).isEqualTo(1);
    assertThat(costs.of(OTHER_EC)).isEqualTo(1);
  }

  @Test
  void cost_nothingKnown_one() {
    IssuerCosts costs = costs();

    assertThat(costs.of(RSA)).isEqualTo(1);
    takes(RSA, 1_000);
    now += SECOND;
    assertThat(costs.of(RSA)).as("of the only kind that is known").isEqualTo(1);
    assertThat(costs.of(EC)).isEqualTo(1);
    assertThat(costs.of(new IssuerName("nobody"))).isEqualTo(1);
  }

  @Test
  void cost_wildMeasurement_sixtyFour() {
    takes(EC, 1);
    takes(RSA, 1_000);

    assertThat(costs().of(RSA)).isEqualTo(64);
  }

  @Test
  void cost_ofAProfile_itsIssuers() {
    takes(EC, 800);
    takes(RSA, 100);
    IssuerCosts costs = costs();

    assertThat(costs.of(Fixtures.profiles().getFirst().name())).isEqualTo(8);
    assertThat(costs.of(new ProfileName("unknown"))).isEqualTo(1);
  }

  @Test
  void cost_askedManyTimes_tokensAskedOnceASecond() {
    takes(EC, 100);
    takes(RSA, 300);
    IssuerCosts costs = costs();
    for (int i = 0; i < 1_000; i++) {
      assertThat(costs.of(RSA)).isEqualTo(3);
      now += MILLISECOND / 2;
    }
    assertThat(asked).isEqualTo(keys.size());

    takes(RSA, 500);
    assertThat(costs.of(RSA)).isEqualTo(3);
    now += SECOND / 2;
    assertThat(costs.of(RSA)).isEqualTo(5);
    assertThat(asked).isEqualTo(2 * keys.size());
  }

  private void takes(IssuerName issuer, long millis) {
    nanos.put(keys.get(KeyName.of(issuer)), millis * MILLISECOND);
  }

  private IssuerCosts costs() {
    return new IssuerCosts(
        new ProfileCatalog(List.of(Fixtures.profiles().getFirst())),
        keys,
        this::costNanos,
        () -> now);
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
