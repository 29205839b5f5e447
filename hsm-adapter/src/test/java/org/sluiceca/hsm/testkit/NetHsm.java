package org.sluiceca.hsm.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A simulated network HSM ({@code loadtest/nethsm}) in front of the SoftHSM of this build. Each is
 * a copy of the module with a device of its own, so that several fit into one process.
 */
public final class NetHsm {
  private static final Path SOURCES = Path.of("../loadtest/nethsm").toAbsolutePath().normalize();
  private static final Path BUILT = Path.of("target/nethsm").toAbsolutePath();

  private final Path state;
  private final Path module;

  private NetHsm(Path state, Path module) {
    this.state = state;
    this.module = module;
  }

  /**
   * Makes a device.
   *
   * @param folder not deleted while the process lives: the module stays loaded
   * @param options as of {@code nethsm STATE create}
   */
  public static NetHsm create(Path folder, String name, String... options) {
    SoftHsm.run("make", "-s", "-C", SOURCES.toString(), "OUT=" + BUILT, "all");
    try {
      // One library has one state per process, so each device has its SoftHSM.
      Path behind = Files.copy(SoftHsm.library(), folder.resolve(name + "-behind.so"));
      Path module = Files.copy(BUILT.resolve("libnethsm.so"), folder.resolve(name + ".so"));
      NetHsm made = new NetHsm(folder.resolve(name + ".state"), module);
      Files.writeString(
          folder.resolve(name + ".so.conf"),
          "NETHSM_STATE=" + made.state + "\nNETHSM_MODULE=" + behind + "\n");
      List<String> words = new ArrayList<>(List.of("create"));
      words.addAll(List.of(options));
      made.order(words.toArray(String[]::new));
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The PKCS#11 library that is this device. */
  public Path module() {
    return module;
  }

  /** Runs {@code nethsm STATE …}. */
  public void order(String... words) {
    String _ = ask(words);
  }

  /** Runs {@code nethsm STATE …} and returns what it printed. */
  public String ask(String... words) {
    List<String> command =
        new ArrayList<>(List.of(BUILT.resolve("nethsm").toString(), state.toString()));
    command.addAll(List.of(words));
    return SoftHsm.output(command.toArray(String[]::new));
  }
}
