package org.sluiceca.blackbox;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where things are: the launcher, the tools that judge, the folder for evidence. */
final class Checkout {

  /** Maven sets basedir to the module's folder. */
  private static final Path MODULE =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().normalize();

  private static final Path ROOT = Optional.ofNullable(MODULE.getParent()).orElse(MODULE);

  private static final List<Path> SOFTHSM_LIBRARIES =
      List.of(
          Path.of("/usr/lib/softhsm/libsofthsm2.so"),
          Path.of("/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so"),
          Path.of("/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so"),
          Path.of("/usr/lib64/softhsm/libsofthsm2.so"),
          Path.of("/usr/lib64/pkcs11/libsofthsm2.so"),
          Path.of("/usr/local/lib/softhsm/libsofthsm2.so"));

  private Checkout() {}

  /** A file of the checkout, for what it promises to be held to. */
  static String text(String path) {
    try {
      return Files.readString(ROOT.resolve(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path launcher() {
    return ROOT.resolve("sluice");
  }

  /** The folder of the profiles that are part of the product. */
  static Path shippedProfiles() {
    return ROOT.resolve("ca-api/src/main/resources/profiles");
  }

  /** The source of the PKCS#11 module that hangs while a file exists. */
  static Path hangingModuleSource() {
    return ROOT.resolve("hsm-adapter/src/test/c/hang_pkcs11.c");
  }

  /** The module's build folder, where evidence goes. */
  static Path target() {
    return MODULE.resolve("target");
  }

  static Path softHsm() {
    return SOFTHSM_LIBRARIES.stream()
        .filter(Files::isReadable)
        .findFirst()
        .orElseThrow(() -> new AssertionError("SoftHSM is missing: install softhsm2"));
  }

  /**
   * A folder of foreign test data that {@code ./sluice test} fetches, whether it is there or not.
   */
  static Path collection(String name) {
    return ROOT.resolve("target/tools").resolve(name);
  }

  /** A program that {@code ./sluice test} installs, else one on the PATH. */
  static Optional<Path> tool(String name) {
    Path tools = ROOT.resolve("target/tools");
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.concat(
            Stream.of(
                tools.resolve("bin"),
                tools.resolve("pkilint/bin"),
                tools.resolve("badkeys/bin"),
                tools.resolve("http/bin")),
            Stream.of(path.split(File.pathSeparator)).map(Path::of))
        .map(folder -> folder.resolve(name))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
