package org.sluiceca.client.audit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.batch.input.LineReader;
import org.sluiceca.client.output.Failure;
import org.sluiceca.core.audit.verify.ExportReading.Line;

/**
 * The lines of an exported file, one in memory at a time. Not thread-safe; blocks as the file does.
 * Fails if the file cannot be read.
 */
final class TrailFile implements Iterator<Line>, AutoCloseable {
  /** Standard input may wait for an export that waits. */
  static final Duration LINE_LIMIT = Duration.ofDays(1);

  private final String name;
  private final LineReader lines;
  private long number;
  private @Nullable Line next;

  private TrailFile(String name, InputStream in) {
    this.name = name;
    this.lines = new LineReader(in, TrailLine.OCTETS_MAX, LINE_LIMIT);
    this.next = read();
  }

  /** Opens a file, or standard input for {@code -}. */
  static TrailFile open(Path file) {
    if (file.toString().equals("-")) {
      return new TrailFile("standard input", System.in);
    }
    try {
      return new TrailFile(file.toString(), Files.newInputStream(file));
    } catch (IOException e) {
      throw unreadable(file.toString(), e);
    }
  }

  String name() {
    return name;
  }

  @Override
  public boolean hasNext() {
    return next != null;
  }

  @Override
  public Line next() {
    Line line = next;
    if (line == null) {
      throw new NoSuchElementException();
    }
    next = read();
    return line;
  }

  private @Nullable Line read() {
    try {
      Optional<byte[]> line = lines.next();
      if (line.isEmpty()) {
        return null;
      }
      number++;
      return new Line(number, TrailLine.json(line.get()).flatMap(TrailLine::row));
    } catch (LineReader.TooLongException e) {
      number++;
      return new Line(number, Optional.empty());
    } catch (IOException e) {
      throw unreadable(name, e);
    }
  }

  static Failure unreadable(String name, IOException e) {
    return Failure.of(
        name + " cannot be read: " + e.getClass().getSimpleName() + " " + e.getMessage());
  }

  @Override
  public void close() {
    try {
      lines.close();
    } catch (IOException e) {
      throw unreadable(name, e);
    }
  }
}
