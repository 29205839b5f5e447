package org.sluiceca.blackbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Data directories in which the ceremony is done and no node has run yet: made once per run for
 * each kind of ceremony, and copied for each trial. A ceremony costs several times what the start
 * of a node does.
 */
final class Prepared implements AutoCloseable {

  private static final Prepared OF_THIS_RUN = new Prepared();

  /** Options of {@code up} that its nodes take, and the ceremony does not. */
  private static final Set<String> OF_NODES =
      Set.of("--node-heap", "--tokens-file", "--service-url");

  /** What stands in front of the keys of a test's own token, and where they lie. */
  private static final Set<String> OF_PLACES = Set.of("--pkcs11-module", "--pin-file");

  private final ConcurrentMap<SortedMap<String, String>, Path> folders = new ConcurrentHashMap<>();

  private Prepared() {}

  static Prepared ofThisRun() {
    return OF_THIS_RUN;
  }

  /** Makes the data directory of a trial that was never up, and the keys in a token of its own. */
  void copyTo(Path folder, Trial.Options options) {
    Path original = folders.computeIfAbsent(kind(options), kind -> prepare(kind, options));
    copy(original.resolve("data"), folder.resolve("data"));
    SoftToken token = options.token();
    if (token != null) {
      Trial.delete(token.tokens());
      copy(new SoftToken(original.resolve("token")).tokens(), token.tokens());
    }
    try {
      Files.writeString(folder.resolve("data/postgres.port"), Ports.DATABASES.free(1) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the ceremony depends on. Trials of one kind have copies of one directory. */
  private static SortedMap<String, String> kind(Trial.Options options) {
    SortedMap<String, String> kind = options.values();
    kind.keySet().removeAll(OF_NODES);
    if (options.token() != null) {
      kind.keySet().removeAll(OF_PLACES);
    }
    return Collections.unmodifiableSortedMap(kind);
  }

  private static Path prepare(SortedMap<String, String> kind, Trial.Options options) {
    Path folder = TrialExtension.newFolder();
    Trial.Options ceremony = Trial.Options.nodes(1);
    if (options.token() != null) {
      ceremony =
          Trial.Options.token(1, SoftToken.make(folder.resolve("token")), Checkout.softHsm());
    }
    for (Map.Entry<String, String> value : kind.entrySet()) {
      ceremony = ceremony.also(value.getKey(), value.getValue());
    }
    Trial trial = new Trial(folder, ceremony);
    long start = System.nanoTime();
    Program.Ended ended = trial.prepare();
    if (ended.status() != 0) {
      trial.close();
      throw new AssertionError(ended);
    }
    Evidence.note(
        "prepared %s in %.1f s"
            .formatted(kind, Duration.ofNanos(System.nanoTime() - start).toMillis() / 1e3));
    return folder;
  }

  private static void copy(Path from, Path to) {
    Program.of("cp", "-a", "--reflink=auto", from, to).run().ok();
  }

  @Override
  public void close() {
    folders.values().forEach(Trial::delete);
    folders.clear();
  }
}
