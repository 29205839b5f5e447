package org.sluiceca.api.console.session;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.x509.OctetString;

/**
 * Lets the cookies of sessions that this node has seen ask the database at once, and others one at
 * a time: a flood of made-up cookies leaves the connections to those who are signed in. It caches
 * no answer, so a session that has ended ends with its next request. Thread-safe.
 */
final class SessionGate {

  /** 100 bytes each. A forgotten one only queues with the others. */
  private static final long SEEN_MAX = 10_000;

  private static final Duration SEEN_FOR = Duration.ofHours(1);

  /** Each holds a request of some 110 KB while it waits. 64 are 32 ms of look-ups. */
  private static final int WAITING_MAX = 64;

  private static final Duration WAIT = Duration.ofSeconds(1);

  /** For the client of a refusal: the flood is over, or it is not. */
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Cache<OctetString, Boolean> seen =
      Caffeine.newBuilder().maximumSize(SEEN_MAX).expireAfterAccess(SEEN_FOR).build();
  private final Semaphore turns = new Semaphore(1, true);
  private final Semaphore waiting = new Semaphore(WAITING_MAX);
  private final Duration wait;

  SessionGate() {
    this(WAIT);
  }

  /** The same with the patience of a test. */
  SessionGate(Duration wait) {
    this.wait = wait;
  }

  /**
   * Returns what {@code lookup} finds; blocks as it does.
   *
   * @throws ProblemException if too many unknown cookies are asked for at once
   */
  <T> Optional<T> find(OctetString id, Function<OctetString, Optional<T>> lookup) {
    Optional<T> found = seen.getIfPresent(id) == null ? inTurn(id, lookup) : lookup.apply(id);
    if (found.isPresent()) {
      seen.put(id, true);
    } else {
      seen.invalidate(id);
    }
    return found;
  }

  /** Notes a session that was just made here. */
  void made(OctetString id) {
    seen.put(id, true);
  }

  private <T> Optional<T> inTurn(OctetString id, Function<OctetString, Optional<T>> lookup) {
    if (!waiting.tryAcquire()) {
      throw tooMany();
    }
    try {
      if (!turns.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS)) {
        throw tooMany();
      }
      try {
        return lookup.apply(id);
      } finally {
        turns.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LedgerUnavailable("interrupted while waiting for the sessions", e);
    } finally {
      waiting.release();
    }
  }

  private static ProblemException tooMany() {
    return new ProblemException(
        ProblemType.SATURATED, "too many unknown sessions at once", RETRY, null);
  }
}
