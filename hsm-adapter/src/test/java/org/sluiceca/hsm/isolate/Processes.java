package org.sluiceca.hsm.isolate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What tests ask the kernel about processes, by their numbers. */
final class Processes {
  private Processes() {}

  static ProcessHandle of(long pid) {
    return ProcessHandle.of(pid).orElseThrow(() -> new AssertionError("no process " + pid));
  }

  /** Neither running nor waiting to be reaped. */
  static boolean isGone(long pid) {
    return ProcessHandle.of(pid).map(handle -> !handle.isAlive()).orElse(true);
  }

  static void kill(long pid) {
    if (!of(pid).destroyForcibly()) {
      throw new AssertionError("cannot kill " + pid);
    }
  }

  /** SIGTERM. */
  static void terminate(long pid) {
    if (!of(pid).destroy()) {
      throw new AssertionError("cannot terminate " + pid);
    }
  }

  /** The processes that run a module for this one. */
  static List<Long> modules(ProcessHandle parent) {
    return parent
        .children()
        .filter(ProcessHandle::isAlive)
        .filter(child -> read(child.pid(), "cmdline").contains(".ModuleMain"))
        .map(ProcessHandle::pid)
        .toList();
  }

  /** A file of proc(5) about it, words divided by blanks; empty when it is gone. */
  static String read(long pid, String file) {
    try {
      return Files.readString(
              Path.of("/proc", Long.toString(pid), file), StandardCharsets.ISO_8859_1)
          .replace('\0', ' ');
    } catch (IOException e) {
      return "";
    }
  }

  /** Whether the text is on a command line or in an environment of these processes. */
  static boolean isShown(String text, long... pids) {
    for (long pid : pids) {
      if ((read(pid, "cmdline") + read(pid, "environ")).contains(text)) {
        return true;
      }
    }
    return false;
  }

  /** Whether it has a thread of this name, of which the kernel knows 15 characters. */
  static boolean hasThread(long pid, String name) {
    try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
      return threads.anyMatch(thread -> name.equals(comm(thread)));
    } catch (IOException e) {
      return false;
    }
  }

  private static String comm(Path thread) {
    try {
      return Files.readString(thread.resolve("comm"), StandardCharsets.ISO_8859_1).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /** Resident memory in KiB. */
  static long residentKib(long pid) {
    return field(pid, "status", "VmRSS:");
  }

  static long field(long pid, String file, String name) {
    return read(pid, file)
        .lines()
        .filter(line -> line.startsWith(name))
        .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
        .findFirst()
        .orElse(0L);
  }

  /** What is left of rendezvous in the temporary folder. */
  static List<Path> meetingPlaces() {
    try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return all.filter(path -> String.valueOf(path.getFileName()).startsWith("sluice-hsm-"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
