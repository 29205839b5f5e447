package org.sluiceca.api.hsm.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.sluiceca.api.hsm.lease.WindowSettings.Kind;
import org.sluiceca.hsm.Calibration;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.EngineGroup;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignatureClass;
import org.sluiceca.hsm.SubjectPublicKeyInfo;
import org.sluiceca.hsm.Window;

class WindowSettingsTest {

  private static final Optional<Calibration> P256 =
      Optional.of(
          new Calibration(8, Map.of(new SignatureClass(Mechanism.ECDSA_SHA256, 256), 0.04)));

  private final List<KeyRef> keys = List.of(key("secp256r1"));

  @Test
  void window_calibrated_steeredWithRoomForANodeAlone() {
    WindowSettings settings = settings(Kind.SHARED, 0);

    List<? extends Window> windows = settings.windows(keys, P256);

    Window.Steered steered = new Window.Steered(P256.orElseThrow().groups().getFirst(), 150, 3);
    assertThat(windows).isEqualTo(List.of(steered));
    assertThat(settings.sessionsFor(windows)).isEqualTo(98);
    assertThat(settings.shared(windows.getFirst())).contains(steered);
  }

  @Test
  void window_alone_steeredAndNotShared() {
    WindowSettings settings = settings(Kind.ALONE, 0);

    Window window = settings.windows(keys, P256).getFirst();

    assertThat(window).isInstanceOf(Window.Steered.class);
    assertThat(settings.shared(window)).isEmpty();
  }

  @Test
  void window_sessionsGiven_theyBoundIt() {
    WindowSettings settings = settings(Kind.SHARED, 16);

    assertThat(settings.sessionsFor(settings.windows(keys, P256))).isEqualTo(16);
    assertThat(settings.windows(keys, Optional.empty())).isEqualTo(List.of(new Window.Fixed(16)));
  }

  @Test
  void window_notCalibratedOrNotForAllKeysOrFixed_asManyAsBefore() {
    WindowSettings shared = settings(Kind.SHARED, 0);
    List<KeyRef> more = List.of(keys.getFirst(), key("secp384r1"));
    List<Window> fixed = List.of(new Window.Fixed(8));

    assertThat(shared.windows(keys, Optional.empty())).isEqualTo(fixed);
    assertThat(shared.windows(more, P256)).isEqualTo(fixed);
    assertThat(settings(Kind.FIXED, 0).windows(keys, P256)).isEqualTo(fixed);
    assertThat(shared.sessionsFor(fixed)).isEqualTo(8);
    assertThat(shared.shared(fixed.getFirst())).isEmpty();
  }

  @Test
  void window_enginesApart_oneForEachWithItsPartOfTheQueueAndASession() {
    EngineGroup ec = P256.orElseThrow().groups().getFirst();
    EngineGroup rsa =
        new EngineGroup(2, Map.of(new SignatureClass(Mechanism.RSA_PKCS1_SHA256, 4096), 0.3));
    Optional<Calibration> apart = Optional.of(new Calibration(List.of(ec, rsa)));

    List<? extends Window> windows = settings(Kind.SHARED, 0).windows(keys, apart);

    assertThat(windows)
        .isEqualTo(List.of(new Window.Steered(ec, 75, 3), new Window.Steered(rsa, 75, 3)));
    assertThat(settings(Kind.SHARED, 0).sessionsFor(windows)).isEqualTo(53 + 47);
    assertThat(settings(Kind.SHARED, 1).sessionsFor(windows)).isEqualTo(2);
  }

  private static WindowSettings settings(Kind kind, int sessions) {
    return new WindowSettings("token", kind, sessions, 150, 3);
  }

  private static KeyRef key(String curve) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec(curve));
      return new KeyRef(
          CkaId.parse("01"),
          SubjectPublicKeyInfo.of(generator.generateKeyPair().getPublic().getEncoded()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
