package org.sluiceca.core.ocsp;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.der.CertId;
import org.sluiceca.core.x509.IssuerName;
import org.sluiceca.core.x509.OctetString;

/**
 * The answers that are still valid, which new ones are being made, and how many requests may make
 * or wait for one. Pure, and thread-safe: its one lock is never held across a port call. How many
 * answers may be signed at once is not decided here: that depends on what the look-up finds.
 *
 * <p>A <em>flight</em> is the making of one answer: of all that ask for it, the first leads and the
 * others follow. A changed status ({@link #drop}) removes the answers of a certificate and its
 * flights: the answer of a flight that began before the change goes to the requests that came
 * before it, and is not kept. So no answer is kept that is older than the last change that this
 * cache was notified of.
 *
 * <p>Answers about serial numbers under which nothing was issued have a small room of their own:
 * anybody can ask for any number of them, and they would push out the answers that are needed.
 *
 * @param <W> by what followers wait; the caller's, who ends the wait when a flight has landed
 */
public final class AnswerCache<W> {

  private static final int NEVER_ISSUED_PART = 16;

  private static final List<String> HASHES = List.of(CertId.SHA_1, CertId.SHA_256);

  /**
   * Bounds.
   *
   * @param entries how many answers are kept
   * @param bytes how much memory they take at most
   * @param flights how many answers are looked up or signed at once
   * @param followers how many requests wait at once for an answer that another request makes
   */
  public record Limits(int entries, long bytes, int flights, int followers) {

    public Limits {
      if (entries < 1 || bytes < 1 || flights < 1 || followers < 1) {
        throw new IllegalArgumentException("no room for answers");
      }
    }
  }

  /** What came of asking. */
  public sealed interface Look<W> {

    /** Here it is. */
    record Hit<W>(Reply.Signed answer) implements Look<W> {}

    /**
     * The caller makes it, and must say how that ended by {@link AnswerCache#land}.
     *
     * @param old still valid, for when that fails
     */
    record Lead<W>(Flight<W> flight, Optional<Reply.Signed> old) implements Look<W> {}

    /**
     * Another request makes it; the caller must say by {@link AnswerCache#leave} that it waits no
     * more.
     */
    record Follow<W>(Flight<W> flight) implements Look<W> {}

    /** Too many wait already. */
    record Full<W>() implements Look<W> {}
  }

  /** The making of one answer. */
  public static final class Flight<W> {

    private final AnswerKey key;
    private final W latch;
    private boolean isDropped;
    private volatile @Nullable Reply reply;

    private Flight(AnswerKey key, W latch) {
      this.key = key;
      this.latch = latch;
    }

    /** Returns what its followers wait by. */
    public W latch() {
      return latch;
    }

    /** Returns what it brought; empty while it is under way. */
    public Optional<Reply> reply() {
      return Optional.ofNullable(reply);
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Limits limits;
  private final Supplier<W> waits;

  @GuardedBy("lock")
  private final AnswerRoom issued;

  @GuardedBy("lock")
  private final AnswerRoom neverIssued;

  @GuardedBy("lock")
  private final Map<AnswerKey, Flight<W>> flights = new HashMap<>();

  @GuardedBy("lock")
  private int flying;

  @GuardedBy("lock")
  private int following;

  /** An empty cache. */
  public AnswerCache(Limits limits, Supplier<W> waits) {
    this.limits = limits;
    this.waits = waits;
    this.issued = new AnswerRoom(limits.entries(), limits.bytes());
    this.neverIssued =
        new AnswerRoom(
            Math.max(1, limits.entries() / NEVER_ISSUED_PART),
            Math.max(1, limits.bytes() / NEVER_ISSUED_PART));
  }

  /** Asks for the answer of a key. */
  public Look<W> look(AnswerKey key, Instant now) {
    lock.lock();
    try {
      Reply.Signed kept = issued.get(key);
      if (kept == null) {
        kept = neverIssued.get(key);
      }
      Optional<Reply.Signed> valid = Optional.ofNullable(kept).filter(a -> a.isValid(now));
      if (valid.isPresent() && valid.get().isFresh(now)) {
        return new Look.Hit<>(valid.get());
      }
      Flight<W> flight = flights.get(key);
      boolean isFull =
          flight == null ? flying >= limits.flights() : following >= limits.followers();
      // While it is renewed, and when it cannot be, the old one is as true as it was.
      if (valid.isPresent() && (flight != null || isFull)) {
        return new Look.Hit<>(valid.get());
      }
      if (isFull) {
        return new Look.Full<>();
      }
      if (flight != null) {
        following++;
        return new Look.Follow<>(flight);
      }
      flying++;
      Flight<W> led = new Flight<>(key, waits.get());
      flights.put(key, led);
      return new Look.Lead<>(led, valid);
    } finally {
      lock.unlock();
    }
  }

  /** Ends a flight; the caller then ends the wait of its followers. */
  public void land(Flight<W> flight, Reply reply) {
    lock.lock();
    try {
      flying--;
      flight.reply = reply;
      flights.remove(flight.key, flight);
      if (!flight.isDropped && reply instanceof Reply.Signed signed && signed.isReusable()) {
        (signed.isNeverIssued() ? neverIssued : issued).put(flight.key, signed);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Says that a follower waits no more. */
  public void leave() {
    lock.lock();
    try {
      following--;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes a flight for an answer that no other request can use. Returns false if every flight is
   * taken; otherwise the caller must call {@link #endAlone}.
   */
  public boolean beginAlone() {
    lock.lock();
    try {
      if (flying >= limits.flights()) {
        return false;
      }
      flying++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Gives the place back. */
  public void endAlone() {
    lock.lock();
    try {
      flying--;
    } finally {
      lock.unlock();
    }
  }

  /** Forgets all answers about a certificate: its status has changed. */
  public void drop(IssuerName issuer, OctetString serialNumber) {
    AnswerKey any = new AnswerKey(issuer, serialNumber, CertId.SHA_1, false);
    lock.lock();
    try {
      for (String hash : HASHES) {
        dropOne(any.by(hash, false));
        dropOne(any.by(hash, true));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Forgets all answers, for when it is not known which certificate's status has changed. */
  public void dropAll() {
    lock.lock();
    try {
      issued.clear();
      neverIssued.clear();
      flights.values().forEach(flight -> flight.isDropped = true);
      flights.clear();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void dropOne(AnswerKey key) {
    issued.remove(key);
    neverIssued.remove(key);
    Flight<W> flight = flights.remove(key);
    if (flight != null) {
      flight.isDropped = true;
    }
  }

  /** Returns how many answers are kept. */
  public int entries() {
    lock.lock();
    try {
      return issued.entries() + neverIssued.entries();
    } finally {
      lock.unlock();
    }
  }

  /** Returns about how much memory they take. */
  public long bytes() {
    lock.lock();
    try {
      return issued.bytes() + neverIssued.bytes();
    } finally {
      lock.unlock();
    }
  }
}
