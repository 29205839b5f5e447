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
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.ledger.RegisteredCredential;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.x509.OctetString;

/**
 * Answers what the registry knows of a credential, asking the database seldom: once in {@link
 * #BELIEVED} for one that is known, whoever asks; and for unknown ones one at a time, so that a
 * flood of made-up tokens leaves the other connections to those who have a real one. Thread-safe.
 */
final class Lookups {

  /** How long a revoked credential may still be believed by a node that has just seen it. */
  static final Duration BELIEVED = Duration.ofSeconds(5);

  /** For the client of a refusal: the flood is over, or it is not. */
  static final Duration RETRY = Duration.ofSeconds(1);

  /** 10,000 answers of some 300 bytes: 3 MB each for the known and for the unknown. */
  private static final long ANSWERS_MAX = 10_000;

  /** Hashes that were once found, 100 bytes each. They decide who queues, never who is let in. */
  private static final long FAMILIAR_MAX = 10_000;

  private static final Duration FAMILIAR_FOR = Duration.ofHours(1);

  /** Of the four general connections; one answers about 2,000 look-ups a second. */
  private static final int STRANGERS_AT_ONCE = 1;

  /** Each holds a request of some 110 KB while it waits. 64 are 32 ms of look-ups. */
  private static final int STRANGERS_WAITING_MAX = 64;

  /** A stranger's wait for its turn: the registry is slow, or away. */
  private static final Duration STRANGER_WAIT = Duration.ofSeconds(1);

  /** The registry's own bound is 3 s for a connection and some for the query. */
  private static final long SHARED_WAIT_SECONDS = 10;

  /** What is looked up: never the secret itself. */
  record Key(RegisteredCredential.Kind kind, OctetString sha256) {}

  /** What the registry said. */
  private record Answer(Optional<RegisteredCredential> credential) {}

  /** Too many unknown credentials wait for the registry. */
  static final class TooMany extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooMany() {
      super("too many look-ups of unknown credentials", null, false, false);
    }
  }

  private final BiFunction<RegisteredCredential.Kind, OctetString, Optional<RegisteredCredential>>
      registry;

  private final Duration strangerWait;

  // Apart, so that a flood of unknown ones cannot drive out a known one.
  private final Cache<Key, Answer> known;
  private final Cache<Key, Answer> unknown;
  private final Cache<Key, Boolean> familiar;

  // At most one entry for each request under way.
  private final ConcurrentMap<Key, FutureTask<Answer>> underWay = new ConcurrentHashMap<>();
  private final Semaphore strangers = new Semaphore(STRANGERS_AT_ONCE, true);
  private final Semaphore waiting = new Semaphore(STRANGERS_WAITING_MAX);

  /** Looks up in {@code registry}, which may block. */
  Lookups(
      BiFunction<RegisteredCredential.Kind, OctetString, Optional<RegisteredCredential>> registry) {
    this(registry, STRANGER_WAIT, Ticker.systemTicker());
  }

  /** The same in a test's time, by which answers grow old, with strangers of its patience. */
  Lookups(
      BiFunction<RegisteredCredential.Kind, OctetString, Optional<RegisteredCredential>> registry,
      Duration strangerWait,
      Ticker ticker) {
    this.registry = registry;
    this.strangerWait = strangerWait;
    this.known = answers(ticker);
    this.unknown = answers(ticker);
    this.familiar =
        Caffeine.newBuilder()
            .maximumSize(FAMILIAR_MAX)
            .expireAfterAccess(FAMILIAR_FOR)
            .ticker(ticker)
            .build();
  }

  private static Cache<Key, Answer> answers(Ticker ticker) {
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
  Optional<RegisteredCredential> find(Key key) {
    Answer answer = remembered(key);
    if (answer == null) {
      answer = familiar.getIfPresent(key) == null ? asStranger(key) : shared(key);
    }
    return answer.credential();
  }

  private @Nullable Answer remembered(Key key) {
    Answer answer = known.getIfPresent(key);
    return answer == null ? unknown.getIfPresent(key) : answer;
  }

  private Answer asStranger(Key key) {
    if (!waiting.tryAcquire()) {
      throw new TooMany();
    }
    try {
      return inTurn(key);
    } finally {
      waiting.release();
    }
  }

  private Answer inTurn(Key key) {
    try {
      if (!strangers.tryAcquire(strangerWait.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new TooMany();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LedgerUnavailable("interrupted while waiting for the registry", e);
    }
    try {
      // Another request may have brought the same one while this one waited.
      Answer answer = remembered(key);
      return answer == null ? shared(key) : answer;
    } finally {
      strangers.release();
    }
  }

  /** Asks once for all who want to know the same now: a credential in heavy use expires for all. */
  private Answer shared(Key key) {
    FutureTask<Answer> mine = new FutureTask<>(() -> ask(key));
    FutureTask<Answer> first = underWay.putIfAbsent(key, mine);
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

  private Answer ask(Key key) {
    Answer answer = new Answer(registry.apply(key.kind(), key.sha256()));
    if (answer.credential().isPresent()) {
      familiar.put(key, true);
      known.put(key, answer);
    } else {
      familiar.invalidate(key);
      unknown.put(key, answer);
    }
    return answer;
  }
}
