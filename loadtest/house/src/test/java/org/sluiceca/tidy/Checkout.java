package org.sluiceca.tidy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** The files that belong to the project, by their paths from its root, with {@code /}. */
final class Checkout {

  /** Where there is no git: what is made, not written. */
  private static final Set<String> MADE = Set.of(".git", "target", "var", ".idea", ".m2");

  private static final long GIT_SECONDS_MAX = 120;

  private static final Pattern NUL = Pattern.compile("\0");

  private final SortedMap<String, byte[]> files;
  private final List<JavaFile> java;

  private Checkout(SortedMap<String, byte[]> files) {
    this.files = files;
    this.java = JavaFile.parse(javaSources());
  }

  /** A checkout of exactly these texts, for mutants. */
  static Checkout of(Map<String, String> texts) {
    SortedMap<String, byte[]> files = new TreeMap<>();
    texts.forEach((path, text) -> files.put(path, text.getBytes(StandardCharsets.UTF_8)));
    return new Checkout(files);
  }

  /** The checkout that this test runs in: what git tracks or would add, else every file. */
  static Checkout here() throws IOException, InterruptedException {
    Path root = root();
    List<String> paths = Files.exists(root.resolve(".git")) ? tracked(root) : List.of();
    if (paths.isEmpty()) {
      paths = walk(root);
    }
    SortedMap<String, byte[]> files = new TreeMap<>();
    for (String path : paths) {
      Path file = root.resolve(path);
      // Listed but deleted is normal in work in progress.
      if (Files.isRegularFile(file)) {
        files.put(path, Files.readAllBytes(file));
      }
    }
    return new Checkout(files);
  }

  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null && !Files.exists(folder.resolve("mvnw"))) {
      folder = folder.getParent();
    }
    if (folder == null) {
      throw new IllegalStateException("no folder above the test holds mvnw");
    }
    return folder;
  }

  /** Empty where git does not run, as in an export of the sources. */
  private static List<String> tracked(Path root) throws IOException, InterruptedException {
    Path list = Files.createTempFile("tidy", ".list");
    try {
      Process git =
          new ProcessBuilder("git", "ls-files", "-z", "-c", "-o", "--exclude-standard")
              .directory(root.toFile())
              .redirectOutput(list.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!git.waitFor(GIT_SECONDS_MAX, TimeUnit.SECONDS) || git.exitValue() != 0) {
        git.destroyForcibly();
        return List.of();
      }
      return NUL.splitAsStream(Files.readString(list)).distinct().toList();
    } catch (IOException e) {
      return List.of();
    } finally {
      Files.delete(list);
    }
  }

  static List<String> walk(Path root) throws IOException {
    List<String> paths = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return MADE.contains(folder.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            paths.add(root.relativize(file).toString().replace('\\', '/'));
            return FileVisitResult.CONTINUE;
          }
        });
    return paths;
  }

  Set<String> paths() {
    return files.keySet();
  }

  /** Whether a file, or a folder that holds one, has this path. */
  boolean exists(String path) {
    String folder = path.endsWith("/") ? path : path + "/";
    SortedMap<String, byte[]> from = files.tailMap(folder);
    return files.containsKey(path) || (!from.isEmpty() && from.firstKey().startsWith(folder));
  }

  int size(String path) {
    return bytes(path).length;
  }

  boolean isText(String path) {
    for (byte b : bytes(path)) {
      if (b == 0) {
        return false;
      }
    }
    return true;
  }

  String text(String path) {
    return new String(bytes(path), StandardCharsets.UTF_8);
  }

  List<String> lines(String path) {
    return text(path).lines().toList();
  }

  /** Every Java file, parsed. */
  List<JavaFile> java() {
    return java;
  }

  /** The one Java file with this path; empty if it was moved. */
  List<JavaFile> java(String path) {
    return java.stream().filter(f -> f.path().equals(path)).toList();
  }

  static boolean isTest(String path) {
    return path.contains("src/test/") || path.matches("deploy/[a-z]+/test/.*");
  }

  private SortedMap<String, String> javaSources() {
    SortedMap<String, String> sources = new TreeMap<>();
    for (String path : files.keySet()) {
      if (path.endsWith(".java")) {
        sources.put(path, text(path));
      }
    }
    return sources;
  }

  private byte[] bytes(String path) {
    byte[] bytes = files.get(path);
    if (bytes == null) {
      throw new UncheckedIOException(new IOException("no file " + path));
    }
    return bytes;
  }
}
