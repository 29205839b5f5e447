package org.sluiceca.hsm.route;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.KeyRef;

/** Which tokens a group has: they come, are replaced and leave while it signs. Thread-safe. */
final class TokenRegistry {
  /*
   * Threads. Each token has one keeper (TokenKeeper): it opens the token, and closes it when it
   * leaves. No other thread makes native calls here.
   *
   * Lock. changing guards which members there are; it is held across nothing. Requests take none:
   * they read the list, which is replaced whole.
   */

  /** Once every key has a token, others that are slow to open are not waited for. */
  private static final Duration START_GRACE = Duration.ofSeconds(5);

  /** Logging in may wait 30 s for other processes; a module that takes longer hangs. */
  private static final Duration START_MAX = Duration.ofSeconds(60);

  /** The lanes' own drain of 10 s, and the end of their threads. */
  private static final Duration CLOSE_MAX = Duration.ofSeconds(15);

  private final TokenGroup.Setup setup;
  private final FailureRules rules;

  private final ReentrantLock changing = new ReentrantLock();

  /** A token was opened, could not be, or has left. */
  private final Condition changed = changing.newCondition();

  /** Replaced whole under the lock; read by anybody. */
  private volatile List<TokenKeeper> tokens = List.of();

  /** Of tokens that are closing; only waited for. */
  @GuardedBy("changing")
  private final Set<TokenKeeper> leaving = new HashSet<>();

  @GuardedBy("changing")
  private boolean closed;

  /** Without tokens yet. */
  TokenRegistry(TokenGroup.Setup setup, FailureRules rules) {
    this.setup = setup;
    this.rules = rules;
  }

