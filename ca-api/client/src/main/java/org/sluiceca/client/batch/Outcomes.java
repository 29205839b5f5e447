package org.sluiceca.client.batch;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sluiceca.client.output.Console;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.output.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What became of each request: counted, printed as a JSON line if that is wanted, and listed in
 * {@code failed.ndjson} if it failed. Not thread-safe.
 */
final class Outcomes implements AutoCloseable {
  /** Of a problem's members, in characters: a service does not choose how long the list grows. */
  private static final int TEXT_MAX = 1_024;

  private final Console console;
  private final Path failedFile;
  private final boolean json;
  private final BitSet known = new BitSet();
  private @Nullable BufferedWriter list;
  private int issued;
  private int before;
  private int failed;

  /** Prints on {@code console}, JSON lines if {@code json}. */
  Outcomes(Console console, BatchFolder folder, boolean json) {
    this.console = console;
    this.failedFile = folder.path().resolve(BatchFolder.FAILED);
    this.json = json;
  }

  /** Forgets the list of an earlier run, unless this one has begun its own. */
  void begin() {
    try {
      if (list == null) {
        Files.deleteIfExists(failedFile);
      }
    } catch (IOException e) {
      throw Failure.of("cannot delete " + failedFile);
    }
  }

  /** A certificate that is on disk. */
  void issued(int number, String id, Issued certificate, Path file, boolean wasBefore) {
    known.set(number);
    issued++;
    before += wasBefore ? 1 : 0;
    if (json) {
      ObjectNode line = JsonNodeFactory.instance.objectNode();
      line.put("id", id).put("result", wasBefore ? "issued-before" : "issued");
      line.put("serial", certificate.serial()).put("file", file.toString());
      console.raw(Json.line(line));
    }
  }

  /** A request that the service refused for good; of its problem what people read is kept. */
  void failed(int number, String id, JsonNode given) {
    known.set(number);
    failed++;
    ObjectNode problem = JsonNodeFactory.instance.objectNode();
    for (String name : List.of("type", "title", "detail")) {
      String text = given.path(name).asString("");
      if (!text.isEmpty()) {
        problem.put(name, text.length() > TEXT_MAX ? text.substring(0, TEXT_MAX) : text);
      }
    }
    if (given.path("status").isInt()) {
      problem.put("status", given.path("status").asInt());
    }
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put("id", id).set("problem", problem);
    append(Json.line(line));
    if (json) {
      ObjectNode printed = JsonNodeFactory.instance.objectNode();
      printed.put("id", id).put("result", "failed").set("problem", problem);
      console.raw(Json.line(printed));
    }
  }

  /** The same, for a reason of this program. */
  void failed(int number, String id, String title, String detail) {
    failed(
        number,
        id,
        JsonNodeFactory.instance.objectNode().put("title", title).put("detail", detail));
  }

  private void append(String line) {
    try {
      if (list == null) {
        list = Files.newBufferedWriter(failedFile, StandardCharsets.US_ASCII);
      }
      list.write(line);
      list.flush();
    } catch (IOException e) {
      throw Failure.of("cannot write " + failedFile);
    }
  }

  /** Whether this run knows what became of the request of this number. */
  boolean isKnown(int number) {
    return known.get(number);
  }

  /** The numbers of all of which that is so. */
  BitSet known() {
    return (BitSet) known.clone();
  }

  int issued() {
    return issued;
  }

  /** Those of the issued ones that earlier runs have written. */
  int before() {
    return before;
  }

  int failed() {
    return failed;
  }

  Path failedFile() {
    return failedFile;
  }

  @Override
  public void close() {
    try {
      if (list != null) {
        list.close();
      }
    } catch (IOException e) {
      // Each line was flushed.
      return;
    }
  }
}
