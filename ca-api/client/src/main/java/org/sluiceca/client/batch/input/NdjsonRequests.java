package org.sluiceca.client.batch.input;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.output.Failure;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The requests of a file of JSON lines, each with id, csr and, if it has its own, profile. */
public final class NdjsonRequests implements Requests {
  private static final Set<String> MEMBERS = Set.of("id", "csr", "profile");
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .build();

  /** A line of a file takes no time; this ends the reading of one that hangs. */
  private static final Duration LINE_TIME = Duration.ofMinutes(1);

  private final Path file;
  private final String profile;
  private final int count;
  private final String state;

  /** Counts the lines; {@code profile} is for those without one, and may be empty. */
  public NdjsonRequests(Path file, String profile) {
    this.file = file;
    this.profile = profile;
    this.state = state(file);
    this.count = lines();
  }

  /** Lines are known by their numbers: a file that changes would have others under them. */
  private static String state(Path file) {
    try {
      return Files.size(file) + " " + Files.getLastModifiedTime(file);
    } catch (IOException e) {
      throw Failure.of("cannot read " + file);
    }
  }

  private int lines() {
    BitSet all = new BitSet();
    all.set(0, MOST + 1);
    try (Lines lines = new Lines()) {
      Entry _ = lines.next(all);
      return lines.number;
    }
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public Cursor open() {
    if (!state(file).equals(state)) {
      throw Failure.of(file + " has changed while it was read: run the same command again");
    }
    return new Lines();
  }

  /** The lines that are not blank, numbered from 0. */
  private final class Lines implements Cursor {
    private final LineReader reader;
    private int number;
    private int line;

    Lines() {
      try {
        reader = new LineReader(Files.newInputStream(file), BatchRequest.OCTETS_MAX, LINE_TIME);
      } catch (IOException e) {
        throw Failure.of("cannot read " + file);
      }
    }

    @Override
    public @Nullable Entry next(BitSet skip) {
      while (true) {
        line++;
        Optional<byte[]> text;
        try {
          text = reader.next();
        } catch (LineReader.TooLongException e) {
          if (skip.get(counted())) {
            continue;
          }
          return new Bad(number - 1, "line " + line, "the line is over 64 KiB");
        } catch (IOException e) {
          throw Failure.of("cannot read " + file);
        }
        if (text.isEmpty()) {
          return null;
        }
        String trimmed = new String(text.get(), StandardCharsets.UTF_8).strip();
        if (!trimmed.isEmpty() && !skip.get(counted())) {
          return entry(number - 1, trimmed);
        }
      }
    }

    private int counted() {
      if (number == MOST) {
        throw Failure.of(file + " has more than " + MOST + " lines: divide it");
      }
      return number++;
    }

    private Entry entry(int at, String text) {
      String id = "line " + line;
      try {
        JsonNode node = MAPPER.readTree(text);
        id = node.path("id").asString(id);
        return new Good(at, request(node));
      } catch (JacksonException e) {
        return new Bad(at, id, "the line is no JSON object of id, csr and profile");
      } catch (BatchRequest.BadRequestException e) {
        return new Bad(at, id, String.valueOf(e.getMessage()));
      }
    }

    private BatchRequest request(JsonNode node) throws BatchRequest.BadRequestException {
      for (String name : node.propertyNames()) {
        if (!MEMBERS.contains(name) || !node.path(name).isString()) {
          throw new BatchRequest.BadRequestException(
              "a line has the strings id, csr and profile, not '" + name + "' as here");
        }
      }
      if (!node.has("id") || !node.has("csr")) {
        throw new BatchRequest.BadRequestException("a line needs id and csr");
      }
      return BatchRequest.of(
          node.path("id").asString(""),
          node.path("profile").asString(profile),
          node.path("csr").asString("").strip().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
      try {
        reader.close();
      } catch (IOException e) {
        // It was read as far as it was needed.
        return;
      }
    }
  }
}
