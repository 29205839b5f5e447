package org.sluiceca.load.scenario.run;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.sluiceca.load.cli.TrialException;
import org.sluiceca.load.scenario.judge.NodeLook;
import org.sluiceca.load.scenario.wire.RecordFile;
import org.sluiceca.load.watch.HsmDevices;
import org.sluiceca.load.watch.HsmFigures;
import org.sluiceca.load.watch.NodeAddresses;
import org.sluiceca.load.watch.TrialNodes;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Looks at the nodes again and again, and writes each look as a line of JSON, from a thread of its
 * own, until it is closed.
 */
final class Sampler implements AutoCloseable {

  private static final String FILE = "looks.jsonl";
  private static final String DEPTH = "ca_sign_queue_depth";
  private static final String WAITED = "ca_sign_queue_wait_seconds_sum";
  private static final String WAITS = "ca_sign_queue_wait_seconds_count";

  private static final JsonMapper JSON = new JsonMapper();

  private final TrialNodes nodes;
  private final NodeAddresses doors;
  private final HsmDevices hsms;
  private final BufferedWriter file;
  private final Thread thread;

  /** Writes into {@code folder}, once it has begun. */
  Sampler(TrialNodes nodes, NodeAddresses doors, HsmDevices hsms, Path folder, int everySeconds)
      throws IOException {
    this.nodes = nodes;
    this.doors = doors;
    this.hsms = hsms;
    this.file =
        Files.newBufferedWriter(
            folder.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    this.thread =
        Thread.ofPlatform()
            .name("sampler")
            .daemon()
            .unstarted(() -> looking(Duration.ofSeconds(everySeconds)));
  }

  void begin() {
    thread.start();
  }

  /** Reads what was written into {@code folder}; a last line that is not whole is left out. */
  static List<NodeLook> read(Path folder) throws IOException {
    return new RecordFile<>("looks", NodeLook.class).read(folder.resolve(FILE));
  }

  private void looking(Duration every) {
    try {
      while (true) {
        long next = System.nanoTime() + every.toNanos();
        look();
        Thread.sleep(Duration.ofNanos(Math.max(0, next - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      System.err.println("sluice: no more looks at nodes: " + e.getMessage());
    }
  }

  /**
   * All of one moment have the same time, and it is whole or not there: a node that is too busy to
   * answer has no empty queue. What is not there is missed (Measure.LOOKS_SHARE).
   */
  private void look() throws IOException {
    long now = System.currentTimeMillis();
    List<Integer> living = nodes.living();
    List<Long> pids = nodes.pids();
    if (living.size() != pids.size()) {
      return;
    }
    StringBuilder moment = new StringBuilder();
    try {
      int queue = hsms.figures(false).values().stream().mapToInt(HsmFigures::queueNow).sum();
      for (int i = 0; i < pids.size(); i++) {
        Optional<NodeLook> look = look(now, living.get(i), pids.get(i), queue);
        if (look.isEmpty()) {
          return;
        }
        moment.append(RecordFile.line(look.get()));
      }
    } catch (TrialException | JacksonException e) {
      // Interrupted at its work, an HSM that is busy, or half an answer.
      return;
    }
    file.write(moment.toString());
    file.flush();
  }

  private Optional<NodeLook> look(long now, int node, long pid, int hsmQueue) {
    Path process = Path.of("/proc/" + pid);
    Map<String, Double> metrics = doors.metrics(node);
    Optional<String> answer = doors.capacity(node);
    if (metrics.isEmpty() || answer.isEmpty()) {
      return Optional.empty();
    }
    JsonNode capacity = JSON.readTree(answer.get());
    try {
      JsonNode hsm = capacity.path("hsms").path(0);
      int depth = 0;
      double oldest = 0;
      for (JsonNode lane : capacity.path("lanes")) {
        depth += lane.path("depth").asInt(0);
        oldest = Math.max(oldest, lane.path("oldestAgeSeconds").asDouble(0));
      }
      return Optional.of(
          new NodeLook(
              now,
              node,
              pid,
              status(process, "VmRSS:") / 1024.0,
              (int) status(process, "Threads:"),
              files(process),
              depth,
              (int) Math.round(metrics.getOrDefault(DEPTH, 0.0)),
              oldest,
              hsm.path("inflight").asInt(0),
              hsm.path("limit").asInt(0),
              hsm.path("utilization").asDouble(0),
              metrics.getOrDefault(WAITED, 0.0),
              metrics.getOrDefault(WAITS, 0.0),
              hsmQueue));
    } catch (IOException e) {
      // The node has ended while it was looked at.
      return Optional.empty();
    }
  }

  /** proc(5) status: a name, blanks, a number, and perhaps kB. */
  private static long status(Path process, String name) throws IOException {
    for (String line : Files.readAllLines(process.resolve("status"))) {
      if (line.startsWith(name)) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    throw new IOException("no " + name);
  }

  private static int files(Path process) throws IOException {
    try (Stream<Path> open = Files.list(process.resolve("fd"))) {
      return (int) open.count();
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      boolean ignored = thread.join(Duration.ofSeconds(20));
      file.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      System.err.println("sluice: " + e.getMessage());
    }
  }
}
