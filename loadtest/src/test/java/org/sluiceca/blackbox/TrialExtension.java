package org.sluiceca.blackbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Gives a test class a running trial and shows the nodes' logs when a test fails. The shared one
 * serves every class that leaves it as it found it, since a start costs many seconds.
 */
final class TrialExtension implements BeforeAllCallback, AfterAllCallback, TestWatcher {

  /** RFC 2606 reserves the name: linters refuse URIs without a dot in the host. */
  static final String PUBLIC_URL = "http://pki.example.com";

  private static final Trial.Options SHARED =
      new Trial.Options(1, List.of("--public-url", PUBLIC_URL), Map.of());

  private final @Nullable Function<Path, Trial.Options> own;
  private @Nullable Trial trial;

  private TrialExtension(@Nullable Function<Path, Trial.Options> own) {
    this.own = own;
  }

  /** One node with everything by default, for all classes of this run. */
  static TrialExtension shared() {
    return new TrialExtension(null);
  }

  /** A trial of the class's own; {@code options} may put files into the folder that it is given. */
  static TrialExtension own(Function<Path, Trial.Options> options) {
    return new TrialExtension(options);
  }

  Trial trial() {
    if (trial == null) {
      throw new IllegalStateException("no test runs yet");
    }
    return trial;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    trial =
        own == null
            ? context
                .getRoot()
                .getStore(Namespace.create(TrialExtension.class))
                .computeIfAbsent("shared", key -> start("shared", folder -> SHARED), Trial.class)
            : start(context.getDisplayName(), own);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (own != null && trial != null) {
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
        "%s trial: up and ready in %.1f s"
            .formatted(name, Duration.ofNanos(System.nanoTime() - start).toMillis() / 1e3));
    return trial;
  }

  static Path newFolder() {
    try {
      return Files.createTempDirectory("sluice-it-").toRealPath();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
