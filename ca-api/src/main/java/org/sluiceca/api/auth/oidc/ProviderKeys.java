package org.sluiceca.api.auth.oidc;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of one provider, as they were last fetched. Known keys are used while the provider is
 * away; they are fetched again in the background when they are old, at once when no token came for
 * some time or for a key that is not known, once in {@link #INTERVAL} at most whatever tokens come.
 * Thread-safe.
 */
final class ProviderKeys {

  /** After so long known keys are fetched again; after twice that a token waits for it. */
  static final Duration REFRESH = Duration.ofMinutes(10);

  /** After so long without an answer of the provider nothing is known of its keys. */
  static final Duration KEPT = Duration.ofHours(24);

  /** Between the beginnings of two downloads. */
  static final Duration INTERVAL = Duration.ofSeconds(10);

  /** Requests with unknown keys that wait for a download; each holds some 110 KB. */
  private static final int WAITING_MAX = 16;

  private static final Logger LOG = LoggerFactory.getLogger(ProviderKeys.class);

  /** Fetches keys; blocks for {@link KeyDownload#LIMIT} at most. */
  interface Source {
    KeySet get() throws IOException;
  }

  /** The keys cannot be had now: the token may be good or not. */
  static final class Unavailable extends Exception {
    private static final long serialVersionUID = 1L;

    Unavailable() {
      super("the provider's keys cannot be had", null, false, false);
    }
  }

  private final String name;
  private final Source source;
  private final LongSupplier nanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Semaphore waiting = new Semaphore(WAITING_MAX);

  private volatile @Nullable Fetched fetched;
  private volatile long failedAtNanos;
  private volatile boolean hasFailed;

  // Guarded by lock.
  private @Nullable FutureTask<Boolean> download;
  private long begunNanos;
  private boolean isBegun;

  private record Fetched(KeySet keys, long atNanos) {}

  /** The keys of the provider {@code name}, by a clock that counts on. */
  ProviderKeys(String name, Source source, LongSupplier nanos) {
    this.name = name;
    this.source = source;
    this.nanos = nanos;
  }

  /**
   * Returns the key for a token; empty if the provider has none such.
   *
   * @throws Unavailable if it is not known and the provider does not answer
   */
  Optional<KeySet.Key> find(Optional<String> id, JwtAlgorithm algorithm) throws Unavailable {
    Optional<KeySet.Key> known = known(id, algorithm);
    Fetched now = fetched;
    if (known.isPresent() && !mustWait(now)) {
      if (now != null && age(now) > REFRESH.toNanos()) {
        // Known keys go on, whatever becomes of it.
        FutureTask<Boolean> _ = startOrJoin();
      }
      return known;
    }
    if (!waiting.tryAcquire()) {
      throw new Unavailable();
    }
    try {
      FutureTask<Boolean> joined = startOrJoin();
      boolean isFetched = joined != null && isDone(joined);
      Optional<KeySet.Key> found = known(id, algorithm);
      if (found.isEmpty() && !isFetched) {
        throw new Unavailable();
      }
      return found;
    } finally {
      waiting.release();
    }
  }

  /** Old keys count unasked only while the provider is known to be away: it may have others. */
  private boolean mustWait(@Nullable Fetched now) {
    boolean isAway = hasFailed && nanos.getAsLong() - failedAtNanos < REFRESH.toNanos();
    return now != null && age(now) > 2 * REFRESH.toNanos() && !isAway;
  }

  private Optional<KeySet.Key> known(Optional<String> id, JwtAlgorithm algorithm) {
    Fetched now = fetched;
    return now == null || age(now) > KEPT.toNanos()
        ? Optional.empty()
        : now.keys().find(id, algorithm);
  }

  private long age(Fetched of) {
    return nanos.getAsLong() - of.atNanos();
  }

  /** Returns the download under way or the last one, which is no older than the interval. */
  private @Nullable FutureTask<Boolean> startOrJoin() {
    lock.lock();
    try {
      FutureTask<Boolean> last = download;
      boolean isRecent = isBegun && nanos.getAsLong() - begunNanos < INTERVAL.toNanos();
      if (last != null && (isRecent || !last.isDone())) {
        return last;
      }
      FutureTask<Boolean> fresh = new FutureTask<>(this::fetch);
      download = fresh;
      begunNanos = nanos.getAsLong();
      isBegun = true;
      Thread.ofVirtual().name("oidc-keys-" + name).start(fresh);
      return fresh;
    } finally {
      lock.unlock();
    }
  }

  private boolean fetch() {
    try {
      fetched = new Fetched(source.get(), nanos.getAsLong());
      hasFailed = false;
      return true;
    } catch (IOException e) {
      LOG.warn("the keys of the provider {} cannot be fetched: {}", name, e.getMessage());
      failedAtNanos = nanos.getAsLong();
      hasFailed = true;
      return false;
    }
  }

  private static boolean isDone(FutureTask<Boolean> download) {
    try {
      return download.get(KeyDownload.LIMIT.toMillis() * 2, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a download failed", e.getCause());
    }
  }
}
