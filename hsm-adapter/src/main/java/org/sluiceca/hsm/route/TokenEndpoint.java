package org.sluiceca.hsm.route;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.HsmStats;
import org.sluiceca.hsm.KeyFindings;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.RecoveryReason;
import org.sluiceca.hsm.SignObservation;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.StartedSignature;
import org.sluiceca.hsm.TokenSigner;
import org.sluiceca.hsm.route.outcome.ObservedSignature;

/** One token in a group: its signer once it is open, its breakers, and the keys that it serves. */
final class TokenEndpoint {
  /** A key that a token does not find may be on its way to it; looking again costs two calls. */
  private static final Duration KEY_MISSING_PAUSE = Duration.ofSeconds(30);

  private final TokenSettings settings;
  private final GroupObserver observer;

  /** One for each group of the token's engines that was asked: one's loss is not the other's. */
  private final ConcurrentMap<Integer, TokenBreaker> breakers = new ConcurrentHashMap<>();

  private final Supplier<TokenBreaker> newBreaker;

  /** Until when this token is not asked for a key; permanently where its public key is another. */
  private final ConcurrentMap<KeyRef, Long> withheldUntilNanos = new ConcurrentHashMap<>();

  private final Set<KeyRef> mismatched = ConcurrentHashMap.newKeySet();
  private final Idleness idleness = new Idleness();

  private volatile TokenPolicy policy;
  private volatile Set<KeyRef> held = Set.of();
  private volatile @Nullable TokenSigner signer;
  private volatile @Nullable HsmException trouble;

  TokenEndpoint(TokenSettings settings, GroupObserver observer, FailureRules rules, Clock clock) {
    this.settings = settings;
    this.observer = observer;
    this.policy = settings.policy();
    this.newBreaker = () -> new TokenBreaker(settings, rules, clock);
  }

  /** When the router last sent it work, and how much it has sent elsewhere since. */
  static final class Idleness {
    private final AtomicLong usedNanos = new AtomicLong(Long.MIN_VALUE);
    private final AtomicLong passedOver = new AtomicLong();

    void used(long now) {
      usedNanos.set(now);
      passedOver.set(0);
    }

    void passedOver() {
      passedOver.incrementAndGet();
    }

    /** Whether it was passed over so often since so long ago; true for one caller alone. */
    boolean endsAfter(long times, Duration time, long now) {
      long last = usedNanos.get();
      if (passedOver.get() < times
          || (last != Long.MIN_VALUE && now - last < time.toNanos())
          || !usedNanos.compareAndSet(last, now)) {
        return false;
      }
      passedOver.set(0);
      return true;
    }
  }

  String name() {
    return settings.name();
  }

  TokenSettings settings() {
    return settings;
  }

  TokenPolicy policy() {
    return policy;
  }

  void policy(TokenPolicy changed) {
    policy = changed;
  }

  /** The breaker of those engines that sign so with this key. */
  TokenBreaker breaker(KeyRef key, Mechanism mechanism) {
    TokenSigner open = signer;
    int engines = open == null ? 0 : open.enginesFor(key, mechanism);
    return breakers.computeIfAbsent(engines, e -> newBreaker.get());
  }

  private TokenBreaker.State worstBreaker() {
    List<TokenBreaker.State> states = breakers.values().stream().map(TokenBreaker::state).toList();
    return Stream.of(TokenBreaker.State.OPEN, TokenBreaker.State.HALF_OPEN)
        .filter(states::contains)
        .findFirst()
        .orElse(TokenBreaker.State.CLOSED);
  }

  Idleness idleness() {
    return idleness;
  }

  /** Takes requests from now on. */
  void open(TokenSigner opened) {
    KeyFindings keys = opened.keys();
    for (Map.Entry<KeyRef, HsmException> absent : keys.absent().entrySet()) {
      if (absent.getValue() instanceof HsmException.KeyMismatch) {
        refuseForEver(absent.getKey());
      }
    }
    held = keys.held();
    trouble = null;
    signer = opened;
  }

  /** It could not be opened. */
  void away(HsmException why) {
    trouble = why;
  }

  boolean isOpen() {
    return signer != null;
  }

  /** Whether it held the key when it was opened, and has not shown another one since. */
  boolean holds(KeyRef key) {
    return signer != null && held.contains(key) && !mismatched.contains(key);
  }

