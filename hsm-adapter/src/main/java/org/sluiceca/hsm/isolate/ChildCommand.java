package org.sluiceca.hsm.isolate;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.sluiceca.hsm.isolate.child.ModuleMain;
import org.sluiceca.hsm.pkcs11.WrapperCryptoki;

/**
 * How a module's process is started: this runtime's {@code java}, small, with no more on its class
 * path than it needs, wherever the node's own classes come from.
 */
final class ChildCommand {
  /**
   * C1 alone, serial collector, a heap of a few frames: 38 MB resident where a plain JVM takes 45.
   * No files of its own in a folder that others see: no performance counters, no error file (what
   * is in it is printed, shortly), no core, which may hold a PIN.
   */
  private static final List<String> FLAGS =
      List.of(
          "-XX:+UseSerialGC",
          "-Xms4m",
          "-Xmn2m",
          "-Xmx32m",
          "-XX:TieredStopAtLevel=1",
          "-XX:ReservedCodeCacheSize=8m",
          "-XX:-UsePerfData",
          "-XX:+DisableAttachMechanism",
          "-XX:-CreateCoredumpOnCrash",
          "-XX:ErrorFile=/dev/null",
          "-XX:+ExitOnOutOfMemoryError",
          // What a jar's manifest says for a node (ca-api/pom.xml) holds for java -jar only.
          "--add-modules=jdk.crypto.cryptoki",
          "--add-exports=jdk.crypto.cryptoki/sun.security.pkcs11.wrapper=ALL-UNNAMED",
          "--enable-native-access=ALL-UNNAMED");

  /** They would change the child behind our back, and print a line about it. */
  private static final List<String> JVM_VARIABLES =
      List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  private static final String NESTED = "jar:nested:";

  private ChildCommand() {}

  /**
   * The process that runs this module, not started yet; its environment is this one's, since
   * vendors configure their libraries there.
   *
   * @param folder where jars may be put that are inside of another jar
   * @throws IOException when the classes cannot be found or copied
   */
  static ProcessBuilder of(Path module, String label, Path folder) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FLAGS);
    command.add("-cp");
    command.add(
        place(location(ModuleMain.class), folder)
            + File.pathSeparator
            + place(location(WrapperCryptoki.wrapperLibrary()), folder));
    command.add(ModuleMain.class.getName());
    command.add(module.toString());
    command.add(label);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    JVM_VARIABLES.forEach(environment::remove);
    return builder;
  }

  private static String location(Class<?> type) throws IOException {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      throw new IOException("it is not known where " + type.getName() + " was loaded from");
    }
    return source.getLocation().toString();
  }

  /**
   * Where a class path entry is or was put: a folder or jar as it is; a jar within Spring Boot's
   * executable jar, which {@code java} cannot read, as a copy.
   *
   * @param location the URL of a code source: {@code file:…}, or {@code jar:nested:…/!…!/}
   */
  static Path place(String location, Path folder) throws IOException {
    if (location.startsWith("file:")) {
      return Path.of(URI.create(location));
    }
    int inside = location.indexOf("/!");
    if (!location.startsWith(NESTED) || inside < 0) {
      throw new IOException("no process can be started with classes from " + location);
    }
    Path outer = Path.of(URI.create("file:" + location.substring(NESTED.length(), inside)));
    String entry = location.substring(inside + 2).replaceFirst("!/$", "");
    Path copy = folder.resolve(entry.substring(entry.lastIndexOf('/') + 1));
    try (ZipFile zip = new ZipFile(outer.toFile())) {
      ZipEntry found = zip.getEntry(entry);
      if (found == null || found.isDirectory()) {
        throw new IOException("no jar " + entry + " in " + outer);
      }
      try (InputStream in = zip.getInputStream(found)) {
        long _ = Files.copy(in, copy);
      }
    }
    return copy;
  }
}
