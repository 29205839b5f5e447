package org.sluiceca.load.watch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.sluiceca.load.cli.TrialException;

/** The processes of a trial's nodes, found by the launcher's pid files. */
final class NodeProcesses {

  private final Path data;

  /** Those of the trial in this folder. */
  NodeProcesses(Path data) {
    this.data = data;
  }

  /**
   * Returns the process of a node.
   *
   * @throws TrialException if it does not live
   */
  ProcessHandle living(int node) {
    return find(node).orElseThrow(() -> new TrialException("node " + node + " does not live"));
  }

  /** Returns the process of a node; empty if it does not live. */
  Optional<ProcessHandle> find(int node) {
    Path file = data.resolve("node-" + node + ".pid");
    if (!Files.isReadable(file)) {
      return Optional.empty();
    }
    long pid = Long.parseLong(read(file));
    return isAlive(pid) && isNode(pid, node) ? ProcessHandle.of(pid) : Optional.empty();
  }

  /** A number may be another process's by now; the launcher marks its own in their environment. */
  private boolean isNode(long pid, int node) {
    try {
      byte[] environment = Files.readAllBytes(Path.of("/proc/" + pid + "/environ"));
      String mark = "SLUICE_STATE_DIR=" + data + "/node-" + node + "\0";
      return new String(environment, StandardCharsets.UTF_8).contains(mark);
    } catch (IOException e) {
      return false;
    }
  }

  /** A killed node may stay as a zombie of the launcher's shell: dead all the same. */
  static boolean isAlive(long pid) {
    return ProcessTimes.state(pid).filter(state -> state != 'Z').isPresent();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new TrialException("cannot read " + file, e);
    }
  }
}
