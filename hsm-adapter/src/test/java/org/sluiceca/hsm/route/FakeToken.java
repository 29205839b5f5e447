package org.sluiceca.hsm.route;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.CkaId;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.HsmStats;
import org.sluiceca.hsm.KeyFindings;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.PinFile;
import org.sluiceca.hsm.SignRequest;
import org.sluiceca.hsm.StartedSignature;
import org.sluiceca.hsm.SubjectPublicKeyInfo;
import org.sluiceca.hsm.TokenSigner;
import org.sluiceca.hsm.settings.HsmSettings;

/** A token without lane, threads or module, whose answers are scripted. */
final class FakeToken implements TokenSigner {
  private final Duration callTimeout;
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger zombies = new AtomicInteger();
  private volatile HsmObserver observer = HsmObserver.NONE;
  private volatile HsmState state = HsmState.READY;
  private volatile @Nullable CountDownLatch hang;

  /** What it holds; asked when it is opened. */
  final Set<KeyRef> holds = ConcurrentHashMap.newKeySet();

  /** Under these it shows another public key. */
  final Set<KeyRef> shadows = ConcurrentHashMap.newKeySet();

  /** What the next requests get instead of a signature. */
  final Deque<HsmException> failures = new ConcurrentLinkedDeque<>();

  final AtomicInteger asked = new AtomicInteger();
  final AtomicInteger signed = new AtomicInteger();
  final AtomicInteger opens = new AtomicInteger();
  final AtomicInteger closes = new AtomicInteger();

  /** What the tries to open it end with, as long as it is set. */
  volatile @Nullable HsmException unopenable;

  /** When set, opening waits for it. */
  volatile @Nullable CountDownLatch openingHangs;

  /** Which engines sign so: those of one group. */
  volatile ToIntFunction<Mechanism> enginesOf = mechanism -> 0;

  volatile int queueDepth;
  volatile long meanServiceNanos = 1_000_000;
  private volatile KeyFindings findings = new KeyFindings(Set.of(), Map.of());

  FakeToken(KeyRef... keys) {
    this(Duration.ofSeconds(5), keys);
  }

  FakeToken(Duration callTimeout, KeyRef... keys) {
    this.callTimeout = callTimeout;
    holds.addAll(Set.of(keys));
  }

  static KeyRef key(int number) {
    return new KeyRef(
        CkaId.of(new byte[] {(byte) number}),
        SubjectPublicKeyInfo.of(new byte[] {0x30, 0x01, (byte) number}));
  }

  /** Settings for a token with this name. */
  static TokenSettings settings(String name) {
    return new TokenSettings(
        name,
        HsmSettings.of(Path.of("fake.so"), name, new PinFile(Path.of("pin"))),
        TokenPolicy.DEFAULT);
  }

  /** As an opener does. */
  FakeToken opened(Collection<KeyRef> keys, HsmObserver listener) {
    opens.incrementAndGet();
    CountDownLatch wait = openingHangs;
    if (wait != null) {
      await(wait, Duration.ofSeconds(60));
    }
    HsmException failure = unopenable;
    if (failure != null) {
      throw failure;
    }
    Map<KeyRef, HsmException> absent = new HashMap<>();
    for (KeyRef key : keys) {
      if (shadows.contains(key)) {
        absent.put(key, new HsmException.KeyMismatch("another key has CKA_ID " + key.id()));
      } else if (!holds.contains(key)) {
        absent.put(key, new HsmException.KeyMissing("no key has CKA_ID " + key.id()));
      }
    }
    findings =
        new KeyFindings(
            keys.stream()
                .filter(key -> !absent.containsKey(key))
                .collect(java.util.stream.Collectors.toSet()),
            absent);
    observer = listener;
    state = HsmState.READY;
    return this;
  }

  void lose() {
    state = HsmState.TOKEN_LOST;
    observer.stateChanged(state);
  }

  void giveBack() {
    state = HsmState.READY;
    observer.stateChanged(state);
  }

  void hang() {
    hang = new CountDownLatch(1);
  }

  void release() {
    CountDownLatch waiting = hang;
    hang = null;
    if (waiting != null) {
      waiting.countDown();
    }
  }

  @Override
  public StartedSignature start(SignRequest request, Thread waiter) {
    return new AwaitedSignature(() -> scripted(request));
  }

  private byte[] scripted(SignRequest request) {
    asked.incrementAndGet();
    if (state == HsmState.CLOSED) {
      throw new HsmException.Closed();
    }
    if (state == HsmState.TOKEN_LOST) {
      throw new HsmException.TokenLost("token lost: scripted", false);
    }
    HsmException failure = failures.poll();
    if (failure != null) {
      throw failure;
    }
    CountDownLatch waiting = hang;
    running.incrementAndGet();
    try {
      if (waiting != null && !await(waiting, callTimeout)) {
        zombies.incrementAndGet();
        throw new HsmException.SignTimedOut(callTimeout);
      }
    } finally {
      running.decrementAndGet();
    }
    signed.incrementAndGet();
    return request.mechanism().tokenInput(request.message());
  }

  private static boolean await(CountDownLatch latch, Duration time) {
    try {
      return latch.await(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public HsmStats statsFor(KeyRef key, Mechanism mechanism) {
    return stats();
  }

  @Override
  public long costNanos(KeyRef key, Mechanism mechanism) {
    return meanServiceNanos;
  }

  @Override
  public int enginesFor(KeyRef key, Mechanism mechanism) {
    return enginesOf.applyAsInt(mechanism);
  }

  @Override
  public HsmStats stats() {
    int hung = hang == null ? 0 : zombies.get();
    return Stats.of(
        state, queueDepth, new Stats.Window(running.get() + hung, 8, hung), meanServiceNanos);
  }

  @Override
  public KeyFindings keys() {
    return findings;
  }

  @Override
  public void close() {
    closes.incrementAndGet();
    state = HsmState.CLOSED;
  }
}