  /**
   * The numbers of those of the token's engines that would do this; empty if the token may not be
   * asked for the key now.
   */
  Optional<HsmStats> usableFor(Router.Ask ask) {
    KeyRef key = ask.key();
    TokenSigner open = signer;
    if (open == null || !holds(key)) {
      return Optional.empty();
    }
    Long withheld = withheldUntilNanos.get(key);
    if (withheld != null && ask.now() - withheld < 0) {
      return Optional.empty();
    }
    HsmStats stats = open.statsFor(key, ask.mechanism());
    return stats.isUsable() ? Optional.of(stats) : Optional.empty();
  }

  /** Its engines that sign so; empty without the key. */
  Optional<TokenGroup.Engines> engines(KeyRef key, Mechanism mechanism) {
    TokenSigner open = signer;
    return open == null || !holds(key)
        ? Optional.empty()
        : Optional.of(
            new TokenGroup.Engines(
                name(), open.enginesFor(key, mechanism), open.statsFor(key, mechanism)));
  }

  /** What such a signature takes of it, working or not; 0 if unknown or without the key. */
  long costNanos(KeyRef key, Mechanism mechanism) {
    TokenSigner open = signer;
    return open == null || !holds(key) ? 0 : open.costNanos(key, mechanism);
  }

  /** The same, of the time of all its engines. */
  long occupiedNanos(KeyRef key, Mechanism mechanism) {
    TokenSigner open = signer;
    return open == null || !holds(key) ? 0 : open.occupiedNanos(key, mechanism);
  }

  /**
   * Has the token start a signature, and reports its outcome to the token's breaker.
   *
   * @throws HsmException as the token does
   */
  StartedSignature start(SignRequest request, boolean isProbe, Thread waiter) {
    KeyRef key = request.key();
    Mechanism mechanism = request.mechanism();
    return ObservedSignature.start(
        new ObservedSignature.OutcomeListener(
            name(),
            () -> breaker(key, mechanism).succeeded(),
            failure -> failed(key, mechanism, failure, isProbe)),
        () -> {
          TokenSigner open = signer;
          if (open == null) {
            throw new HsmException.Closed();
          }
          return open.start(request, waiter);
        });
  }

  void failed(KeyRef key, Mechanism mechanism, HsmException failure, boolean isProbe) {
    breaker(key, mechanism).failed(failure, isProbe);
    if (failure instanceof HsmException.KeyMismatch) {
      refuseForEver(key);
    } else if (failure instanceof HsmException.KeyMissing) {
      withheldUntilNanos.put(key, System.nanoTime() + KEY_MISSING_PAUSE.toNanos());
    }
  }

  private void refuseForEver(KeyRef key) {
    if (mismatched.add(key)) {
      observer.keyMismatch(name(), key);
    }
  }

  TokenStatus status() {
    TokenSigner open = signer;
    Optional<HsmStats> stats = Optional.ofNullable(open).map(TokenSigner::stats);
    HsmException why = trouble;
    return new TokenStatus(
        name(),
        policy,
        stats.map(HsmStats::state).orElse(awayState(why)),
        worstBreaker().name().toLowerCase(Locale.ROOT),
        (int) held.stream().filter(key -> !mismatched.contains(key)).count(),
        stats,
        why == null ? "" : why.getMessage(),
        settings.hsm().callTimeout());
  }

  private static HsmState awayState(@Nullable HsmException why) {
    return why instanceof HsmException.PinRefused || why instanceof HsmException.PinUnreadable
        ? HsmState.PIN_REFUSED
        : HsmState.TOKEN_LOST;
  }

  /**
   * Returns an observer that passes events on to {@code outer}, and informs the breakers when the
   * token is back.
   */
  HsmObserver tokenObserver(HsmObserver outer) {
    return new HsmObserver() {
      @Override
      public void signed(SignObservation signing) {
        outer.signed(signing);
      }

      @Override
      public void recovered(RecoveryReason reason) {
        outer.recovered(reason);
      }

      @Override
      public void stateChanged(HsmState state) {
        if (state == HsmState.READY) {
          breakers.values().forEach(TokenBreaker::halfOpen);
        }
        outer.stateChanged(state);
      }

      @Override
      public void noted(String line) {
        outer.noted(line);
      }
    };
  }
}
