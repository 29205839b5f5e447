package org.sluiceca.load.day.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.sluiceca.load.page.Text;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The file that says what a run has come to: a line an entry, with its checksum, durable when
 * {@link #append} returns. One process at a time has it open. Thread-safe.
 *
 * <p>A last line that is not whole was being written when the power, or the process, went: it is
 * cut off, and what it said is done again. Any other line that does not agree with its checksum
 * says that the file was damaged, and nothing is built on it.
 */
public final class Journal implements AutoCloseable {

  private static final char END = '\n';

  /** An entry of another version is none. */
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private final FileChannel file;
  private final FileLock lock;
  private final List<Entry> entries;

  private Journal(FileChannel file, FileLock lock, List<Entry> entries) {
    this.file = file;
    this.lock = lock;
    this.entries = entries;
  }

  /**
   * Opens it, and makes it if it is not there.
   *
   * @throws IOException if another process has it open, it is damaged, or cannot be read
   */
  public static Journal open(Path path) throws IOException {
    FileChannel file =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      FileLock lock = tryLock(file);
      if (lock == null) {
        throw new IOException("another process works on " + path);
      }
      List<Entry> entries = new ArrayList<>();
      long whole = read(path, entries);
      file.truncate(whole);
      file.position(whole);
      return new Journal(file, lock, entries);
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  private static @Nullable FileLock tryLock(FileChannel file) throws IOException {
    try {
      return file.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  /** Returns how many octets of it are whole lines. */
  private static long read(Path path, List<Entry> entries) throws IOException {
    String[] lines = Files.readString(path, StandardCharsets.ISO_8859_1).split("\n", -1);
    int whole = 0;
    for (int i = 0; i < lines.length - 1; i++) {
      String line = lines[i];
      if (!isSound(line)) {
        if (i == lines.length - 2 && lines[i + 1].isEmpty()) {
          return whole;
        }
        throw new IOException("the journal is damaged: '" + line + "'");
      }
      try {
        entries.add(JSON.readValue(line.substring(0, line.lastIndexOf(' ')), Entry.class));
      } catch (JacksonException e) {
        throw new IOException("the journal is of another version: '" + line + "'", e);
      }
      whole += line.length() + 1;
    }
    return whole;
  }

  private static boolean isSound(String line) {
    int blank = line.lastIndexOf(' ');
    return blank > 0 && line.substring(blank + 1).equals(checksum(line.substring(0, blank)));
  }

  private static String checksum(String words) {
    CRC32 crc = new CRC32();
    crc.update(words.getBytes(StandardCharsets.US_ASCII));
    return Text.format("%08x", crc.getValue());
  }

  /** Writes an entry; it is durable when this returns. */
  public synchronized void append(Entry entry) throws IOException {
    String words = JSON.writeValueAsString(entry);
    ByteBuffer line =
        ByteBuffer.wrap((words + " " + checksum(words) + END).getBytes(StandardCharsets.US_ASCII));
    while (line.hasRemaining()) {
      int ignored = file.write(line);
    }
    file.force(false);
    entries.add(entry);
  }

  /** Returns all entries so far, in the order in which they were written. */
  public synchronized List<Entry> entries() {
    return List.copyOf(entries);
  }

  @Override
  public void close() throws IOException {
    lock.release();
    file.close();
  }
}
