package org.sluiceca.load.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.load.cli.TrialException;

/** Which processes are taken for nodes. */
@Timeout(60)
class NodeProcessesTest {

  private final Path data;
  private final NodeProcesses processes;

  NodeProcessesTest(@TempDir Path data) {
    this.data = data;
    this.processes = new NodeProcesses(data);
  }

  /** Starts a process with the mark of this node. */
  private Process started(int node) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("sleep", "60");
    builder.environment().put("SLUICE_STATE_DIR", data + "/node-" + node);
    Process process = builder.start();
    record(process, node);
    return process;
  }

  private void record(Process process, int node) throws IOException {
    Files.writeString(data.resolve("node-" + node + ".pid"), process.pid() + "\n");
  }

  /** Its environment is that of its parent until it has become another program. */
  private void awaitFound(Process process, int node) {
    while (processes.find(node).isEmpty()) {
      assertThat(process.isAlive()).isTrue();
      Thread.onSpinWait();
    }
  }

  @Test
  void find_markedAsTheNode_untilItEnds() throws IOException, InterruptedException {
    Process process = started(0);
    try {
      awaitFound(process, 0);
      assertThat(processes.living(0).pid()).isEqualTo(process.pid());
    } finally {
      process.destroyForcibly();
    }

    assertThat(process.waitFor()).isNotZero();
    assertThat(processes.find(0)).isEmpty();
    assertThatExceptionOfType(TrialException.class)
        .isThrownBy(() -> processes.living(0))
        .withMessage("node 0 does not live");
  }

  /** The number in the file of a node that has ended may be another process's by now. */
  @Test
  void find_anotherNodesMark_empty() throws IOException {
    Process process = started(1);
    try {
      awaitFound(process, 1);
      record(process, 0);

      assertThat(processes.find(0)).isEmpty();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void find_noPidFile_empty() {
    assertThat(processes.find(7)).isEmpty();
  }
}
