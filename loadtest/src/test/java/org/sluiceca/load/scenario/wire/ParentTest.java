package org.sluiceca.load.scenario.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParentTest {

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  /** What the test starts by a shell, which it kills. */
  static final class Child {

    public static void main(String[] arguments) throws Exception {
      Path folder = Path.of(arguments[0]);
      Parent.watch(() -> Runtime.getRuntime().halt(1));
      Files.writeString(folder.resolve("pid"), "" + ProcessHandle.current().pid());
      LockSupport.parkNanos(3 * LIMIT_NANOS);
    }
  }

  @Test
  void childOfAParentThatIsKilled_ends() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process shell =
        new ProcessBuilder(
                List.of(
                    "sh",
                    "-c",
                    "\"$0\" -cp \"$1\" \"$2\" \"$3\" & wait",
                    java,
                    System.getProperty("java.class.path"),
                    Child.class.getName(),
                    folder.toString()))
            .start();
    Path pid = folder.resolve("pid");
    long deadline = System.nanoTime() + LIMIT_NANOS;
    while ((!Files.exists(pid) || Files.size(pid) == 0) && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
    ProcessHandle child = ProcessHandle.of(Long.parseLong(Files.readString(pid))).orElseThrow();

    assertThat(shell.destroyForcibly().waitFor()).isNotZero();

    assertThat(child.onExit().get(60, TimeUnit.SECONDS).isAlive()).isFalse();
  }
}
