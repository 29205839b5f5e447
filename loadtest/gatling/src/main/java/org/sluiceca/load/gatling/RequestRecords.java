package org.sluiceca.load.gatling;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.sluiceca.load.drive.Exchange;
import org.sluiceca.load.scenario.wire.RecordFile;

/**
 * Writes what came of each request: a file for each phase. Thread-safe; a call takes microseconds.
 * What is written is in the files a second later, also if this process is killed then.
 */
final class RequestRecords {

  private static final long FLUSH_MILLIS = 500;

  private final Path folder;
  private final Map<Integer, BufferedWriter> files = new HashMap<>();
  private final ScheduledExecutorService flusher =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("shots").daemon().factory());

  RequestRecords(Path folder) {
    this.folder = folder;
    var ignored =
        flusher.scheduleWithFixedDelay(
            this::flush, FLUSH_MILLIS, FLUSH_MILLIS, TimeUnit.MILLISECONDS);
  }

  synchronized void write(Exchange sent, int phase) {
    try {
      BufferedWriter file = files.get(phase);
      if (file == null) {
        file = Files.newBufferedWriter(RecordFile.REQUESTS.of(folder, phase));
        files.put(phase, file);
      }
      file.write(RecordFile.line(sent));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to " + folder, e);
    }
  }

  private synchronized void flush() {
    try {
      for (BufferedWriter file : files.values()) {
        file.flush();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to " + folder, e);
    }
  }

  synchronized void close() {
    flusher.shutdownNow();
    try {
      for (BufferedWriter file : files.values()) {
        file.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to " + folder, e);
    }
  }
}
