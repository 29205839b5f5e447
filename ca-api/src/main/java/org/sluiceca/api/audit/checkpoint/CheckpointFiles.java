package org.sluiceca.api.audit.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.core.audit.Checkpoint;
import org.sluiceca.core.audit.SignedCheckpoint;
import org.sluiceca.core.x509.OctetString;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Checkpoints as files outside the database, one each: base64 of the bytes and of the signature,
 * and the number and time next to them for people. For one thread.
 */
public final class CheckpointFiles {

  /** The end of their names. */
  public static final String SUFFIX = ".json";

  /** What their names begin with. */
  public static final String PREFIX = "checkpoint-";

  /**
   * A week of one a minute. Each stands for all before it: an older one only shows more exactly
   * where a chain became another.
   */
  static final long KEPT = 10_000;

  /** A checkpoint of the most heads is 1.3 MB, in base64 1.8 MB. */
  private static final long FILE_MAX = 4_000_000;

  private static final JsonMapper JSON = new JsonMapper();

  private final Path directory;

  /** Writes into {@code directory}, which is made if it is not there. */
  public CheckpointFiles(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
  }

  /** Writes one, whole or not at all, and drops what is too old. */
  public void write(SignedCheckpoint checkpoint) throws IOException {
    Checkpoint read = Checkpoint.parse(checkpoint.encoded()).orElseThrow();
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("number", read.number());
    content.put("takenAt", read.takenAt().toString());
    content.put("checkpoint", base64(checkpoint.encoded()));
    content.put("signature", base64(checkpoint.signature()));
    Path file = directory.resolve(name(read.number()));
    Path fresh = directory.resolve(name(read.number()) + ".new");
    try (FileChannel channel =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer octets = ByteBuffer.wrap(JSON.writeValueAsBytes(content));
      while (octets.hasRemaining()) {
        int _ = channel.write(octets);
      }
      // Else a power cut may leave the new name over an empty file.
      channel.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    boolean _ = Files.deleteIfExists(directory.resolve(name(read.number() - KEPT)));
  }

  private static String name(long number) {
    return PREFIX + number + SUFFIX;
  }

  /** Reads one; empty if it is none. */
  public static Optional<SignedCheckpoint> read(Path file) throws IOException {
    if (Files.size(file) > FILE_MAX) {
      return Optional.empty();
    }
    try {
      JsonNode content = JSON.readTree(Files.readAllBytes(file));
      return Optional.of(
          new SignedCheckpoint(octets(content, "checkpoint"), octets(content, "signature")));
    } catch (JacksonException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static OctetString octets(JsonNode content, String name) {
    return OctetString.copyOf(Base64.getDecoder().decode(content.path(name).asString()));
  }

  private static String base64(OctetString octets) {
    return Base64.getEncoder().encodeToString(octets.octets());
  }
}
