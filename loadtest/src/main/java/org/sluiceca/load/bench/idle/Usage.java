package org.sluiceca.load.bench.idle;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.sluiceca.load.page.Text;
import org.sluiceca.load.watch.ProcessTimes;

/**
 * What a CA has used since it began, by proc(5). Processor time is in ticks of a hundredth of a
 * second.
 *
 * @param nanos when it was read, by {@link System#nanoTime}
 * @param ca of its process and of those it started, ended ones too
 * @param jit of its JIT compilers' threads; -1 if it has none
 * @param times of its database, of this client and of the machine
 * @param residentKib of its process and of those it started
 * @param residentMostKib the most so far, of each by itself
 */
record Usage(
    long nanos, long ca, long jit, ProcessTimes times, long residentKib, long residentMostKib) {

  private static final int MICROS_PER_TICK = 10_000;

  /** proc(5) stat, after the name in brackets: utime and stime, and those of ended children. */
  private static final int UTIME = 11;

  private static final int CUTIME = 13;

  /**
   * Reads it now.
   *
   * @param pid of the CA
   * @param postmaster the file in which its PostgreSQL keeps its pid
   */
  static Usage read(long pid, Path postmaster) {
    List<Long> family =
        Stream.concat(
                Stream.of(pid),
                ProcessHandle.of(pid).stream()
                    .flatMap(ProcessHandle::descendants)
                    .map(ProcessHandle::pid))
            .toList();
    long own = family.stream().mapToLong(each -> ticks(stat(process(each)), UTIME)).sum();
    long ended = ticks(stat(process(pid)), CUTIME);
    return new Usage(
        System.nanoTime(),
        own + ended,
        jit(pid),
        ProcessTimes.read(List.of(), postmaster),
        family.stream().mapToLong(each -> kib(each, "VmRSS:")).sum(),
        family.stream().mapToLong(each -> kib(each, "VmHWM:")).sum());
  }

  /** Returns the words of a record's line for what was used since, tabs between them. */
  String since(Usage before) {
    ProcessTimes used = times.since(before.times);
    return Text.format(
        "seconds=%s\tcaMicros=%d\tjitMicros=%s\tdatabaseMicros=%d\tclientMicros=%d\tbusyMicros=%d"
            + "\tallMicros=%d\tresidentKib=%d\tresidentMostKib=%d",
        Text.number((nanos - before.nanos) / 1e9, 3),
        micros(ca - before.ca),
        // Compilers that are not needed may end, and their time is then no longer listed.
        jit < 0 ? "unknown" : Long.toString(micros(Math.max(0, jit - before.jit))),
        micros(used.database()),
        micros(used.generator()),
        micros(used.busy()),
        micros(used.all()),
        residentKib,
        residentMostKib);
  }

  private static long micros(long ticks) {
    return ticks * MICROS_PER_TICK;
  }

  private static long jit(long pid) {
    long sum = 0;
    boolean isSeen = false;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(process(pid).resolve("task"))) {
      for (Path thread : threads) {
        String stat = stat(thread);
        if (stat.contains("(C1 Compiler") || stat.contains("(C2 Compiler")) {
          isSeen = true;
          sum += ticks(stat, UTIME);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // The process has ended, which its requests show.
      return -1;
    }
    return isSeen ? sum : -1;
  }

  private static Path process(long pid) {
    return Path.of("/proc", Long.toString(pid));
  }

  /** Of two fields that follow each other; 0 if there is nothing to read. */
  static long ticks(String stat, int first) {
    // The name may hold blanks and brackets.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
    return fields.length <= first + 1
        ? 0
        : Long.parseLong(fields[first]) + Long.parseLong(fields[first + 1]);
  }

  private static String stat(Path process) {
    return text(process.resolve("stat"));
  }

  private static long kib(long pid, String field) {
    return text(process(pid).resolve("status"))
        .lines()
        .filter(line -> line.startsWith(field))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
        .findFirst()
        .orElse(0);
  }

  /** A process may end while it is looked at: then there is nothing to read. */
  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }
}
