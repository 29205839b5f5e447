package org.sluiceca.client.batch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.sluiceca.client.connect.Credential;
import org.sluiceca.client.key.PemFiles;
import org.sluiceca.client.key.PrivateFile;
import org.sluiceca.client.output.Failure;
import org.sluiceca.client.output.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * What the idempotency keys of a batch have in common, kept in the folder of its certificates: so a
 * run after a kill asks for the same certificates, not for others.
 *
 * @param name chosen at random
 * @param began when the first key can have been used, at the earliest
 * @param profile of the command line, or empty
 * @param credential a digest of the credential that the first run had, with the name in it, from
 *     which nothing can be guessed; empty where an older client began
 */
record BatchName(String name, Instant began, String profile, String credential) {
  private static final String FILE = "batch.json";
  private static final int OCTETS_MAX = 4_096;
  private static final Pattern NAME = Pattern.compile("[0-9a-f-]{36}");

  /** The service keeps keys for seven days; a run may take hours, and clocks differ. */
  private static final Duration KEYS_LAST = Duration.ofDays(7).minusHours(6);

  private static final Duration CLOCKS_DIFFER = Duration.ofHours(1);

  /** A name for a batch that begins now; not kept yet. */
  static BatchName fresh(String profile, Instant now) {
    return new BatchName(
        UUID.randomUUID().toString(), now.truncatedTo(ChronoUnit.SECONDS), profile, "");
  }

  /** The name that the folder keeps. Fails if what it keeps cannot be read. */
  static Optional<BatchName> of(Path folder) {
    Path file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      if (Files.size(file) <= OCTETS_MAX) {
        JsonNode node = JsonMapper.shared().readTree(Files.readAllBytes(file));
        BatchName read =
            new BatchName(
                node.path("name").asString(""),
                Instant.parse(node.path("began").asString("")),
                node.path("profile").asString(""),
                node.path("credential").asString(""));
        if (NAME.matcher(read.name).matches()) {
          return Optional.of(read);
        }
      }
    } catch (IOException | JacksonException | DateTimeException e) {
      // Said below: a new name in its place would issue certificates a second time.
    }
    throw Failure.of(file + " cannot be read: without it name another --out");
  }

  /**
   * Whether the service may have forgotten the first keys: they are old, or the clock was wrong
   * when they were chosen.
   */
  boolean isLate(Instant now) {
    return now.isAfter(began.plus(KEYS_LAST)) || began.isAfter(now.plus(CLOCKS_DIFFER));
  }

  /** Whether the first run may have had this credential. */
  boolean isBegunWith(Credential other) {
    return credential.isEmpty() || credential.equals(digest(other));
  }

  /** The same with this credential, if none is known. */
  BatchName begunWith(Credential first) {
    return credential.isEmpty() ? new BatchName(name, began, profile, digest(first)) : this;
  }

  private String digest(Credential of) {
    byte[] secret =
        switch (of) {
          case Credential.Token token -> token.value().getBytes(StandardCharsets.US_ASCII);
          case Credential.ClientCertificate own ->
              PemFiles.certificates(own.certificate()).getFirst().getPublicKey().getEncoded();
          case Credential.None _ -> new byte[0];
        };
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(("sluice batch " + name + "\n").getBytes(StandardCharsets.US_ASCII));
      return HexFormat.of().formatHex(digest.digest(secret));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Keeps it in the folder, on disk when this returns. */
  void keep(Path folder) {
    PrivateFile.write(
        folder.resolve(FILE),
        Json.line(
                JsonNodeFactory.instance
                    .objectNode()
                    .put("name", name)
                    .put("began", began.toString())
                    .put("profile", profile)
                    .put("credential", credential))
            .getBytes(StandardCharsets.US_ASCII));
  }
}
