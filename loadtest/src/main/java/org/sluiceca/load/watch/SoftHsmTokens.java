package org.sluiceca.load.watch;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.sluiceca.load.cli.TrialException;

/**
 * The SoftHSM tokens behind simulated HSMs, by their labels. Used by one thread at a time; each
 * method blocks for its files or for a program that ends within 20 s.
 */
record SoftHsmTokens(HsmMaker.Parts parts) {

  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** Guards nothing: the token is thrown away with the run. */
  private static final String SO_PIN = "12345678";

  /** What the tool says of a private and a public key behind their CKA_ID. */
  private static final String PAIR = " 2";

  /** Makes a token, which holds no key yet. */
  void make(String label) {
    String ignored =
        Command.run(
            List.of(
                "softhsm2-util",
                "--init-token",
                "--free",
                "--label",
                label,
                "--pin",
                pin(),
                "--so-pin",
                SO_PIN),
            Map.of(),
            LIMIT);
  }

  /**
   * Copies a token with its keys, each copy under a label and a serial number of its own.
   *
   * @param copies labels as long as the original's: SoftHSM's file is not rewritten
   */
  void copy(String original, List<String> copies) {
    try {
      Path token = folder(original);
      for (String copy : copies) {
        copy(token, original, copy);
      }
    } catch (IOException e) {
      throw new TrialException("cannot copy a token in " + parts.folder(), e);
    }
  }

  private void copy(Path original, String label, String copyLabel) throws IOException {
    UUID number = UUID.randomUUID();
    Path copy = Files.createDirectory(parts.folder().resolve("copy-" + copyLabel));
    try (Stream<Path> files = Files.list(original)) {
      for (Path file : files.toList()) {
        Path ignored = Files.copy(file, copy.resolve(original.relativize(file)));
      }
    }
    Path token = copy.resolve("token.object");
    String text = Files.readString(token, StandardCharsets.ISO_8859_1);
    text =
        text.replace(label, copyLabel)
            .replace(serial(original.getFileName() + ""), serial(number.toString()));
    Files.writeString(token, text, StandardCharsets.ISO_8859_1);
    // At once: SoftHSM may look at any time.
    Path ignored = Files.move(copy, tokens().resolve(number.toString()));
  }

  /**
   * Removes the keys of these issuers from a token, with those of their OCSP responders.
   *
   * @param issuers whose names are the CKA_IDs of their keys
   * @throws TrialException if one of the keys was not there
   */
  void forget(String label, List<String> issuers) {
    List<String> words =
        new ArrayList<>(List.of(parts.program().resolveSibling("caller").toString()));
    words.addAll(List.of("forget", label));
    issuers.forEach(issuer -> words.addAll(List.of(issuer, issuer + ".ocsp")));
    String said =
        Command.run(
            words, Map.of("CALLER_MODULE", parts.softHsm().toString(), "CALLER_PIN", pin()), LIMIT);
    for (String issuer : issuers) {
      if (said.lines().noneMatch((issuer + PAIR)::equals)) {
        throw new TrialException("the key of " + issuer + " was not in " + label + ": " + said);
      }
    }
  }

  /** SoftHSM's serial number of a token is the end of its folder's name. */
  private static String serial(String uuid) {
    return uuid.replace("-", "").substring(16);
  }

  private Path folder(String label) throws IOException {
    try (Stream<Path> all = Files.list(tokens())) {
      return all.filter(
              folder ->
                  read(folder.resolve("token.object"), StandardCharsets.ISO_8859_1).contains(label))
          .findFirst()
          .orElseThrow(() -> new TrialException("no token " + label + " in " + tokens()));
    }
  }

  private Path tokens() {
    return parts.folder().resolve("tokens");
  }

  private String pin() {
    return read(parts.pinFile(), StandardCharsets.UTF_8).strip();
  }

  private static String read(Path file, Charset charset) {
    try {
      return Files.readString(file, charset);
    } catch (IOException e) {
      throw new TrialException("cannot read " + file, e);
    }
  }
}
