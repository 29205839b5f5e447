package org.sluiceca.core.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.sluiceca.core.der.DerException;
import org.sluiceca.core.der.KeyFingerprint;
import org.sluiceca.core.failure.CaUnavailable.LedgerUnavailable;
import org.sluiceca.core.failure.Invariant;
import org.sluiceca.core.intent.Claim;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.LedgerStore;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.intent.OrderStore;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.order.BacklogDepths;
import org.sluiceca.core.request.IdempotencyKey;
import org.sluiceca.core.request.RequesterId;
import org.sluiceca.core.time.Deadline;
import org.sluiceca.core.time.Ticker;
import org.sluiceca.core.x509.SerialNumber;

/** The ledger as a map, with the database's clock in the hands of the test. Thread-safe. */
public final class InMemoryLedgerStore implements LedgerStore, OrderStore {

  private final InstantSource databaseClock;
  private final Ticker ticker;

  // In the order of recording, so that the oldest come first even at the same instant.
  @GuardedBy("this")
  private final Map<SerialNumber, Row> rows = new LinkedHashMap<>();

  @GuardedBy("this")
  private final Map<OwnedKey, SerialNumber> keys = new HashMap<>();

  // Not decided, and of no owner.
  @GuardedBy("this")
  private final Set<SerialNumber> backlog = new LinkedHashSet<>();

  @GuardedBy("this")
  private final Set<KeyFingerprint> compromised = new HashSet<>();

  @GuardedBy("this")
  private long taken;

  /**
   * Starts empty.
   *
   * @param databaseClock by which claims are granted and run out
   * @param ticker by which the deadlines of callers are judged
   */
  public InMemoryLedgerStore(InstantSource databaseClock, Ticker ticker) {
    this.databaseClock = databaseClock;
    this.ticker = ticker;
  }

  private record OwnedKey(RequesterId requester, IdempotencyKey key) {}

  private record Granted(NodeId owner, int epoch, Instant until) {}

  private record Row(Intent intent, Instant recordedAt, Granted claim, Optional<Outcome> outcome) {

    LedgerEntry entry() {
      return new LedgerEntry(intent, recordedAt, outcome);
    }

    boolean isAbandoned() {
      return outcome.isPresent() && outcome.get() instanceof Outcome.Abandoned;
    }

    boolean isFree(Instant now) {
      return outcome.isEmpty() && !now.isBefore(claim.until());
    }
  }

  @Override
  public synchronized IntentAnswer recordOrder(Intent intent, NodeId recorder, Deadline deadline) {
    boolean isNew = row(intent.serialNumber()).isEmpty();
    IntentAnswer answer = recordIntent(intent, new ClaimTerms(recorder, Duration.ZERO), deadline);
    if (isNew && answer instanceof IntentAnswer.Recorded) {
      backlog.add(intent.serialNumber());
    }
    return answer;
  }

  @Override
  public synchronized List<TakenOver> takeOrders(
      ClaimTerms terms, SequencedMap<RequesterId, Integer> most) {
    List<TakenOver> orders = new ArrayList<>();
    most.forEach(
        (requester, number) ->
            rowsOf(requester).stream()
                .limit(number)
                .map(row -> takeOrder(row, terms))
                .flatMap(Optional::stream)
                .forEach(orders::add));
    return List.copyOf(orders);
  }

  private synchronized Optional<TakenOver> takeOrder(Row row, ClaimTerms terms) {
    SerialNumber serialNumber = row.intent().serialNumber();
    if (row.outcome().isPresent()) {
      taken += backlog.remove(serialNumber) ? 1 : 0;
    }
    return takeOver(serialNumber, terms);
  }

  @Override
  public synchronized BacklogDepths depths() {
    SequencedMap<RequesterId, Long> depths = new LinkedHashMap<>();
    backlog.forEach(
        s -> row(s).ifPresent(r -> depths.merge(r.intent().origin().requester(), 1L, Long::sum)));
    return new BacklogDepths(depths, taken);
  }

  @Override
  public synchronized Optional<Long> before(SerialNumber serialNumber) {
    return row(serialNumber)
        .filter(row -> backlog.contains(serialNumber))
        .map(
            row ->
                rowsOf(row.intent().origin().requester()).stream()
                    .takeWhile(other -> !other.equals(row))
                    .count());
  }

  private synchronized List<Row> rowsOf(RequesterId requester) {
    return backlog.stream()
        .flatMap(s -> row(s).stream())
        .filter(r -> r.intent().origin().requester().equals(requester))
        .toList();
  }

