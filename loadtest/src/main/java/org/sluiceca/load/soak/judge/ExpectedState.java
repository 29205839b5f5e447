package org.sluiceca.load.soak.judge;

import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The requested and confirmed state of each certificate, from the clients that issue and revoke.
 * Certificates are numbered from 0. Thread-safe.
 *
 * <p>Of a certificate one thing is asked for at a time, and the next only when it is confirmed.
 */
public final class ExpectedState {

  private final Map<String, Integer> numbers = new HashMap<>();
  private final List<Entry> entries = new ArrayList<>();

  /** The last thing that was asked for; guarded by the Truth. */
  private static final class Entry {
    final String serial;
    final String scope;
    boolean isOurs;
    boolean isRelease;
    boolean wasReleased;
    @Nullable Instant asked;
    @Nullable Instant confirmed;

    Entry(String serial, String scope) {
      this.serial = serial;
      this.scope = scope;
    }

    boolean isSurelyRevoked(Instant by) {
      return !isRelease && confirmed != null && !confirmed.isAfter(by);
    }

    boolean isSurelyGood(Instant by) {
      return isOurs
          && (asked == null || (isRelease && confirmed != null && !confirmed.isAfter(by)));
    }
  }

  /** Notes a certificate that was answered, and returns its number. */
  public synchronized int issued(String serial, String scope) {
    int number = numberOf(serial, scope);
    entries.get(number).isOurs = true;
    return number;
  }

  /**
   * Returns the number of a serial number, a new one for a serial number that no client here was
   * given: an order that a dying node left may be on the CRL as perhaps signed.
   */
  public synchronized int numberOf(String serial, String scope) {
    return numbers.computeIfAbsent(
        serial,
        s -> {
          entries.add(new Entry(s, scope));
          return entries.size() - 1;
        });
  }

  /** Notes that a revocation, or a release from hold, is about to be asked for. */
  public synchronized void asks(int number, boolean isRelease, Instant at) {
    Entry entry = entries.get(number);
    entry.isRelease = isRelease;
    entry.wasReleased |= isRelease;
    entry.asked = at;
    entry.confirmed = null;
  }

  /** Notes that what was asked for last was answered 200. */
  public synchronized void confirmed(int number, Instant at) {
    entries.get(number).confirmed = at;
  }

  /** Returns the certificates of a scope that have been revoked since that moment without doubt. */
  public synchronized BitSet surelyRevoked(String scope, Instant by) {
    BitSet surely = new BitSet(entries.size());
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      surely.set(i, entry.scope.equals(scope) && entry.isSurelyRevoked(by));
    }
    return surely;
  }

  /** Returns those among some that no client has revoked, or that were released by that moment. */
  synchronized BitSet surelyGood(BitSet among, Instant by) {
    BitSet surely = new BitSet();
    among.stream().filter(i -> entries.get(i).isSurelyGood(by)).forEach(surely::set);
    return surely;
  }

  synchronized boolean isSurelyRevoked(int number, Instant by) {
    return entries.get(number).isSurelyRevoked(by);
  }

  synchronized boolean isSurelyGood(int number, Instant by) {
    return entries.get(number).isSurelyGood(by);
  }

  /** Returns whether it was issued to us and no client has ever asked for its revocation. */
  synchronized boolean isNeverAsked(int number) {
    Entry entry = entries.get(number);
    return entry.isOurs && entry.asked == null;
  }

  /** Returns whether it may have been released after that moment. */
  synchronized boolean mayBeReleasedSince(int number, Instant since) {
    Entry entry = entries.get(number);
    return entry.wasReleased && !entry.isSurelyRevoked(since);
  }

  /** Returns when its revocation was confirmed, if that was the last that was asked for. */
  synchronized Optional<Instant> revokedAt(int number) {
    Entry entry = entries.get(number);
    return entry.isRelease ? Optional.empty() : Optional.ofNullable(entry.confirmed);
  }

  /** Returns how many serial numbers are on CRLs that no client here was given. */
  public synchronized long foreign() {
    return entries.stream().filter(entry -> !entry.isOurs).count();
  }

  /** Returns the serial number of a certificate. */
  public synchronized String serial(int number) {
    return entries.get(number).serial;
  }

  /** Returns up to ten serial numbers, in words. */
  synchronized String words(BitSet some) {
    return some.stream().limit(10).mapToObj(i -> entries.get(i).serial).toList()
        + (some.cardinality() > 10 ? " and more" : "");
  }
}
