package org.sluiceca.hsm.session;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.HsmState;
import org.sluiceca.hsm.HsmStats;
import org.sluiceca.hsm.KeyFindings;
import org.sluiceca.hsm.KeyRef;
import org.sluiceca.hsm.LaneStats;
import org.sluiceca.hsm.lane.LaneClient;
import org.sluiceca.hsm.lane.LaneSnapshot;
import org.sluiceca.hsm.lane.SigningLane;
import org.sluiceca.hsm.pkcs11.Cryptoki;
import org.sluiceca.hsm.pkcs11.CryptokiException;
import org.sluiceca.hsm.pkcs11.Session;
import org.sluiceca.hsm.settings.HsmSettings;

/**
 * The sessions that serve a lane: opens the first, runs the threads of all, and declares the token
 * lost when its calls hang. Thread-safe.
 */
public final class TokenSessions {
  /*
   * Threads. open, run and close run on the owner's thread. Session threads sign, and get their
   * sessions from SessionReplacement, one after another at the start, too, not in a crowd.
   *
   * Locks. None of its own; TokenRecovery's is never held across a native call.
   */

  /** A thread that is not in a native call ends within milliseconds. */
  private static final Duration JOIN = Duration.ofSeconds(2);

  private final HsmSettings settings;
  private final HsmObserver observer;
  private final SigningLane lane;
  private final TokenConnector connector;
  private final LaneClient client;
  private final SessionThreads threads;
  private final AtomicInteger sessions = new AtomicInteger();
  private final AtomicLong losses = new AtomicLong();

  /** When the token last signed. */
  private volatile long signedNanos = System.nanoTime();

  private final TokenRecovery recovery;
  private final Availability availability;
  private final SessionReplacement replacement;
  private final BusyStreak busyStreak = new BusyStreak();

  /** Until it has a thread. Used by the owner's thread. */
  private @Nullable Session first;

  /** Written before this is handed out. */
  private KeyFindings keys = new KeyFindings(Set.of(), Map.of());

  private TokenSessions(HsmSettings settings, HsmObserver observer, Cryptoki cryptoki) {
    this.settings = settings;
    this.observer = observer;
    this.recovery = new TokenRecovery(observer);
    this.lane = new SigningLane(settings);
    this.availability = new Availability(recovery, lane, observer);
    this.client = new LaneClient(lane, settings.callTimeout(), this::fence, this::standIn);
    this.threads = new SessionThreads("hsm-" + settings.tokenLabel(), settings.sessions());
    this.connector = new TokenConnector(cryptoki, settings);
    this.replacement =
        new SessionReplacement(recovery, availability, connector, lane, settings.vendor());
  }

  /**
   * Opens a first session on the calling thread, logs in and looks for the keys; {@link #run}
   * starts the session threads.
   *
   * @throws HsmException when the token is not there, refuses the PIN or fails otherwise; a key
   *     that is not there is reported by {@link #keys}
   */
  public static TokenSessions open(
      HsmSettings settings, Collection<KeyRef> keys, HsmObserver observer, Cryptoki cryptoki) {
    TokenSessions made = new TokenSessions(settings, observer, cryptoki);
    try {
      Session opened = made.connector.connect();
      made.keys = TokenConnector.lookFor(keys, opened);
      made.first = opened;
    } catch (CryptokiException e) {
      throw settings.vendor().translate(e);
    }
    made.connector.join(made.recovery::isTokenThere, () -> made.signedNanos);
    made.sessionOpened();
    return made;
  }

  /** Starts the session threads: once. */
  public void run() {
    observer.stateChanged(HsmState.READY);
    Session opened = first;
    first = null;
    for (int i = 0; i < settings.sessions(); i++) {
      threads.add(body(i == 0 ? opened : null));
    }
  }

  private SessionThread body(@Nullable Session first) {
    return new SessionThread(this, replacement, lane, settings.vendor(), observer, first);
  }

  /** The requests' side of the lane. */
  public LaneClient client() {
    return client;
  }

  /** Which of the keys that it was started with the token held then. */
  public KeyFindings keys() {
    return keys;
  }

  /** The lane that these threads serve. */
  public SigningLane lane() {
    return lane;
  }

  /** A snapshot; takes no lock. */
  public HsmStats stats() {
    LaneSnapshot now = lane.snapshot();
    List<LaneStats> lanes = lane.lanes();
    long oldestAge = lanes.stream().mapToLong(LaneStats::oldestAgeNanos).max().orElse(0);
    return new HsmStats(
        recovery.state(),
        recovery.isTokenThere(),
        now.queueDepth(),
        settings.queueCapacity(),
        oldestAge,
        lanes,
        now.inflight(),
        now.inflightLimit(),
        now.zombies(),
        sessions.get(),
        now.completed(),
        now.displaced(),
        now.meanServiceNanos(),
        connector.reinitialisations());
  }

  /** Refuses new jobs from now on; queued ones go on. */
  public void refuse() {
    lane.refuse();
  }

  /**
   * Refuses new jobs, lets queued ones finish until then, then ends the threads, which close their
   * sessions. A thread inside a hung call is left behind with its session; the module is never
   * finalised under it.
   *
   * @param untilNanos on {@link System#nanoTime}'s scale
   */
  public void close(long untilNanos) {
    lane.close(Duration.ofNanos(Math.max(0, untilNanos - System.nanoTime())));
    recovery.transition(HsmState.CLOSED);
    connector.leave();
    Session unused = first;
    if (unused != null) {
      first = null;
      unused.close();
    }
    threads.join(JOIN);
  }

  boolean isStopped() {
    return recovery.isStopped();
  }

  /** How often a session thread has lost something: a reason for the others to look too. */
  long losses() {
    return losses.get();
  }

  void noteLoss() {
    losses.incrementAndGet();
  }

  BusyStreak busyStreak() {
    return busyStreak;
  }

  void signed() {
    busyStreak.signed();
    signedNanos = System.nanoTime();
  }

  void sessionOpened() {
    sessions.incrementAndGet();
  }

  void sessionClosed() {
    sessions.decrementAndGet();
  }

  /**
   * Declares the token lost because too many of its calls hang: what waits is refused, and threads
   * that do not hang look for the token.
   */
  private void fence() {
    if (recovery.isTokenThere() && availability.lost("its calls do not return")) {
      noteLoss();
    }
    standIn();
  }

  /**
   * While the token is lost, starts a thread for each that hangs, at most as many more as there are
   * sessions: otherwise no thread might be left to look for it. Called again for each zombie, since
   * the fence comes before the last of them.
   */
  private void standIn() {
    boolean isStandingIn = true;
    while (isStandingIn && recovery.state() == HsmState.TOKEN_LOST) {
      isStandingIn = threads.standIn(lane.snapshot().zombies(), () -> body(null));
    }
  }

  /** Whether a thread may go because hung ones that it stood in for have come back. */
  boolean retire() {
    return threads.retire(lane.snapshot().zombies());
  }

  /** The token refused the PIN outside a login (it expired): nothing more is tried. */
  void refusePin(String message) {
    availability.pinRefused(message);
  }
}
