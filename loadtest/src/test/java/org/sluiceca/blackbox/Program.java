package org.sluiceca.blackbox;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program to run once, with its environment, its standard input and its time limit. */
record Program(List<String> words, Map<String, String> environment, String input, Duration limit) {

  /** Foreign tools answer within seconds; ten times that on a busy machine. */
  private static final Duration LIMIT_DEFAULT = Duration.ofMinutes(3);

  /** How a program ended. */
  static final class Ended {
    private final List<String> words;
    private final int status;
    private final byte[] bytes;
    private final String errors;

    private Ended(List<String> words, int status, byte[] bytes, String errors) {
      this.words = words;
      this.status = status;
      this.bytes = bytes;
      this.errors = errors;
    }

    int status() {
      return status;
    }

    /** Its standard output. */
    byte[] bytes() {
      return bytes.clone();
    }

    /** Its standard error. */
    String errors() {
      return errors;
    }

    String text() {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Fails with what the program said unless it ended with 0. */
    Ended ok() {
      if (status != 0) {
        throw new AssertionError(this);
      }
      return this;
    }

    @Override
    public String toString() {
      return String.join(" ", words) + " ended with " + status + "\n" + text() + "\n" + errors;
    }
  }

  static Program of(Object... words) {
    return new Program(
        List.of(words).stream().map(Object::toString).toList(), Map.of(), "", LIMIT_DEFAULT);
  }

  Program with(Map<String, String> more) {
    Map<String, String> merged = new HashMap<>(environment);
    merged.putAll(more);
    return new Program(words, Map.copyOf(merged), input, limit);
  }

  /** Gives it an ASCII text to read. */
  Program reading(String standardInput) {
    return new Program(words, environment, standardInput, limit);
  }

  Program within(Duration longest) {
    return new Program(words, environment, input, longest);
  }

  /** Runs it to its end; fails if it does not start or takes longer than its limit. */
  Ended run() {
    try {
      // Files, not pipes: a child that outlives the program (a node) may keep its outputs open.
      Path out = Files.createTempFile("blackbox", ".out");
      Path err = Files.createTempFile("blackbox", ".err");
      try {
        int status = await(start(out, err));
        return new Ended(words, status, Files.readAllBytes(out), Files.readString(err));
      } finally {
        Files.delete(out);
        Files.delete(err);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Process start(Path out, Path err) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectOutput(out.toFile()).redirectError(err.toFile());
    // The launcher reads its options from there; only what the test names may count.
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("SLUICE_") && !name.equals("SLUICE_DIST"));
    builder.environment().put("SLUICE_CONFIG", "/dev/null");
    builder.environment().putAll(environment);
    return builder.start();
  }

  private int await(Process process) throws IOException {
    try (OutputStream standardInput = process.getOutputStream()) {
      standardInput.write(input.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      // It ended without reading: its status and messages tell more than the broken pipe.
      if (!input.isEmpty() && process.isAlive()) {
        throw e;
      }
    }
    try {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        // SIGTERM: the launcher then stops what it has started.
        process.destroy();
        throw new AssertionError(words + " still runs after " + limit);
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
