package org.sluiceca.hsm.isolate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.hsm.testkit.Await;
import org.sluiceca.hsm.testkit.RecordingObserver;
import org.sluiceca.hsm.testkit.SoftHsm;
import org.sluiceca.hsm.testkit.SoftHsm.SoftToken;

/** A module's process ends with its node, and not before. */
// A JVM for each node and for each module.
@Tag("slow")
@Timeout(180)
class ModuleEndTest {
  private final RecordingObserver observer = new RecordingObserver();

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private SoftToken token;

  @SuppressWarnings("NullAway.Init")
  private FaultModule module;

  @BeforeEach
  void makeToken() {
    token = SoftHsm.newToken("ends-" + System.nanoTime() % 1_000_000_000);
    module = FaultModule.build(folder);
  }

  @Test
  void node_killed_moduleIsGone() throws Exception {
    try (Node node = Node.start(module, token)) {
      long child = node.module();

      node.kill();

      Await.until("the module's process is gone", () -> Processes.isGone(child));
    }
  }

  /** Inside of a call that never returns, with a destructor that does not either. */
  @Test
  void node_killedWhileTheModuleHangs_moduleIsGone() throws Exception {
    try (Node node = Node.start(module, token)) {
      long child = node.module();
      module.misbehave("hang-end");
      module.misbehave("hang");
      Await.until("it hangs", () -> module.hung() > 0);

      node.kill();

      Await.until("the module's process is gone", () -> Processes.isGone(child));
    } finally {
      module.behave("hang-end");
      module.behave("hang");
    }
  }

  /** The two tests above can fail: a process that does not watch its parent outlives it. */
  @Test
  void parent_killed_otherProcessIsNotGone() throws Exception {
    Process parent =
        new ProcessBuilder("sh", "-c", "sleep 50 & echo $!; wait")
            .redirectErrorStream(true)
            .start();
    long child;
    try (BufferedReader out = parent.inputReader(StandardCharsets.UTF_8)) {
      child = Long.parseLong(String.valueOf(out.readLine()));
    }
    try {
      Process _ = parent.destroyForcibly();
      Await.until("the parent is gone", () -> !parent.isAlive());

      assertThat(Processes.isGone(child)).isFalse();
    } finally {
      Processes.kill(child);
    }
  }

  @Test
  void close_quiet_processEndsByItself() {
    // A busy machine may keep one from its end until it is killed, but not each.
    Await.until(
        "one has ended by itself",
        () -> {
          IsolatedCryptoki cryptoki =
              IsolatedCryptoki.start(module.library(), token.label(), observer);
          long child = cryptoki.pid();
          cryptoki.close();
          assertThat(Processes.isGone(child)).isTrue();
          return observer.notes.stream().anyMatch(line -> line.endsWith("exit status 0"));
        });
  }

  /** A signal to the whole group must not take the module from a node that still drains. */
  @Test
  void module_terminatedBySigterm_goesOn() {
    try (IsolatedCryptoki cryptoki =
        IsolatedCryptoki.start(module.library(), token.label(), observer)) {
      long child = cryptoki.pid();

      Processes.terminate(child);
      Await.until("the signal has come", () -> Processes.hasThread(child, "outlast-signals"));

      assertThat(cryptoki.slotsWithToken()).isNotEmpty();
      assertThat(cryptoki.pid()).isEqualTo(child);
      assertThat(Processes.isGone(child)).isFalse();
    }
  }

  /** A {@link SigningNode} that has signed. */
  private record Node(Process process, BufferedReader out) implements AutoCloseable {
    static Node start(FaultModule module, SoftToken token) throws IOException {
      Process process =
          new ProcessBuilder(SigningNode.command(module, token, true))
              .redirectErrorStream(true)
              .start();
      Node node = new Node(process, process.inputReader(StandardCharsets.UTF_8));
      StringBuilder said = new StringBuilder();
      String line = node.out.readLine();
      while (line != null && !line.startsWith("signed ")) {
        said.append(line).append('\n');
        line = node.out.readLine();
      }
      assertThat(line).as(said.toString()).isNotNull();
      return node;
    }

    long module() {
      List<Long> modules = Processes.modules(process.toHandle());
      assertThat(modules).hasSize(1);
      return modules.getFirst();
    }

    void kill() {
      Process _ = process.destroyForcibly();
      Await.until("the node is gone", () -> !process.isAlive());
    }

    @Override
    public void close() throws IOException {
      Process _ = process.destroyForcibly();
      out.close();
    }
  }
}
