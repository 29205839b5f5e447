package org.sluiceca.api.console.session;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.sluiceca.api.http.problem.ProblemException;
import org.sluiceca.api.http.problem.ProblemType;
import org.sluiceca.core.request.RequesterId;

/**
 * How often a requester may sign in on this node: each sign-in stays in the audit trail, and holds
 * a connection of the database while sessions are counted. Thread-safe.
 */
final class SignInLimit {

  /** A team with one token, all of whom sign in at once, and again. */
  static final int MAX = 30;

  private static final Duration WINDOW = Duration.ofMinutes(1);

  /** 200 bytes each. */
  private static final long REQUESTERS_MAX = 10_000;

  /** An entry is written once, so it ends a minute after the first sign-in that it counts. */
  private final Cache<RequesterId, AtomicInteger> counts;

  SignInLimit(Ticker ticker) {
    this.counts =
        Caffeine.newBuilder()
            .ticker(ticker)
            .executor(Runnable::run)
            .expireAfterWrite(WINDOW)
            .maximumSize(REQUESTERS_MAX)
            .build();
  }

  /**
   * Counts a sign-in.
   *
   * @throws ProblemException if it is one too many
   */
  void count(RequesterId requester) {
    if (counts.get(requester, key -> new AtomicInteger()).incrementAndGet() > MAX) {
      throw new ProblemException(
          ProblemType.QUOTA_EXCEEDED,
          String.format(
              Locale.ROOT, "%s has signed in %d times within a minute", requester.value(), MAX),
          WINDOW,
          null);
    }
  }
}
