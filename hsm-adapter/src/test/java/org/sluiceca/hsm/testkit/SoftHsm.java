package org.sluiceca.hsm.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.PinFile;
import org.sluiceca.hsm.pkcs11.Cka;
import org.sluiceca.hsm.pkcs11.CryptokiException;
import org.sluiceca.hsm.pkcs11.SessionHandle;
import org.sluiceca.hsm.pkcs11.WrapperCryptoki;
import sun.security.pkcs11.wrapper.CK_ATTRIBUTE;
import sun.security.pkcs11.wrapper.PKCS11;
import sun.security.pkcs11.wrapper.PKCS11Exception;

/**
 * A real SoftHSM in a folder of this build. SOFTHSM2_CONF must be set before the JVM starts, so
 * surefire does that (pom.xml); the file is written here, before the module is loaded.
 */
public final class SoftHsm {
  private static final String PIN = "648219";
  private static final List<String> LIBRARIES =
      List.of(
          "/usr/lib/softhsm/libsofthsm2.so",
          "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so",
          "/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so",
          "/usr/lib64/softhsm/libsofthsm2.so",
          "/usr/lib64/pkcs11/libsofthsm2.so",
          "/usr/local/lib/softhsm/libsofthsm2.so");

  /** SoftHSM numbers sessions from 1 and reuses the numbers. */
  private static final int SESSIONS_MAX = 256;

  private static final Path FOLDER = prepare();

  private SoftHsm() {}

  /**
   * A fresh token.
   *
   * @param folder where SoftHSM keeps it: moving it away removes the token
   */
  public record SoftToken(String label, PinFile pin, Path folder) {}

  /** The module; fails with what to install where there is none. */
  public static Path library() {
    return LIBRARIES.stream()
        .map(Path::of)
        .filter(Files::isRegularFile)
        .findFirst()
        .orElseThrow(
            () ->
                new AssertionError(
                    "SoftHSM is missing: install softhsm2 (Debian: apt-get install softhsm2)"));
  }

  /** A fresh token with this label, visible to the module in this process. */
  public static SoftToken newToken(String label) {
    Path library = library();
    Path tokens = FOLDER.resolve("tokens");
    Set<Path> before = list(tokens);
    run(
        "softhsm2-util",
        "--init-token",
        "--free",
        "--label",
        label,
        "--pin",
        PIN,
        "--so-pin",
        "90210000");
    Set<Path> after = list(tokens);
    after.removeAll(before);
    // SoftHSM lists the tokens that it found at C_Initialize.
    if (!WrapperCryptoki.load(library).reinitialise()) {
      throw new AssertionError("a call of an earlier test still runs in the module");
    }
    return new SoftToken(label, pinFile(label, PIN), after.iterator().next());
  }

  /** A PIN file with any content. */
  public static PinFile pinFile(String name, String content) {
    try {
      return new PinFile(Files.writeString(FOLDER.resolve(name + ".pin"), content + "\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Puts a key pair that exists outside into the token: so one key gets into several. */
  public static void importKey(SoftToken token, CkaId id, KeyPair pair) {
    try {
      Path pem = FOLDER.resolve(token.label() + ".pem");
      Files.writeString(
          pem,
          "-----BEGIN PRIVATE KEY-----\n"
              + Base64.getMimeEncoder().encodeToString(pair.getPrivate().getEncoded())
              + "\n-----END PRIVATE KEY-----\n");
      run(
          "softhsm2-util",
          "--import",
          pem.toString(),
          "--token",
          token.label(),
          "--label",
          "imported",
          "--id",
          id.toString(),
          "--pin",
          PIN);
      Files.delete(pem);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes the token, or brings it back. */
  public static void move(Path from, Path to) {
    try {
      Files.move(from, to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where a removed token is kept. */
  public static Path away(SoftToken token) {
    return FOLDER.resolve("away-" + token.label());
  }

  /** Closes every session of this process behind its owners' backs; the login goes with them. */
  public static void closeAllSessions() {
    WrapperCryptoki module = WrapperCryptoki.load(library());
    int missing = 0;
    for (long value = 1; value <= SESSIONS_MAX; value++) {
      try {
        module.closeSession(new SessionHandle(module.generation(), value));
      } catch (CryptokiException e) {
        missing++;
      }
    }
    if (missing == SESSIONS_MAX) {
      throw new AssertionError("no session was open");
    }
  }

  /** Destroys both halves of a pair; the process must be logged in. */
  public static void destroyKeys(SoftToken token, CkaId id) {
    try {
      // Cached by path and initialised already: this is the module under test itself.
      PKCS11 pkcs11 = PKCS11.getInstance(library().toString(), "C_GetFunctionList", null, true);
      long session = pkcs11.C_OpenSession(slot(pkcs11, token.label()), 0x6, null, null);
      pkcs11.C_FindObjectsInit(session, new CK_ATTRIBUTE[] {new CK_ATTRIBUTE(Cka.ID, id.bytes())});
      long[] found = pkcs11.C_FindObjects(session, 10);
      pkcs11.C_FindObjectsFinal(session);
      for (long object : found) {
        pkcs11.C_DestroyObject(session, object);
      }
      pkcs11.C_CloseSession(session);
    } catch (IOException | PKCS11Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static long slot(PKCS11 pkcs11, String label) throws PKCS11Exception {
    for (long slot : pkcs11.C_GetSlotList(true)) {
      if (new String(pkcs11.C_GetTokenInfo(slot).label).strip().equals(label)) {
        return slot;
      }
    }
    throw new AssertionError("no token " + label);
  }

  private static Path prepare() {
    String conf = System.getenv("SOFTHSM2_CONF");
    if (conf == null) {
      throw new AssertionError(
          "SOFTHSM2_CONF is not set: run the tests by Maven (pom.xml sets it)");
    }
    try {
      Path folder = Path.of(conf).toAbsolutePath().getParent();
      if (folder == null) {
        throw new AssertionError("SOFTHSM2_CONF names no file in a folder: " + conf);
      }
      delete(folder);
      Files.createDirectories(folder.resolve("tokens"));
      Files.writeString(
          Path.of(conf),
          "directories.tokendir = "
              + folder.resolve("tokens")
              + "\nobjectstore.backend = file\nlog.level = ERROR\n");
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }

  private static Set<Path> list(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a program; fails with its output. */
  public static void run(String... command) {
    String _ = output(command);
  }

  /** Runs a program and returns what it printed; fails with that. */
  public static String output(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(2, TimeUnit.MINUTES) || process.exitValue() != 0) {
        throw new AssertionError(String.join(" ", command) + " failed: " + output);
      }
      return output;
    } catch (IOException e) {
      throw new AssertionError("cannot run " + command[0] + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
