package org.sluiceca.load.drill.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MachineTest {

  private static final Duration SOON = Duration.ofMillis(50);
  private static final Duration LATE = Duration.ofSeconds(60);

  @TempDir private Path folder;
  private Process process;
  private Machine machine;

  @BeforeEach
  void start() throws IOException {
    process = new ProcessBuilder("sleep", "300").start();
    machine = new Machine("vm-0", process.toHandle(), Files.createFile(folder.resolve("monitor")));
  }

  @AfterEach
  void end() {
    process.destroyForcibly();
  }

  @Test
  void pressPowerButton_asksTheMonitorAndEndsNothing() throws Exception {
    machine.pressPowerButton();

    assertThat(machine.monitor()).hasContent("system_powerdown\n");
    assertThat(machine.awaitEnd(SOON)).isFalse();
  }

  @Test
  void kill_endsTheProcess() throws Exception {
    machine.kill();

    assertThat(machine.awaitEnd(LATE)).isTrue();
    assertThat(process.isAlive()).isFalse();
  }
}
