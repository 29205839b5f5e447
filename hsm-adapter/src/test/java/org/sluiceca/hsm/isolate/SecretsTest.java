package org.sluiceca.hsm.isolate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.ceremony.KeyAlgorithm;
import org.sluiceca.hsm.ceremony.KeyCeremony;
import org.sluiceca.hsm.settings.HsmSettings;
import org.sluiceca.hsm.signer.HsmSigner;
import org.sluiceca.hsm.testkit.RecordingObserver;
import org.sluiceca.hsm.testkit.SoftHsm;
import org.sluiceca.hsm.testkit.SoftHsm.SoftToken;

/** The PIN goes over the socket, and nowhere that others see. */
@Timeout(180)
class SecretsTest {
  private final RecordingObserver observer = new RecordingObserver();

  @Test
  void open_isolated_pinIsOnNoCommandLineNorInAnEnvironmentNorLogged() throws Exception {
    SoftToken token = SoftHsm.newToken("secret");
    KeyRef key;
    try (KeyCeremony ceremony = KeyCeremony.open(SoftHsm.library(), token.label(), token.pin())) {
      key = ceremony.generateIfAbsent(CkaId.parse("01"), "secret", KeyAlgorithm.EC_P256);
    }
    String pin = Files.readString(token.pin().path()).strip();
    HsmSettings settings =
        HsmSettings.of(SoftHsm.library(), token.label(), token.pin()).withIsolated(true);

    try (HsmSigner signer = HsmSigner.open(settings, List.of(key), observer)) {
      long module = Processes.modules(ProcessHandle.current()).getFirst();

      assertThat(signer.stats().sessions()).isPositive();
      assertThat(Processes.read(module, "cmdline")).contains(token.label());
      assertThat(Processes.isShown(pin, module, ProcessHandle.current().pid())).isFalse();
    }
    assertThat(observer.notes).isNotEmpty().noneMatch(line -> line.contains(pin));
  }

  /** The check above can fail. */
  @Test
  void isShown_pinAsArgumentOrVariable_found() throws Exception {
    ProcessBuilder argument = new ProcessBuilder("sleep", "50", "0.648219");
    ProcessBuilder variable = new ProcessBuilder("sleep", "50");
    variable.environment().put("PIN", "648219");
    for (ProcessBuilder leaky : List.of(argument, variable)) {
      Process process = leaky.start();
      try {
        assertThat(Processes.isShown("648219", process.pid())).isTrue();
      } finally {
        Process _ = process.destroyForcibly();
      }
    }
  }
}