  @Override
  public synchronized IntentAnswer recordIntent(
      Intent intent, ClaimTerms terms, Deadline deadline) {
    requireTime(deadline);
    Optional<Row> same = row(intent.serialNumber());
    if (same.isPresent()) {
      Invariant.check(
          same.get().intent().equals(intent),
          "serial number " + intent.serialNumber() + " stands for one intent only");
      return new IntentAnswer.Recorded();
    }
    if (isCompromised(intent)) {
      return new IntentAnswer.KeyCompromised();
    }
    Optional<OwnedKey> key =
        intent.idempotencyKey().map(k -> new OwnedKey(intent.origin().requester(), k));
    Optional<Row> holder = key.flatMap(k -> Optional.ofNullable(keys.get(k))).flatMap(this::row);
    if (holder.isPresent() && !holder.get().isAbandoned()) {
      return new IntentAnswer.KeyInUse(holder.get().entry());
    }
    Instant now = databaseClock.instant();
    Granted claim = new Granted(terms.owner(), 0, now.plus(terms.lifetime()));
    rows.put(intent.serialNumber(), new Row(intent, now, claim, Optional.empty()));
    key.ifPresent(k -> keys.put(k, intent.serialNumber()));
    return new IntentAnswer.Recorded();
  }

  @Override
  public synchronized OutcomeAnswer recordOutcome(
      SerialNumber serialNumber, Outcome outcome, Claim claim, Deadline deadline) {
    requireTime(deadline);
    Optional<Row> known = row(serialNumber);
    Invariant.check(known.isPresent(), "the intent " + serialNumber + " of an outcome is recorded");
    Row row = known.get();
    if (row.outcome().isPresent()) {
      return new OutcomeAnswer.AlreadyDecided(row.outcome().get());
    }
    if (!row.claim().owner().equals(claim.owner()) || row.claim().epoch() != claim.epoch()) {
      return new OutcomeAnswer.ClaimLost();
    }
    rows.put(
        serialNumber, new Row(row.intent(), row.recordedAt(), row.claim(), Optional.of(outcome)));
    return new OutcomeAnswer.Recorded();
  }

  @Override
  public synchronized Optional<LedgerEntry> find(SerialNumber serialNumber) {
    return row(serialNumber).map(Row::entry);
  }

  @Override
  public synchronized List<TakenOver> claimExpired(ClaimTerms terms, int max) {
    Instant now = databaseClock.instant();
    List<TakenOver> taken = new ArrayList<>();
    for (Row row : List.copyOf(rows.values())) {
      boolean isOrder = backlog.contains(row.intent().serialNumber());
      if (taken.size() < max && row.isFree(now) && !isOrder) {
        taken.add(take(row, terms, now));
      }
    }
    return List.copyOf(taken);
  }

  @Override
  public synchronized Optional<TakenOver> takeOver(SerialNumber serialNumber, ClaimTerms terms) {
    return row(serialNumber)
        .filter(row -> row.outcome().isEmpty())
        .map(row -> take(row, terms, databaseClock.instant()));
  }

  private synchronized TakenOver take(Row row, ClaimTerms terms, Instant now) {
    boolean waited = backlog.remove(row.intent().serialNumber());
    taken += waited ? 1 : 0;
    int epoch = row.claim().epoch() + 1;
    boolean untouched = waited && epoch == 1;
    Granted claim = new Granted(terms.owner(), epoch, now.plus(terms.lifetime()));
    rows.put(
        row.intent().serialNumber(), new Row(row.intent(), row.recordedAt(), claim, row.outcome()));
    return new TakenOver(row.intent(), row.recordedAt(), now, epoch, untouched);
  }

  private synchronized Optional<Row> row(SerialNumber serialNumber) {
    return Optional.ofNullable(rows.get(serialNumber));
  }

  /** Refuses intents for this key from now on, as the revocation of a certificate with it does. */
  public synchronized void compromise(KeyFingerprint key) {
    compromised.add(key);
  }

  private synchronized boolean isCompromised(Intent intent) {
    try {
      return compromised.contains(KeyFingerprint.of(intent.tbsCertificate()));
    } catch (DerException e) {
      return false;
    }
  }

  private void requireTime(Deadline deadline) {
    if (deadline.hasPassed(ticker)) {
      throw new LedgerUnavailable("the deadline passed before the ledger was asked");
    }
  }
}
