package org.sluiceca.load.day.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The journal after ends of every kind. */
class JournalTest {

  private static final List<Entry> ALL =
      List.of(
          new Entry.Began(1_000, 0, 77),
          new Entry.Issued(2_000, 3, 2_000, -5, 7),
          new Entry.Sampled(2_500, 2_000, 1_993, 1_500_000, 1, 2, 3, 4, 5),
          new Entry.Paused(3_000, 0, 100),
          new Entry.Went(4_000, 0, 120),
          new Entry.Ended(5_000, 0));

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  private Path file() {
    return folder.resolve("journal");
  }

  private void write(List<Entry> entries) throws IOException {
    try (Journal journal = Journal.open(file())) {
      for (Entry entry : entries) {
        journal.append(entry);
      }
    }
  }

  private List<Entry> read() throws IOException {
    try (Journal journal = Journal.open(file())) {
      return journal.entries();
    }
  }

  @Test
  void open_whatWasWritten_readAgain() throws IOException {
    write(ALL);

    assertThat(read()).isEqualTo(ALL);
  }

  /** Wherever the writing stopped: what was whole before stays, and new entries follow it. */
  @Test
  void open_lastLineTorn_cutOffAndWrittenOn() throws IOException {
    write(ALL);
    byte[] whole = Files.readAllBytes(file());
    int last = new String(whole, StandardCharsets.US_ASCII).lastIndexOf('{');

    for (int length = last; length < whole.length; length++) {
      Files.write(file(), Arrays.copyOf(whole, length));
      try (Journal journal = Journal.open(file())) {
        assertThat(journal.entries()).as("%d octets", length).isEqualTo(ALL.subList(0, 5));
        journal.append(ALL.get(5));
      }
      assertThat(Files.readAllBytes(file())).isEqualTo(whole);
    }
  }

  /** A file system may have the length of a line, and not yet what stands in it. */
  @Test
  void open_lastLineOfZeros_cutOff() throws IOException {
    write(ALL);
    byte[] bytes = Files.readAllBytes(file());
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 40);
    Files.write(file(), longer);

    assertThat(read()).isEqualTo(ALL);
  }

  @Test
  void open_damagedBeforeItsEnd_refused() throws IOException {
    write(ALL);
    String text = Files.readString(file());
    Files.writeString(file(), text.replace("\"count\":2000", "\"count\":2001"));

    assertThatThrownBy(this::read).isInstanceOf(IOException.class).hasMessageContaining("damaged");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"what\":\"Ended\",\"atMillis\":1}",
        "{\"what\":\"Ended\",\"atMillis\":1,\"session\":0,\"more\":1}",
        "{\"what\":\"Begun\",\"atMillis\":1,\"session\":0}",
        "ended"
      })
  void open_soundLineOfAnotherVersion_refused(String line) throws IOException {
    CRC32 crc = new CRC32();
    crc.update(line.getBytes(StandardCharsets.US_ASCII));
    Files.writeString(file(), "%s %08x%n".formatted(line, crc.getValue()));

    assertThatThrownBy(this::read)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another version");
  }

  @Test
  void open_whileItIsOpen_refused() throws IOException {
    try (Journal first = Journal.open(file())) {
      assertThatThrownBy(this::read).hasMessageContaining("another process");
      assertThat(first.entries()).isEmpty();
    }
    assertThat(read()).isEmpty();
  }
}
