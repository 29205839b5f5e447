package org.sluiceca.client.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.batch.input.LineReader;
import org.sluiceca.client.key.PrivateFile;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import org.sluiceca.core.audit.AuditRow;
import org.sluiceca.core.audit.ExportForm;

/**
 * Where an export goes: standard output, or a file of mode 0600 that grows line by line and can be
 * gone on with. Not thread-safe.
 */
final class ExportOutput implements AutoCloseable {
  private final Console console;
  private final @Nullable Path file;
  private @Nullable FileChannel channel;
  private long checkpoints;
  private long rows;
  private String place = "";
  private boolean isComplete;
  private boolean isKept;

  private ExportOutput(Console console, @Nullable Path file) {
    this.console = console;
    this.file = file;
  }

  /** Opens it. Fails if the file is there and is not to be gone on with. */
  static ExportOutput open(Console console, @Nullable Path file, boolean resumes) {
    ExportOutput output = new ExportOutput(console, file);
    if (file == null) {
      return output;
    }
    boolean isThere = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    if (isThere && !resumes) {
      throw Failure.of(file + " is there already: --resume goes on with it");
    }
    try {
      if (isThere) {
        output.resume(file);
      } else {
        PrivateFile.create(file, new byte[0]);
      }
      output.channel = FileChannel.open(file, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw unwritable(file, e);
    }
    return output;
  }

  /** Counts what is there and cuts off a last line that is not whole. */
  private void resume(Path existing) throws IOException {
    long whole = 0;
    long number = 0;
    long size = Files.size(existing);
    try (LineReader lines =
        new LineReader(
            Files.newInputStream(existing), TrailLine.OCTETS_MAX, TrailFile.LINE_LIMIT)) {
      Optional<byte[]> line = lines.next();
      while (line.isPresent() && whole + line.get().length < size) {
        whole += line.get().length + 1L;
        number++;
        count(existing, number, TrailLine.json(line.get()).flatMap(TrailLine::row));
        line = lines.next();
      }
    }
    try (FileChannel cut = FileChannel.open(existing, StandardOpenOption.WRITE)) {
      FileChannel _ = cut.truncate(whole);
    }
  }

  private void count(Path existing, long number, Optional<AuditRow> row) {
    if (row.isEmpty() || isComplete) {
      throw Failure.of(
          existing + " line " + number + " is no line of an export: the file stays as it is");
    }
    AuditRow read = row.get();
    if (ExportForm.isEnd(read)) {
      isComplete = true;
    } else if (ExportForm.isCheckpoint(read)) {
      checkpoints++;
      place = "c" + read.sequence();
    } else {
      rows++;
      place = "r" + read.sequence() + "." + read.chain();
    }
  }

  /** Whether the file has its end already. */
  boolean isComplete() {
    return isComplete;
  }

  long checkpoints() {
    return checkpoints;
  }

  long rows() {
    return rows;
  }

  /** Where the service is to go on; empty at the beginning. */
  String place() {
    return place;
  }

  /** Writes whole lines. Fails if they cannot be written. */
  void write(String lines) {
    FileChannel target = channel;
    if (target == null) {
      console.raw(lines);
      return;
    }
    ByteBuffer octets = ByteBuffer.wrap(lines.getBytes(StandardCharsets.UTF_8));
    try {
      while (octets.hasRemaining()) {
        int _ = target.write(octets);
      }
    } catch (IOException e) {
      throw unwritable(String.valueOf(file), e);
    }
  }

  /** Has the file survive a loss of power: it is complete. */
  void keep() {
    FileChannel target = channel;
    try {
      if (target != null) {
        target.force(true);
      }
    } catch (IOException e) {
      throw unwritable(String.valueOf(file), e);
    }
    isKept = true;
  }

  @Override
  public String toString() {
    return file == null ? "on standard output" : "in " + file;
  }

  @Override
  public void close() {
    FileChannel target = channel;
    if (target == null) {
      return;
    }
    try {
      target.close();
    } catch (IOException e) {
      throw unwritable(String.valueOf(file), e);
    }
    if (!isKept && !isComplete) {
      console.note("%s is not complete: run the same again with --resume", String.valueOf(file));
    }
  }

  private static Failure unwritable(Object file, IOException e) {
    return Failure.of(
        file + " cannot be written: " + e.getClass().getSimpleName() + " " + e.getMessage());
  }
}
