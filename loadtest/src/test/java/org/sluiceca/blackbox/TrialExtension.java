package org.sluiceca.blackbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Gives a test class a running trial and shows the nodes' logs when a test fails. Classes that
 * leave it as they found it share one, since a start costs seconds: they are annotated with a lock
 * on its name, those that others would disturb for themselves, the rest with {@code mode = READ}.
 */
final class TrialExtension implements BeforeAllCallback, AfterAllCallback, TestWatcher {

  /** The name of the shared trial with everything by default. */
  static final String ONE_NODE = "trial of one node";

  /** The name of the shared trial of two nodes, which write their CRLs into the folder web. */
  static final String TWO_NODES = "trial of two nodes";

  /** Where clients of the trial of two nodes may put a balancer; its URLs of ACME begin there. */
  static final int FRONT_PORT = Ports.NODES.free(1);

  /** The name of the shared trial of two nodes that look for proofs at {@link ProofServers}. */
  static final String CHALLENGES = "trial of two nodes with challenges";

  /** RFC 2606 reserves the name: linters refuse URIs without a dot in the host. */
  static final String PUBLIC_URL = "http://pki.example.com";

  private static final Path MEMORY = Path.of("/dev/shm");

  /** Some thirty trials and prepared directories of 100 MB. */
  private static final long MEMORY_NEEDED_BYTES = 4L << 30;

  /** How the names of all folders begin; in memory the process's id follows. */
  private static final String FOLDER = "sluice-it-";

  private static final Namespace NAMESPACE = Namespace.create(TrialExtension.class);

  private final @Nullable String shared;
  private final Function<Path, Trial.Options> options;
  private @Nullable Trial trial;

  private TrialExtension(@Nullable String shared, Function<Path, Trial.Options> options) {
    this.shared = shared;
    this.options = options;
  }

  /** {@link #ONE_NODE}. */
  static TrialExtension shared() {
    return new TrialExtension(ONE_NODE, folder -> Trial.Options.nodes(1));
  }

  /** {@link #TWO_NODES}. */
  static TrialExtension sharedPair() {
    return new TrialExtension(
        TWO_NODES,
        folder ->
            Trial.Options.nodes(2)
                .also("--service-url", "https://localhost:" + FRONT_PORT)
                .with(Map.of("SLUICE_CRL_DIRECTORY", folder.resolve("web").toString())));
  }

  /** {@link #CHALLENGES}. */
  static TrialExtension sharedWithChallenges() {
    return new TrialExtension(
        CHALLENGES, folder -> Trial.Options.nodes(2).also(ProofServers.options()));
  }

  /** A trial of the class's own; {@code options} may put files into the folder that it is given. */
  static TrialExtension own(Function<Path, Trial.Options> options) {
    return new TrialExtension(null, options);
  }

  Trial trial() {
    if (trial == null) {
      throw new IllegalStateException("no test runs yet");
    }
    return trial;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    ExtensionContext.Store store = context.getRoot().getStore(NAMESPACE);
    // Before any trial, so that it is closed after them.
    store.computeIfAbsent("prepared", key -> Prepared.ofThisRun(), Prepared.class);
    String name = shared;
    if (name == null) {
      trial = start(context.getDisplayName(), options);
      return;
    }
    if (AnnotationSupport.findRepeatableAnnotations(
            context.getRequiredTestClass(), ResourceLock.class)
        .stream()
        .noneMatch(lock -> lock.value().equals(name))) {
      throw new AssertionError(context.getDisplayName() + " has no lock on the " + name);
    }
    trial = store.computeIfAbsent(name, key -> start(name, options), Trial.class);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (shared == null && trial != null) {
      trial.close();
    }
  }

  @Override
  public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
    if (trial != null) {
      System.err.println(context.getDisplayName() + " failed; " + trial.logs());
    }
  }

  private static Trial start(String name, Function<Path, Trial.Options> options) {
    Path folder = newFolder();
    Trial trial = new Trial(folder, options.apply(folder));
    long start = System.nanoTime();
    Program.Ended up = trial.up();
    if (up.status() != 0 || !up.text().startsWith("ready ")) {
      String logs = trial.logs();
      trial.close();
      throw new AssertionError(up + logs);
    }
    Evidence.note(
        "%s: up and ready in %.1f s"
            .formatted(name, Duration.ofNanos(System.nanoTime() - start).toMillis() / 1e3));
    return trial;
  }

  /**
   * A folder of a trial: in memory where there is enough, for a database and its copies are a
   * thousand files. What a killed run left there is removed, by one thread at a time.
   */
  static synchronized Path newFolder() {
    try {
      boolean isRoomy =
          Files.isWritable(MEMORY) && MEMORY.toFile().getUsableSpace() > MEMORY_NEEDED_BYTES;
      if (!isRoomy) {
        return Files.createTempDirectory(FOLDER).toRealPath();
      }
      try (DirectoryStream<Path> left = Files.newDirectoryStream(MEMORY, FOLDER + "*")) {
        for (Path folder : left) {
          String name = folder.getFileName().toString();
          String pid = name.substring(FOLDER.length(), name.lastIndexOf('-'));
          if (ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
            Trial.delete(folder);
          }
        }
      }
      return Files.createTempDirectory(MEMORY, FOLDER + ProcessHandle.current().pid() + "-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
