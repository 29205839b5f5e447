package org.sluiceca.api.http.connector.evict;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sluiceca.api.http.BodyWait.Body;

/**
 * The connections of a port that wait for the rest of a request's body. Each holds the place of a
 * request ({@code connector.RequestSlots}), so they may hold only a part of all places, and clients
 * without a credential only a part of that. One more closes the connection whose body began
 * earliest: of the requester that holds most, if that is more than clients without a credential may
 * hold together, or else one without a credential first. A body that is slow in all, whatever comes
 * now and then, is overdue. Thread-safe; no call blocks.
 *
 * @param <C> a connection, by its identity
 */
public final class BodyWaits<C> {

  /** What a round trip and a slow start of TCP may take before a rate means anything. */
  private static final long RATE_AFTER_NANOS = TimeUnit.SECONDS.toNanos(2);

  /**
   * The limits.
   *
   * @param max bodies that are waited for at once, at least 1
   * @param anonymousMax those of them without a credential, at least 1
   * @param nanosMax from a body's first octet that is waited for to its last
   * @param anonymousNanosMax the same without a credential
   * @param anonymousRateMin octets per second without a credential, after the first two seconds; 0
   *     for any
   */
  public record Limits(
      int max, int anonymousMax, long nanosMax, long anonymousNanosMax, long anonymousRateMin) {}

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Map<C, Body> waiting = new HashMap<>();

  @GuardedBy("lock")
  private int anonymous;

  @GuardedBy("lock")
  private long evicted;

  private final Limits limits;

  /** No body is waited for. */
  public BodyWaits(Limits limits) {
    this.limits = limits;
  }

  /**
   * A connection begins to wait for more of its body. Returns the connection to close because too
   * many wait, which may be this one; null if none.
   */
  public @Nullable C begin(C connection, Body body) {
    lock.lock();
    try {
      remove(connection);
      waiting.put(connection, body);
      if (!body.hasCredential()) {
        anonymous++;
      }
      if (anonymous <= limits.anonymousMax() && waiting.size() <= limits.max()) {
        return null;
      }
      C oldest = victim();
      remove(oldest);
      evicted++;
      return oldest;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private C victim() {
    if (anonymous > limits.anonymousMax()) {
      return oldest(body -> !body.hasCredential());
    }
    Map<Optional<String>, Long> counts =
        waiting.values().stream()
            .filter(Body::hasCredential)
            .collect(Collectors.groupingBy(Body::requester, Collectors.counting()));
    Optional<String> most =
        counts.entrySet().stream().max(Map.Entry.comparingByValue()).flatMap(Map.Entry::getKey);
    if (counts.getOrDefault(most, 0L) > limits.anonymousMax()) {
      return oldest(body -> body.requester().equals(most));
    }
    return anonymous == 0 ? oldest(_ -> true) : oldest(body -> !body.hasCredential());
  }

  @GuardedBy("lock")
  private C oldest(Predicate<Body> among) {
    return waiting.entrySet().stream()
        .filter(one -> among.test(one.getValue()))
        .min(Comparator.comparingLong(one -> one.getValue().sinceNanos()))
        .map(Map.Entry::getKey)
        .orElseThrow();
  }

  /** A connection waits no longer, whatever came. */
  public void end(C connection) {
    lock.lock();
    try {
      remove(connection);
    } finally {
      lock.unlock();
    }
  }

  /** Takes out those whose body takes too long or comes too slowly, to be closed. */
  public List<C> overdue(long nowNanos) {
    lock.lock();
    try {
      List<C> overdue = new ArrayList<>();
      waiting.forEach(
          (connection, body) -> {
            if (isOverdue(body, nowNanos - body.sinceNanos())) {
              overdue.add(connection);
            }
          });
      overdue.forEach(this::remove);
      evicted += overdue.size();
      return overdue;
    } finally {
      lock.unlock();
    }
  }

  private boolean isOverdue(Body body, long nanos) {
    if (body.hasCredential()) {
      return nanos > limits.nanosMax();
    }
    long rated = Math.max(0, nanos - RATE_AFTER_NANOS);
    // Both factors are small: octets of one body, and 50 s at most.
    return nanos > limits.anonymousNanosMax()
        || body.octets() < rated / 1_000_000 * limits.anonymousRateMin() / 1_000;
  }

  /** Returns how many bodies are waited for now. */
  public int waiting() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many were closed here. */
  public long evicted() {
    lock.lock();
    try {
      return evicted;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void remove(C connection) {
    Body body = waiting.remove(connection);
    if (body != null && !body.hasCredential()) {
      anonymous--;
    }
  }
}
