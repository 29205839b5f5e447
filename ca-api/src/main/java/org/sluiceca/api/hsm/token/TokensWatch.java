package org.sluiceca.api.hsm.token;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sluiceca.api.platform.PeriodicTask;
import org.sluiceca.hsm.route.TokenSettings;

/**
 * Has the tokens follow their file while the node runs: a file that is valid as a whole is applied;
 * one that is not is reported once and changes nothing. Owns one platform thread.
 */
public final class TokensWatch implements AutoCloseable {

  /** An operator waits for it; a look costs a read of some hundred bytes. */
  private static final Duration PAUSE = Duration.ofSeconds(3);

  private static final Logger LOG = LoggerFactory.getLogger(TokensWatch.class);

  private final TokensFile file;
  private final Consumer<List<TokenSettings>> apply;
  private final Consumer<Boolean> report;
  private final PeriodicTask task =
      new PeriodicTask(
          new PeriodicTask.Terms(
              TokensWatch.class,
              "tokens-file",
              "the tokens file is not looked at",
              PAUSE,
              PAUSE,
              Duration.ZERO),
          isStopping -> {
            look();
            return PAUSE;
          });

  // Owned by the thread once it runs.
  private byte[] seen;
  private boolean isReadable = true;

  /**
   * Watches {@code file}.
   *
   * @param seen what it held when its tokens were opened
   * @param apply takes what it lists now; throws IllegalArgumentException to refuse it
   * @param report receives, after each change, whether it was applied
   */
  public TokensWatch(
      TokensFile file, byte[] seen, Consumer<List<TokenSettings>> apply, Consumer<Boolean> report) {
    this.file = file;
    this.seen = seen.clone();
    this.apply = apply;
    this.report = report;
  }

  /** Begins to watch. */
  public void start() {
    task.start();
  }

  /** One look; called by its own thread, and by tests without one. */
  void look() {
    byte[] now;
    try {
      now = file.bytes();
    } catch (IllegalArgumentException e) {
      // Reported once, until it can be read again.
      if (isReadable) {
        refuse(e);
      }
      isReadable = false;
      return;
    }
    isReadable = true;
    if (Arrays.equals(now, seen)) {
      return;
    }
    // First: a refused file is reported once, not at every look.
    seen = now;
    try {
      List<TokenSettings> tokens = file.parse(now);
      apply.accept(tokens);
      LOG.info("the tokens are now {}", tokens.stream().map(TokenSettings::name).toList());
      report.accept(true);
    } catch (IllegalArgumentException e) {
      refuse(e);
    }
  }

  private void refuse(IllegalArgumentException why) {
    LOG.error("the tokens stay as they are: {}", why.getMessage());
    report.accept(false);
  }

  @Override
  public void close() {
    task.close();
  }
}
