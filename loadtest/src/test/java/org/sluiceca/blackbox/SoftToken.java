package org.sluiceca.blackbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A SoftHSM token of a test's own, and a module in front of it whose C_Sign hangs on demand.
 *
 * @param folder holds everything: moving {@code tokens} away takes the token out
 */
record SoftToken(Path folder) {

  static final String LABEL = "blackbox";
  private static final String PIN = "7301448";

  /** Makes the token in {@code folder}. */
  static SoftToken make(Path folder) {
    SoftToken token = new SoftToken(folder);
    try {
      Files.createDirectories(token.tokens());
      Files.writeString(
          token.configuration(),
          "directories.tokendir = %s\nobjectstore.backend = file\nlog.level = ERROR\n"
              .formatted(token.tokens()));
      Files.writeString(token.pinFile(), PIN + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    token.initialize();
    return token;
  }

  /** Initialises a token in an empty folder: there are no keys in it. */
  void initialize() {
    Program.of(
            "softhsm2-util",
            "--init-token",
            "--free",
            "--label",
            LABEL,
            "--pin",
            PIN,
            "--so-pin",
            "90210000")
        .with(environment())
        .run()
        .ok();
  }

  /**
   * Copies the token with its keys, as replicated HSMs have them, under another label.
   *
   * @param label as long as {@link #LABEL}
   */
  void replicate(String label) {
    try {
      Path original = onlyToken();
      UUID number = UUID.randomUUID();
      Path copy = Files.createDirectory(folder.resolve("replica-" + label));
      try (Stream<Path> files = Files.list(original)) {
        for (Path file : files.toList()) {
          Path ignored = Files.copy(file, copy.resolve(original.relativize(file)));
        }
      }
      // SoftHSM keeps label and serial number, the end of the folder's name, as they are.
      Path token = copy.resolve("token.object");
      String text = Files.readString(token, StandardCharsets.ISO_8859_1);
      text =
          text.replace(LABEL, label)
              .replace(serial(original.getFileName() + ""), serial(number.toString()));
      Files.writeString(token, text, StandardCharsets.ISO_8859_1);
      // At once: SoftHSM may look at any time.
      Files.move(copy, tokens().resolve(number.toString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String serial(String uuid) {
    return uuid.replace("-", "").substring(16);
  }

  /** The folder of the one token that is there. */
  Path onlyToken() throws IOException {
    try (Stream<Path> all = Files.list(tokens())) {
      return all.findFirst().orElseThrow();
    }
  }

  /** A copy of SoftHSM's library: a process has one state per library. */
  Path ownModule(String name) {
    try {
      return Files.copy(Checkout.softHsm(), folder.resolve("softhsm-" + name + ".so"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Builds the hanging module (hang_pkcs11.c) and returns its path. */
  Path hangingModule() {
    Path module = folder.resolve("hang_pkcs11.so");
    Program.of("cc", "-shared", "-fPIC", "-o", module, Checkout.hangingModuleSource(), "-ldl")
        .run()
        .ok();
    return module;
  }

  Path tokens() {
    return folder.resolve("tokens");
  }

  Path pinFile() {
    return folder.resolve("pin");
  }

  /** C_Sign hangs while this file is there. */
  Path hangFile() {
    return folder.resolve("hang");
  }

  /** The first process that signs while this file is there dies "before" or "after" C_Sign. */
  Path killFile(String when) {
    return folder.resolve("kill-" + when);
  }

  Path configuration() {
    return folder.resolve("softhsm2.conf");
  }

  Map<String, String> environment() {
    return Map.of(
        "SOFTHSM2_CONF", configuration().toString(),
        "HANG_PKCS11_REAL", Checkout.softHsm().toString(),
        "HANG_PKCS11_FILE", hangFile().toString(),
        "KILL_PKCS11_BEFORE", killFile("before").toString(),
        "KILL_PKCS11_AFTER", killFile("after").toString());
  }

  void hang() {
    try {
      Files.createFile(hangFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void release() {
    try {
      Files.deleteIfExists(hangFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
