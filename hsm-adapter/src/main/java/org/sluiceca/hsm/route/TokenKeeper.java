package org.sluiceca.hsm.route;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.TokenSigner;

/**
 * A token's life in a group: opened, with patience, on a thread of its own; closed by the same
 * thread when it is to leave. So a token that does not answer holds up no other token.
 */
final class TokenKeeper implements Runnable {
  private static final Duration BACKOFF_MIN = Duration.ofSeconds(1);

  /** A token that is there again is to be used within 15 s. */
  private static final Duration BACKOFF_MAX = Duration.ofSeconds(10);

  private final TokenEndpoint endpoint;
  private final TokenGroup.Setup setup;
  private final Supplier<TokenStatus> status;
  private final Consumer<TokenKeeper> changed;

  /** Down when the token is to leave. */
  private final CountDownLatch retired = new CountDownLatch(1);

  private volatile boolean tried;
  private volatile boolean ended;
  private volatile @Nullable HsmException trouble;
  private volatile @Nullable TokenSigner opened;

  /**
   * The keeper of a token that has not been tried yet.
   *
   * @param status how the token of this name stands, whichever keeper has it
   * @param changed called after each try and at the end, on the keeper's thread
   */
  TokenKeeper(
      TokenEndpoint endpoint,
      TokenGroup.Setup setup,
      Supplier<TokenStatus> status,
      Consumer<TokenKeeper> changed) {
    this.endpoint = endpoint;
    this.setup = setup;
    this.status = status;
    this.changed = changed;
  }

  void start() {
    // Daemon: a module that hangs while it is opened must not keep the process from ending.
    var _ = Thread.ofPlatform().daemon().name("hsm-keeper-" + name()).start(this);
  }

  String name() {
    return endpoint.name();
  }

  TokenSettings settings() {
    return endpoint.settings();
  }

  TokenEndpoint endpoint() {
    return endpoint;
  }

  /** Whether the first try to open it has ended. */
  boolean isTried() {
    return tried;
  }

  /** Whether its thread has closed it, or given it up. */
  boolean isEnded() {
    return ended;
  }

  /** Has it closed, after its queue. */
  void retire() {
    retired.countDown();
  }

  /** Returns why this token does not serve this key; empty if it does or that is not known yet. */
  Optional<HsmException> whyWithout(KeyRef key) {
    TokenSigner open = opened;
    return open == null
        ? Optional.ofNullable(trouble)
        : Optional.ofNullable(open.keys().absent().get(key));
  }

  @Override
  public void run() {
    try {
      @Nullable TokenSigner signer = open();
      if (signer != null) {
        try {
          join(signer);
          retired.await();
        } finally {
          signer.close();
        }
      }
    } catch (InterruptedException e) {
      // Only a dying process interrupts a keeper.
      Thread.currentThread().interrupt();
    } finally {
      ended = true;
      changed.accept(this);
    }
  }

  private void join(TokenSigner signer) {
    opened = signer;
    endpoint.open(signer);
    setup.observer().joined(name());
    tried = true;
    changed.accept(this);
  }

  // The catch-all of an owned thread: whatever a module does, the token is tried again.
  @SuppressWarnings("CatchingUnchecked")
  private @Nullable TokenSigner open() throws InterruptedException {
    HsmObserver observer = endpoint.tokenObserver(setup.observer().added(name(), status));
    Duration backoff = BACKOFF_MIN;
    while (retired.getCount() > 0) {
      try {
        return setup.opener().open(settings(), setup.keys(), observer);
      } catch (HsmException e) {
        away(e);
      } catch (RuntimeException | Error e) {
        away(new HsmException.Unexpected("opening the token: " + e, false));
      }
      if (retired.await(backoff.toNanos(), TimeUnit.NANOSECONDS)) {
        return null;
      }
      backoff = longer(backoff);
    }
    return null;
  }

  private void away(HsmException why) {
    trouble = why;
    endpoint.away(why);
    setup.observer().away(name(), why);
    tried = true;
    changed.accept(this);
  }

  private static Duration longer(Duration backoff) {
    Duration doubled = backoff.multipliedBy(2);
    return doubled.compareTo(BACKOFF_MAX) > 0 ? BACKOFF_MAX : doubled;
  }
}
