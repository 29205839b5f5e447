package org.sluiceca.hsm.isolate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.testkit.Await;
import org.sluiceca.hsm.testkit.RecordingObserver;

/** Modules that cannot be started: one clear line, and nothing left behind. */
@Timeout(180)
class ModuleStartTest {
  private final RecordingObserver observer = new RecordingObserver();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private final List<Path> before = Processes.meetingPlaces();

  @BeforeEach
  void nothingRuns() {
    assertThat(Processes.modules(ProcessHandle.current())).isEmpty();
  }

  /** Other processes of this machine may be starting modules, but not for as long as this waits. */
  @AfterEach
  void nothingIsLeft() {
    assertThat(Processes.modules(ProcessHandle.current())).isEmpty();
    List<Path> since = new ArrayList<>(Processes.meetingPlaces());
    since.removeAll(before);
    Await.until("no meeting place is left", () -> since.stream().noneMatch(Files::exists));
  }

  @Test
  void start_noSuchFile_moduleMissing() {
    assertThatThrownBy(() -> IsolatedCryptoki.start(Path.of("/no/such.so"), "x", HsmObserver.NONE))
        .isInstanceOf(HsmException.ModuleMissing.class)
        .hasMessage("no PKCS#11 module at /no/such.so");
  }

  @Test
  void start_noLibrary_saysWhatTheLoaderSays() throws IOException {
    Path text = Files.writeString(folder.resolve("text.so"), "no library");

    assertThatThrownBy(() -> IsolatedCryptoki.start(text, "x", HsmObserver.NONE))
        .isInstanceOf(HsmException.ModuleMissing.class)
        .hasMessageStartingWith("the PKCS#11 module " + text + " cannot be loaded: ");
  }

  @Test
  void start_crashesInCInitialize_saysSo() {
    FaultModule module = FaultModule.build(folder);
    module.misbehave("crash-load");

    assertThatThrownBy(() -> IsolatedCryptoki.start(module.library(), "x", observer))
        .isInstanceOf(HsmException.ModuleMissing.class)
        .hasMessageMatching(
            "the process of the PKCS#11 module .*fault_pkcs11.so did not start: it ended,"
                + " exit status [0-9]+; it printed: .*");
    assertThat(observer.notes).anyMatch(line -> line.contains("SIGSEGV"));
  }

  @Test
  void start_hangsInCInitialize_givenUpAndKilled() {
    FaultModule module = FaultModule.build(folder);
    module.misbehave("hang-load");

    assertThatThrownBy(
            () -> IsolatedCryptoki.start(module.library(), "x", observer, Duration.ofSeconds(2)))
        .isInstanceOf(HsmException.ModuleMissing.class)
        .hasMessageContaining("did not start: it was not ready in time");
  }
}
