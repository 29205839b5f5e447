package org.sluiceca.api.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.auth.store.RegisteredCredential;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.x509.OctetString;
import org.sluiceca.core.x509.SerialNumber;

/**
 * Answers what the registry knows of a credential, asking the database seldom: once in {@link
 * #BELIEVED} for one that is known, by any client; and for unknown ones one at a time, so that a
 * flood of made-up tokens leaves the other connections to those who have a real one. Thread-safe.
 *
 * @param <A> what is known of a credential
 */
final class CredentialCache<A> {

  /** How long a revoked credential may still be believed by a node that has just seen it. */
  static final Duration BELIEVED = Duration.ofSeconds(5);

  /** For the client of a refusal: the flood is over, or it is not. */
  static final Duration RETRY = Duration.ofSeconds(1);

  /** 10,000 answers of some 300 bytes: 3 MB each for the known and for the unknown. */
  private static final long ANSWERS_MAX = 10_000;

  /** Hashes that were once found, 100 bytes each. They decide who queues, never who is let in. */
  private static final long ONCE_FOUND_MAX = 10_000;

  private static final Duration ONCE_FOUND_FOR = Duration.ofHours(1);

  /** Of the four general connections; one answers about 2,000 look-ups a second. */
  private static final int UNKNOWN_AT_ONCE = 1;

  /** Each holds a request of some 110 KB while it waits. 64 are 32 ms of look-ups. */
  private static final int UNKNOWN_WAITING_MAX = 64;

  /** A stranger's wait for its turn: the registry is slow, or away. */
  private static final Duration UNKNOWN_WAIT = Duration.ofSeconds(1);

  /** The registry's own bound is 3 s for a connection and some for the query. */
  private static final long SHARED_WAIT_SECONDS = 10;

  /**
   * What is looked up: never the secret itself.
   *
   * @param presented the serial number of the client certificate, if it is one that this CA gives:
   *     certificates of one key share its registration, and each has a status of its own
   */
  record Key(RegisteredCredential.Kind kind, OctetString sha256, Optional<SerialNumber> presented) {

    Key(RegisteredCredential.Kind kind, OctetString sha256) {
      this(kind, sha256, Optional.empty());
    }
  }

  /** What the registry said. */
  private record Answer<A>(Optional<A> credential) {}

  /** Too many unknown credentials wait for the registry. */
  static final class TooMany extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooMany() {
      super("too many look-ups of unknown credentials", null, false, false);
    }
  }

  private final Function<Key, Optional<A>> registry;

  private final Duration unknownWait;

  // Apart, so that a flood of unknown ones cannot drive out a known one.
  private final Cache<Key, Answer<A>> known;
  private final Cache<Key, Answer<A>> unknown;
  private final Cache<Key, Boolean> onceFound;

  // At most one entry for each request under way.
  private final ConcurrentMap<Key, FutureTask<Answer<A>>> underWay = new ConcurrentHashMap<>();
  private final Semaphore unknownLookups = new Semaphore(UNKNOWN_AT_ONCE, true);
  private final Semaphore waiting = new Semaphore(UNKNOWN_WAITING_MAX);

  /** Looks up in {@code registry}, which may block. */
  CredentialCache(Function<Key, Optional<A>> registry) {
    this(registry, UNKNOWN_WAIT, Ticker.systemTicker());
  }

  /** The same in a test's time, by which answers grow old, with strangers of its patience. */
  CredentialCache(Function<Key, Optional<A>> registry, Duration unknownWait, Ticker ticker) {
    this.registry = registry;
    this.unknownWait = unknownWait;
    this.known = answers(ticker);
    this.unknown = answers(ticker);
    this.onceFound =
        Caffeine.newBuilder()
            .maximumSize(ONCE_FOUND_MAX)
            .expireAfterAccess(ONCE_FOUND_FOR)
            .ticker(ticker)
            .build();
  }

  private static <A> Cache<Key, Answer<A>> answers(Ticker ticker) {
    return Caffeine.newBuilder()
        .maximumSize(ANSWERS_MAX)
        .expireAfterWrite(BELIEVED)
        .ticker(ticker)
        .build();
  }

  /**
   * Returns what is registered under {@code key}, at most {@link #BELIEVED} old.
   *
   * @throws TooMany if too many unknown credentials are asked for at once; retrying is safe
   * @throws LedgerUnavailable if the database does not answer
   */
  Optional<A> find(Key key) {
    Answer<A> answer = remembered(key);
    if (answer == null) {
      answer = onceFound.getIfPresent(key) == null ? asStranger(key) : shared(key);
    }
    return answer.credential();
  }

  private @Nullable Answer<A> remembered(Key key) {
    Answer<A> answer = known.getIfPresent(key);
    return answer == null ? unknown.getIfPresent(key) : answer;
  }

  private Answer<A> asStranger(Key key) {
    if (!waiting.tryAcquire()) {
      throw new TooMany();
    }
    try {
      return inTurn(key);
    } finally {
      waiting.release();
    }
  }

  private Answer<A> inTurn(Key key) {
    try {
      if (!unknownLookups.tryAcquire(unknownWait.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new TooMany();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LedgerUnavailable("interrupted while waiting for the registry", e);
    }
    try {
      // Another request may have brought the same one while this one waited.
      Answer<A> answer = remembered(key);
      return answer == null ? shared(key) : answer;
    } finally {
      unknownLookups.release();
    }
  }

  /** Asks once for all who want to know the same now: a credential in heavy use expires for all. */
  private Answer<A> shared(Key key) {
    FutureTask<Answer<A>> mine = new FutureTask<>(() -> ask(key));
    FutureTask<Answer<A>> first = underWay.putIfAbsent(key, mine);
    if (first == null) {
      try {
        mine.run();
      } finally {
        underWay.remove(key, mine);
      }
      first = mine;
    }
    try {
      return first.get(SHARED_WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LedgerUnavailable("interrupted while waiting for the registry", e);
    } catch (TimeoutException e) {
      throw new LedgerUnavailable("the registry does not answer", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof LedgerUnavailable unavailable) {
        throw unavailable;
      }
      throw new IllegalStateException("a look-up failed", e.getCause());
    }
  }

  private Answer<A> ask(Key key) {
    Answer<A> answer = new Answer<>(registry.apply(key));
    if (answer.credential().isPresent()) {
      onceFound.put(key, true);
      known.put(key, answer);
    } else {
      onceFound.invalidate(key);
      unknown.put(key, answer);
    }
    return answer;
  }
}
