package org.sluiceca.api.ocsp;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.der.CertId;
import org.sluiceca.core.failure.CaUnavailable;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.ocsp.Standing;
import org.sluiceca.core.ocsp.StatusRecords;
import org.sluiceca.core.ocsp.StatusRecords.Known;
import org.sluiceca.core.ocsp.StatusRule;
import org.sluiceca.core.plan.Issuer;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.SerialNumber;

/**
 * Looks up what is recorded of certificates, in rounds: the questions that come while the database
 * is busy are read by one statement afterwards. So a question about a certificate of this CA waits
 * for two rounds at most, whatever number of made-up serial numbers is asked about at the same
 * time. Two rounds run at once: of the four general connections of the database, others keep half.
 * Thread-safe.
 *
 * <p>The request that opens a round leads it and runs its statement; the others wait for it. A
 * round accepts questions until its statement begins.
 */
public final class StatusLookups {

  private static final int AT_ONCE = 2;

  /** Serial numbers of one statement: each costs some 20 µs in the database. */
  static final int ROUND_MAX = 256;

  /** Requests that wait at once, as many as two connectors can have in progress. */
  static final int WAITING_MAX = 1_024;

  /** Requests that may wait while the database does not answer: the others keep their slots. */
  static final int STALLED_MAX = 48;

  /** The age of the last progress from which the database counts as stalled. */
  private static final long STALL_NANOS = Duration.ofMillis(500).toNanos();

  /** Serial numbers that one statement reads. */
  private static final class Round {
    // Written by joining requests under the lock, read by the leader once the round is closed.
    private final Set<SerialNumber> serialNumbers = new LinkedHashSet<>();
    private final CountDownLatch done = new CountDownLatch(1);
    // Written by the leader before done is counted down.
    private volatile @Nullable Map<SerialNumber, Known> found;
    private volatile @Nullable CaUnavailable failure;
  }

  private final StatusRecords records;
  private final StatusRule rule;
  private final InstantSource clock;
  private final Ticker ticker;
  private final Semaphore places = new Semaphore(AT_ONCE, true);
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private @Nullable Round gathering;

  @GuardedBy("lock")
  private int waiting;

  @GuardedBy("lock")
  private long progressNanos;

  /** Reads {@code records}, judges by {@code rule}. */
  public StatusLookups(StatusRecords records, StatusRule rule, InstantSource clock, Ticker ticker) {
    this.records = records;
    this.rule = rule;
    this.clock = clock;
    this.ticker = ticker;
  }

  /** Returns whether responses about what was never issued must say so. */
  boolean isExtendedRevoke() {
    return rule.isExtendedRevoke();
  }

  /**
   * Returns what can be said of each certificate, in the order of {@code ids}.
   *
   * @throws LedgerUnavailable if that cannot be known by {@code deadline}
   */
  Map<CertId, Standing> of(Issuer issuer, List<CertId> ids, Deadline deadline)
      throws InterruptedException {
    Map<CertId, Optional<SerialNumber>> asked = new LinkedHashMap<>();
    ids.forEach(id -> asked.put(id, serialNumber(id)));
    List<SerialNumber> plausible = asked.values().stream().flatMap(Optional::stream).toList();
    Map<SerialNumber, Known> found = plausible.isEmpty() ? Map.of() : find(plausible, deadline);
    Map<CertId, Standing> standings = new LinkedHashMap<>();
    asked.forEach(
        (id, serialNumber) -> {
          @Nullable Known known = serialNumber.map(found::get).orElse(null);
          standings.put(
              id,
              known == null
                  ? rule.neverIssued()
                  : rule.of(issuer, known.entry(), known.revocation(), clock.instant()));
        });
    return standings;
  }

  /** Empty for what has not the layout of this CA's serial numbers: it needs no look-up. */
  private static Optional<SerialNumber> serialNumber(CertId id) {
    try {
      return Optional.of(SerialNumber.of(id.serialNumber().octets()));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private Map<SerialNumber, Known> find(Collection<SerialNumber> asked, Deadline deadline)
      throws InterruptedException {
    Round round;
    boolean isLeader;
    lock.lock();
    try {
      requireRoom();
      waiting++;
      @Nullable Round open = gathering;
      isLeader = open == null || open.serialNumbers.size() >= ROUND_MAX;
      round = open == null || isLeader ? new Round() : open;
      gathering = round;
      round.serialNumbers.addAll(asked);
    } finally {
      lock.unlock();
    }
    try {
      if (isLeader) {
        lead(round, deadline);
      }
      return result(round, deadline);
    } finally {
      lock.lock();
      try {
        waiting--;
      } finally {
        lock.unlock();
      }
    }
  }

  @GuardedBy("lock")
  private void requireRoom() {
    long now = ticker.nanoTime();
    if (waiting == 0) {
      progressNanos = now;
    }
    boolean isStalled = now - progressNanos > STALL_NANOS;
    if (waiting >= (isStalled ? STALLED_MAX : WAITING_MAX)) {
      throw new LedgerUnavailable(
          waiting + " requests wait for the status of certificates: the database is slow");
    }
  }

  private void lead(Round round, Deadline deadline) throws InterruptedException {
    try {
      if (places.tryAcquire(deadline.remainingNanos(ticker), TimeUnit.NANOSECONDS)) {
        try {
          round.found = records.find(close(round));
          progressed();
        } finally {
          places.release();
        }
      }
    } catch (CaUnavailable e) {
      round.failure = e;
    } finally {
      List<SerialNumber> _ = close(round);
      round.done.countDown();
    }
  }

  private List<SerialNumber> close(Round round) {
    lock.lock();
    try {
      if (gathering == round) {
        gathering = null;
      }
      return new ArrayList<>(round.serialNumbers);
    } finally {
      lock.unlock();
    }
  }

  private void progressed() {
    lock.lock();
    try {
      progressNanos = ticker.nanoTime();
    } finally {
      lock.unlock();
    }
  }

  private Map<SerialNumber, Known> result(Round round, Deadline deadline)
      throws InterruptedException {
    boolean isDone = round.done.await(deadline.remainingNanos(ticker), TimeUnit.NANOSECONDS);
    @Nullable Map<SerialNumber, Known> found = round.found;
    if (isDone && found != null) {
      return found;
    }
    @Nullable CaUnavailable failure = round.failure;
    String message = "the status of certificates was not read in time";
    throw failure == null
        ? new LedgerUnavailable(message)
        : new LedgerUnavailable(message, failure);
  }
}
