package org.sluiceca.load.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Processor time so far, in ticks of the kernel (proc(5): a hundredth of a second).
 *
 * @param busy of all processors, whatever they did
 * @param all busy or idle
 */
public record ProcessTimes(long nodes, long database, long generator, long busy, long all) {

  /** proc(5) stat, after the name in brackets: utime and stime are fields 14 and 15. */
  private static final int UTIME = 11;

  private static final int STIME = 12;

  private static final double TICKS_PER_SECOND = 100;

  /** Reads the times of these processes, of the trial's PostgreSQL and of the machine. */
  public static ProcessTimes read(List<Long> nodePids, Path postmasterPid) {
    long nodes = nodePids.stream().mapToLong(ProcessTimes::ticks).sum();
    String[] machine = text(Path.of("/proc/stat")).lines().findFirst().orElse("").split(" +", -1);
    long[] times = Arrays.stream(machine).skip(1).limit(8).mapToLong(Long::parseLong).toArray();
    long all = Arrays.stream(times).sum();
    // proc(5) stat: idle is the fourth number, iowait the fifth.
    long idle = times.length < 5 ? 0 : times[3] + times[4];
    long generator = ticks(ProcessHandle.current().pid());
    return new ProcessTimes(nodes, database(postmasterPid), generator, all - idle, all);
  }

  /** Returns what was used since an earlier reading. */
  public ProcessTimes since(ProcessTimes before) {
    return new ProcessTimes(
        nodes - before.nodes,
        database - before.database,
        generator - before.generator,
        busy - before.busy,
        all - before.all);
  }

  /** Returns the share of all processors' time that {@code ticks} are. */
  public double share(long ticks) {
    return all == 0 ? 0 : (double) ticks / all;
  }

  /** Returns the mean number of runnable processes over the last minute. */
  public static double loadAverage() {
    String first = text(Path.of("/proc/loadavg")).split(" ", -1)[0];
    return first.isEmpty() ? Double.NaN : Double.parseDouble(first);
  }

  /** Returns the processors' time that {@code ticks} are, in seconds. */
  public static double seconds(long ticks) {
    return ticks / TICKS_PER_SECOND;
  }

  /** Returns the resident memory of a process; 0 if it has ended. */
  static long residentBytes(long pid) {
    return text(Path.of("/proc/" + pid + "/status"))
        .lines()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("[^0-9]", "")))
        .findFirst()
        .orElse(0);
  }

  /** Returns the state letter of a process; empty if there is none of this number. */
  static Optional<Character> state(long pid) {
    String[] fields = fields(pid);
    return fields[0].isEmpty() ? Optional.empty() : Optional.of(fields[0].charAt(0));
  }

  /** The server with its children, ended ones too. */
  private static long database(Path postmasterPid) {
    String first = text(postmasterPid).lines().findFirst().orElse("");
    if (first.isEmpty()) {
      return 0;
    }
    long server = Long.parseLong(first.strip());
    String children = text(Path.of("/proc/" + server + "/task/" + server + "/children"));
    long sum = ticks(server);
    String[] own = fields(server);
    if (own.length > STIME + 2) {
      sum += Long.parseLong(own[STIME + 1]) + Long.parseLong(own[STIME + 2]);
    }
    for (String child : children.split(" ", -1)) {
      sum += child.isBlank() ? 0 : ticks(Long.parseLong(child.strip()));
    }
    return sum;
  }

  /** Returns the processor time of one process so far, in ticks; 0 if there is none. */
  public static long ticks(long pid) {
    String[] fields = fields(pid);
    return fields.length <= STIME
        ? 0
        : Long.parseLong(fields[UTIME]) + Long.parseLong(fields[STIME]);
  }

  private static String[] fields(long pid) {
    String stat = text(Path.of("/proc/" + pid + "/stat"));
    return stat.substring(stat.lastIndexOf(") ") + (stat.isEmpty() ? 1 : 2)).split(" ", -1);
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
