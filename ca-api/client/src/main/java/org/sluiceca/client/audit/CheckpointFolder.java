package org.sluiceca.client.audit;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.sluiceca.client.output.Failure;
import org.sluiceca.core.audit.SignedCheckpoint;
import org.sluiceca.core.audit.verify.CheckpointVerifier;
import org.sluiceca.core.audit.verify.Finding;
import org.sluiceca.core.x509.OctetString;
import tools.jackson.databind.JsonNode;

/** The checkpoints that nodes have written as files, one each. */
final class CheckpointFolder {
  private static final String FILES = "checkpoint-*.json";
  private static final long OCTETS_MAX = TrailLine.OCTETS_MAX;

  private CheckpointFolder() {}

  /** Gives all of them to {@code verifier}; returns their number. Fails on a folder without one. */
  static long read(List<Path> folders, CheckpointVerifier verifier, Consumer<Finding> findings) {
    long all = 0;
    for (Path folder : folders) {
      long before = all;
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, FILES)) {
        for (Path file : files) {
          Optional<SignedCheckpoint> checkpoint = read(file);
          if (checkpoint.isPresent()) {
            verifier.exported(file.toString(), checkpoint.get());
          } else {
            findings.accept(new Finding.ExportUnreadable(file.toString()));
          }
          all++;
        }
      } catch (IOException e) {
        throw Failure.of(
            folder + " cannot be read: " + e.getClass().getSimpleName() + " " + e.getMessage());
      }
      if (all == before) {
        // A wrong folder must not look like one in which all is well.
        throw Failure.of(folder + " has no file " + FILES);
      }
    }
    return all;
  }

  private static Optional<SignedCheckpoint> read(Path file) throws IOException {
    if (Files.size(file) > OCTETS_MAX) {
      return Optional.empty();
    }
    return TrailLine.json(Files.readAllBytes(file)).flatMap(CheckpointFolder::checkpoint);
  }

  private static Optional<SignedCheckpoint> checkpoint(JsonNode content) {
    try {
      return Optional.of(
          new SignedCheckpoint(octets(content, "checkpoint"), octets(content, "signature")));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static OctetString octets(JsonNode content, String name) {
    return OctetString.copyOf(Base64.getDecoder().decode(content.path(name).asString("")));
  }
}
