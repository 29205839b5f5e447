package org.sluiceca.hsm.isolate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.SignSchedule;
import org.sluiceca.hsm.ceremony.KeyAlgorithm;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.signer.HsmSigner;
import org.sluiceca.hsm.testkit.RecordingObserver;
import org.sluiceca.hsm.testkit.SoftHsm;
import org.sluiceca.hsm.testkit.SoftHsm.SoftToken;

/** A library that prints without end, text and other bytes, while it signs. */
@Timeout(180)
class ModuleOutputTest {
  private final RecordingObserver observer = new RecordingObserver();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void sign_libraryPrintsTenThousandLines_signsAndFiftyAreLogged() {
    SoftToken token = SoftHsm.newToken("prints");
    KeyRef key;
    try (KeyCeremony ceremony = KeyCeremony.open(SoftHsm.library(), token.label(), token.pin())) {
      key = ceremony.generateIfAbsent(CkaId.parse("01"), "prints", KeyAlgorithm.EC_P256);
    }
    FaultModule module = FaultModule.build(folder);
    HsmSettings settings =
        HsmSettings.of(module.library(), token.label(), token.pin())
            .withIsolated(true)
            .withCallTimeout(Duration.ofMinutes(1));
    long start = System.nanoTime();
    try (HsmSigner signer = HsmSigner.open(settings, List.of(key), observer)) {
      module.misbehave("print");
      for (int i = 0; i < 3; i++) {
        byte[] signature =
            signer.sign(
                new SignRequest(
                    key,
                    Mechanism.ECDSA_SHA256,
                    new byte[] {1},
                    SignSchedule.by(System.nanoTime() + 60_000_000_000L)));
        assertThat(signature).hasSize(64);
      }
    }

    // In each window of ten seconds; what was not logged was counted.
    long windows = 2 + (System.nanoTime() - start) / OutputLines.WINDOW.toNanos();
    List<String> printed =
        observer.notes.stream().filter(line -> line.contains("of the library")).toList();
    assertThat(printed).hasSizeBetween(1, Math.toIntExact(windows) * OutputLines.LINES_MAX);
    assertThat(observer.notes)
        .allMatch(line -> line.startsWith("module of token prints: "))
        .allMatch(line -> line.length() < OutputLines.LINE_MAX + 50)
        .allMatch(line -> line.chars().allMatch(each -> each >= ' ' && each < 0x7F));
  }
}
