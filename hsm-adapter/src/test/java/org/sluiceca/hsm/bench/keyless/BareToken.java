package org.sluiceca.hsm.bench.keyless;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.sluiceca.hsm.PinFile;

/**
 * A token in a loop in C: what it gives when nothing stands before it.
 *
 * @param program built from {@code bare_token.c}
 */
record BareToken(Path program, Path module, String label, PinFile pin) {

  /** A module that is loaded, a login, and what a slow machine adds. */
  private static final Duration AROUND = Duration.ofSeconds(60);

  /** A loop that runs. */
  final class Running {
    private final KeyKind kind;
    private final int workers;
    private final Duration limit;
    private final Process process;

    private Running(KeyKind kind, int workers, Duration limit, Process process) {
      this.kind = kind;
      this.workers = workers;
      this.limit = limit;
      this.process = process;
    }

    /** Waits for its end and returns what it counted. */
    Measurement await() throws InterruptedException {
      try {
        // First its end, which has a limit: all that it says is less than a pipe holds.
        if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
          throw new IllegalStateException(program + " has no end");
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.exitValue() != 0) {
          throw new IllegalStateException(program + " failed: " + said.strip());
        }
        return parse(kind, workers, said);
      } catch (IOException e) {
        throw new IllegalStateException("no word from " + program, e);
      } finally {
        process.destroyForcibly();
      }
    }
  }

  /** Starts a loop of that number of threads and sessions; the token must hold the key. */
  Running start(KeyKind kind, int workers, Duration settle, Duration length) {
    List<String> words =
        List.of(
            program.toString(),
            module.toString(),
            label,
            pin.path().toString(),
            kind.id().toString(),
            Long.toString(kind.mechanism().ckm()),
            Integer.toString(kind.tokenInputBytes()),
            Integer.toString(workers),
            Long.toString(settle.toMillis()),
            Long.toString(length.toMillis()));
    try {
      Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
      return new Running(kind, workers, settle.plus(length).plus(AROUND), process);
    } catch (IOException e) {
      throw new IllegalStateException("cannot run " + program, e);
    }
  }

  Measurement measure(KeyKind kind, int workers, Duration settle, Duration length)
      throws InterruptedException {
    return start(kind, workers, settle, length).await();
  }

  /** Reads what the program prints: named numbers, then buckets. */
  static Measurement parse(KeyKind kind, int workers, String said) {
    Map<String, Long> named = new HashMap<>();
    Durations durations = new Durations();
    for (String line : said.lines().toList()) {
      String[] words = line.split(" ", -1);
      if (words.length != 2) {
        throw new IllegalStateException("not what bare_token says: " + line);
      }
      long number = Long.parseLong(words[1]);
      if (Character.isDigit(words[0].charAt(0))) {
        durations.addBucket(Integer.parseInt(words[0]), number);
      } else {
        named.put(words[0], number);
      }
    }
    if (!named.keySet().containsAll(List.of("count", "nanos", "cpu", "sum", "max"))) {
      throw new IllegalStateException("bare_token did not say all: " + named.keySet());
    }
    if (named.getOrDefault("count", 0L) != durations.count()) {
      throw new IllegalStateException("bare_token's buckets are not what it counted");
    }
    durations.addTotals(named.getOrDefault("sum", 0L), named.getOrDefault("max", 0L));
    return new Measurement(
        kind,
        workers,
        durations.count(),
        named.getOrDefault("nanos", 0L) / 1e9,
        named.getOrDefault("cpu", 0L) / 1e9,
        durations);
  }
}
