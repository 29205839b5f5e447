package org.sluiceca.blackbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the kernel and the metrics say of a running node 0. */
record NodeProcess(Trial trial) {

  /** VmRSS, in KiB. */
  long residentKib() {
    return number(lines("status"), "VmRSS:");
  }

  /** How many files and sockets it may have open. */
  long filesMax() {
    return filesMax(lines("limits"));
  }

  /** How many files and sockets this process may have open. */
  static long ownFilesMax() {
    return filesMax(lines(Path.of("/proc/self/limits")));
  }

  /** The HTTPS port's value of a metric. */
  double https(String name) {
    return metrics().stream()
        .filter(line -> line.startsWith(name + "{") && line.contains("scheme=\"https\""))
        .mapToDouble(NodeProcess::value)
        .findFirst()
        .orElseThrow();
  }

  double heapUsed() {
    return metrics().stream()
        .filter(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\""))
        .mapToDouble(NodeProcess::value)
        .sum();
  }

  /**
   * How many signatures it has asked its token for, but those of CRLs and OCSP responses, which
   * come when they are due.
   */
  double certificateSignatures() {
    return metrics().stream()
        .filter(line -> line.startsWith("ca_sign_queue_wait_seconds_count"))
        .filter(line -> !line.contains("lane=\"status\""))
        .mapToDouble(NodeProcess::value)
        .sum();
  }

  private List<String> metrics() {
    return Api.plain(trial.management(0))
        .get("/actuator/prometheus")
        .is(200)
        .text()
        .lines()
        .toList();
  }

  private static double value(String line) {
    return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
  }

  private static long filesMax(List<String> limits) {
    return number(limits, "Max open files");
  }

  /** The first number in the line that begins so. */
  private static long number(List<String> lines, String begin) {
    return lines.stream()
        .filter(line -> line.startsWith(begin))
        .mapToLong(
            line -> Long.parseLong(line.substring(begin.length()).strip().split("[^0-9]", 2)[0]))
        .findFirst()
        .orElseThrow();
  }

  private List<String> lines(String file) {
    return lines(Path.of("/proc", trial.read("node-0.pid").strip(), file));
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