  /**
   * Waits until each token has been tried, or long enough.
   *
   * @throws HsmException with one line when a required key is in no token that can be opened: of a
   *     single token the very reason
   */
  void awaitStart() {
    long start = System.nanoTime();
    changing.lock();
    try {
      while (!isStarted(System.nanoTime() - start)) {
        long _ = changed.awaitNanos(Duration.ofMillis(100).toNanos());
      }
      for (KeyRef key : setup.required()) {
        if (!holds(key)) {
          throw missing(key);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HsmException.Closed();
    } finally {
      changing.unlock();
    }
  }

  private boolean isStarted(long nanos) {
    if (tokens.stream().allMatch(TokenKeeper::isTried)) {
      return true;
    }
    boolean isCovered = setup.required().stream().allMatch(this::holds);
    return nanos > (isCovered ? START_GRACE : START_MAX).toNanos();
  }

  private HsmException missing(KeyRef key) {
    if (tokens.size() == 1) {
      Optional<HsmException> why = tokens.getFirst().whyWithout(key);
      if (why.isPresent()) {
        return why.get();
      }
    }
    return new HsmException.NoUsableToken(
        "no token that can be opened holds the key with CKA_ID "
            + key.id()
            + tokens.stream()
                .map(
                    t ->
                        t.name()
                            + ": "
                            + t.whyWithout(key)
                                .map(HsmException::getMessage)
                                .orElse("not opened yet"))
                .collect(Collectors.joining("; ", " (", ")")));
  }

  /** The tokens now; a token that is being replaced is there twice. Takes no lock. */
  List<TokenEndpoint> endpoints() {
    List<TokenKeeper> now = tokens;
    List<TokenEndpoint> endpoints = new ArrayList<>(now.size());
    for (TokenKeeper token : now) {
      endpoints.add(token.endpoint());
    }
    return endpoints;
  }

  /** Whether a token of this group has held this key, even if it is away just now. */
  boolean holds(KeyRef key) {
    return tokens.stream().anyMatch(t -> t.endpoint().holds(key));
  }

  /** How each token stands, in the order of the configuration. Takes no lock. */
  List<TokenStatus> statuses() {
    return tokens.stream().map(TokenKeeper::name).distinct().map(this::status).toList();
  }

  /** Of a token that is being replaced, the one that serves. */
  private TokenStatus status(String name) {
    List<TokenEndpoint> named = endpoints().stream().filter(m -> m.name().equals(name)).toList();
    return named.stream()
        .filter(TokenEndpoint::isOpen)
        .findFirst()
        .or(() -> named.stream().findFirst())
        .map(TokenEndpoint::status)
        .orElseGet(() -> TokenStatus.gone(name));
  }

  /** See {@link TokenGroup#reconfigure}; the tokens are checked. */
  void reconfigure(List<TokenSettings> wanted) {
    List<TokenKeeper> added = new ArrayList<>();
    List<TokenKeeper> removed = new ArrayList<>();
    changing.lock();
    try {
      if (closed) {
        return;
      }
      List<TokenKeeper> next = new ArrayList<>();
      for (TokenSettings each : wanted) {
        next.addAll(kept(each, added));
      }
      for (TokenKeeper old : tokens) {
        if (!next.contains(old)) {
          removed.add(old);
        }
      }
      leaving.addAll(removed);
      tokens = List.copyOf(next);
    } finally {
      changing.unlock();
    }
    removed.forEach(TokenKeeper::retire);
    added.forEach(TokenKeeper::start);
  }

  /** The keepers of one token: the one there is, a new one, or both until the new one is open. */
  @GuardedBy("changing")
  private List<TokenKeeper> kept(TokenSettings wanted, List<TokenKeeper> added) {
    List<TokenKeeper> same = tokens.stream().filter(t -> t.name().equals(wanted.name())).toList();
    TokenKeeper next =
        same.stream()
            .filter(t -> t.settings().isOpenedAs(wanted))
            .findFirst()
            .orElseGet(() -> newKeeper(wanted));
    next.endpoint().policy(wanted.policy());
    if (!same.contains(next)) {
      added.add(next);
    }
    List<TokenKeeper> both = new ArrayList<>();
    if (!next.endpoint().isOpen()) {
      same.stream().filter(t -> t.endpoint().isOpen()).findFirst().ifPresent(both::add);
    }
    both.add(next);
    return both;
  }

  private TokenKeeper newKeeper(TokenSettings wanted) {
    return new TokenKeeper(newMember(wanted), setup, () -> status(wanted.name()), this::changed);
  }

  private TokenEndpoint newMember(TokenSettings wanted) {
    return new TokenEndpoint(wanted, setup.observer(), rules, Clock.systemUTC());
  }

  /** A keeper was opened, could not open, or has closed its token. */
  private void changed(TokenKeeper token) {
    List<TokenKeeper> replaced = new ArrayList<>();
    boolean hasLeft;
    changing.lock();
    try {
      if (token.endpoint().isOpen() && tokens.contains(token)) {
        // Those before it: one that came later replaces this one, and not the other way round.
        for (TokenKeeper older : tokens.subList(0, tokens.indexOf(token))) {
          if (older.name().equals(token.name())) {
            replaced.add(older);
          }
        }
        leaving.addAll(replaced);
        tokens = tokens.stream().filter(t -> !replaced.contains(t)).toList();
      }
      hasLeft = token.isEnded() && leaving.remove(token) && !hasName(token.name());
      changed.signalAll();
    } finally {
      changing.unlock();
    }
    if (hasLeft) {
      setup.observer().left(token.name());
    }
    replaced.forEach(TokenKeeper::retire);
  }

  private boolean hasName(String name) {
    return tokens.stream().anyMatch(t -> t.name().equals(name));
  }

  /** See {@link TokenGroup#close}. */
  void close() {
    List<TokenKeeper> all;
    changing.lock();
    try {
      closed = true;
      all = tokens;
      leaving.addAll(all);
      tokens = List.of();
    } finally {
      changing.unlock();
    }
    all.forEach(TokenKeeper::retire);
    awaitLeaving();
  }

  private void awaitLeaving() {
    changing.lock();
    try {
      long left = CLOSE_MAX.toNanos();
      while (!leaving.isEmpty() && left > 0) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      changing.unlock();
    }
  }
}
