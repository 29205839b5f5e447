package org.sluiceca.api.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.intent.Claim;
import org.sluiceca.core.intent.Intent;
import org.sluiceca.core.intent.LedgerEntry;
import org.sluiceca.core.intent.LedgerStore.ClaimTerms;
import org.sluiceca.core.intent.LedgerStore.IntentAnswer;
import org.sluiceca.core.intent.LedgerStore.OutcomeAnswer;
import org.sluiceca.core.intent.LedgerStore.TakenOver;
import org.sluiceca.core.intent.NodeId;
import org.sluiceca.core.intent.Outcome;
import org.sluiceca.core.x509.SerialNumber;

/**
 * The ledger's tables and what the ledger's SQL does with them, statement by statement: what a
 * transaction decides at its statements becomes visible at its commit, and rows are locked between.
 * Survives every node.
 *
 * <p>Not final: mutants change one rule each.
 */
class SimDatabase {

  /** As {@code transaction_timeout}; the server stops it once a transaction is committing. */
  static final long TRANSACTION_MAX = Duration.ofSeconds(10).toNanos();

  record IntentRow(Intent intent, long recordedAt, NodeId owner, long claimUntil) {}

  public record OutcomeRow(Outcome outcome, NodeId owner, int epoch) {}

  record ClaimRow(int epoch, NodeId owner, long until) {}

  /** A requester's key. */
  record Key(String requester, String key) {}

  /** A transaction that is not over. */
  static final class Transaction {
    final long begunAt;
    final long now;
    private final Set<Object> locks = new HashSet<>();
    private final List<Runnable> effects = new ArrayList<>();
    private boolean writing;
    private boolean committing;
    private boolean over;

    Transaction(long begunAt, long now) {
      this.begunAt = begunAt;
      this.now = now;
    }

    void then(Runnable effect) {
      effects.add(effect);
    }

    boolean isOver() {
      return over;
    }
  }

  final World world;
  final Map<SerialNumber, IntentRow> intents = new LinkedHashMap<>();
  final Map<SerialNumber, OutcomeRow> outcomes = new LinkedHashMap<>();
  final Map<SerialNumber, List<ClaimRow>> claims = new LinkedHashMap<>();
  final Map<Key, SerialNumber> keys = new LinkedHashMap<>();
  private final Set<SerialNumber> unresolved = new LinkedHashSet<>();
  private final List<Transaction> active = new ArrayList<>();
  private long watermark = Long.MIN_VALUE;
  private long announced = Long.MIN_VALUE;
  private long clockAhead;
  private boolean wasSet;
  private final Oracle oracle;

  SimDatabase(World world) {
    this.world = world;
    this.oracle = new Oracle(world, this);
  }

  /** What watches this database from outside. */
  Oracle oracle() {
    return oracle;
  }

  /** The database's clock. */
  long now() {
    return world.now() + clockAhead;
  }

  /** Sets the database's clock, forward or back. */
  void setClock(long aheadNanos) {
    clockAhead += aheadNanos;
    wasSet = true;
  }

  boolean wasClockSet() {
    return wasSet;
  }

  Transaction begin() {
    Transaction transaction = new Transaction(world.now(), now());
    active.add(transaction);
    return transaction;
  }

  /** Takes the locks of these rows, or returns false if another transaction holds one. */
  boolean lock(Transaction transaction, Set<Object> rows) {
    prune();
    transaction.writing = true;
    for (Transaction other : active) {
      if (other != transaction && other.locks.stream().anyMatch(rows::contains)) {
        return false;
      }
    }
    transaction.locks.addAll(rows);
    return true;
  }

  /** Returns false if the server has ended the transaction. */
  boolean startCommit(Transaction transaction) {
    prune();
    transaction.committing = !transaction.over;
    return transaction.committing;
  }

  boolean isCommitting(Transaction transaction) {
    return transaction.committing;
  }

  /** Makes a transaction's effects visible. */
  void apply(Transaction transaction) {
    transaction.effects.forEach(Runnable::run);
    end(transaction);
  }

  /** Ends a transaction, without effect unless it was applied. */
  void end(Transaction transaction) {
    transaction.over = true;
    active.remove(transaction);
  }

  private void prune() {
    for (Transaction each : List.copyOf(active)) {
      if (!each.committing && world.now() - each.begunAt > TRANSACTION_MAX) {
        end(each);
      }
    }
  }

  Optional<LedgerEntry> find(SerialNumber serialNumber) {
    IntentRow row = intents.get(serialNumber);
    return row == null ? Optional.empty() : Optional.of(entry(row));
  }

  LedgerEntry entry(IntentRow row) {
    OutcomeRow outcome = outcomes.get(row.intent().serialNumber());
    return new LedgerEntry(
        row.intent(),
        World.START.plusNanos(row.recordedAt()),
        Optional.ofNullable(outcome).map(OutcomeRow::outcome));
  }

  static Optional<Key> key(Intent intent) {
    return intent
        .idempotencyKey()
        .map(k -> new Key(intent.origin().requester().value(), k.value()));
  }

  /** Decides about an intent; empty if its serial number stands for another. */
  Optional<IntentAnswer> insertIntent(
      Transaction transaction, Map<Key, IntentRow> fresh, Intent intent, ClaimTerms terms) {
    SerialNumber serial = intent.serialNumber();
    IntentRow present = intents.get(serial);
    if (present != null) {
      return present.intent().equals(intent) && present.owner().equals(terms.owner())
          ? Optional.of(new IntentAnswer.Recorded())
          : Optional.empty();
    }
    Optional<Key> key = key(intent);
    IntentRow row =
        new IntentRow(
            intent,
            recordedAt(transaction),
            terms.owner(),
            claimNow(transaction, terms) + terms.lifetime().toNanos());
    if (key.isPresent()) {
      IntentRow sibling = fresh.get(key.get());
      if (sibling != null) {
        return Optional.of(new IntentAnswer.KeyInUse(entry(sibling)));
      }
      SerialNumber holder = holderOf(key.get(), terms);
      if (holder != null && !isAbandoned(holder)) {
        return Optional.of(
            new IntentAnswer.KeyInUse(
                entry(Optional.ofNullable(intents.get(holder)).orElseThrow())));
      }
      fresh.put(key.get(), row);
      writeKey(transaction, key.get(), serial, terms);
    }
    transaction.then(() -> putIntent(transaction, row));
    return Optional.of(new IntentAnswer.Recorded());
  }

  void writeKey(Transaction transaction, Key key, SerialNumber serial, ClaimTerms terms) {
    transaction.then(() -> keys.put(key, serial));
  }

  @Nullable SerialNumber holderOf(Key key, ClaimTerms terms) {
    return keys.get(key);
  }

  long recordedAt(Transaction transaction) {
    return Math.max(transaction.now, Math.max(watermark, announced));
  }

  long claimNow(Transaction transaction, ClaimTerms terms) {
    return transaction.now;
  }

  private boolean isAbandoned(SerialNumber serial) {
    OutcomeRow outcome = outcomes.get(serial);
    return outcome != null && outcome.outcome() instanceof Outcome.Abandoned;
  }

  private void putIntent(Transaction transaction, IntentRow row) {
    IntentRow before = intents.putIfAbsent(row.intent().serialNumber(), row);
    oracle.intentCommitted(transaction, row, before);
  }

  /** Decides about an outcome; empty if no intent has its serial number. */
  Optional<OutcomeAnswer> insertOutcome(
      Transaction transaction, SerialNumber serial, Outcome outcome, Claim claim) {
    IntentRow intent = intents.get(serial);
    if (intent == null) {
      return Optional.empty();
    }
    OutcomeRow row = new OutcomeRow(outcome, claim.owner(), claim.epoch());
    OutcomeRow first = outcomes.get(serial);
    if (first != null) {
      return Optional.of(
          first.equals(row)
              ? new OutcomeAnswer.Recorded()
              : new OutcomeAnswer.AlreadyDecided(first.outcome()));
    }
    if (!isNewest(intent, claim)) {
      return Optional.of(new OutcomeAnswer.ClaimLost());
    }
    transaction.then(() -> putOutcome(transaction, serial, row));
    return Optional.of(new OutcomeAnswer.Recorded());
  }

  boolean isNewest(IntentRow intent, Claim claim) {
    List<ClaimRow> later = claims.getOrDefault(intent.intent().serialNumber(), List.of());
    NodeId owner =
        claim.epoch() == 0
            ? intent.owner()
            : later.stream()
                .filter(c -> c.epoch() == claim.epoch())
                .map(ClaimRow::owner)
                .findFirst()
                .orElse(null);
    return claim.owner().equals(owner) && later.stream().noneMatch(c -> c.epoch() > claim.epoch());
  }

  void putOutcome(Transaction transaction, SerialNumber serial, OutcomeRow row) {
    OutcomeRow before = outcomes.put(serial, row);
    oracle.outcomeCommitted(transaction, serial, row, before);
  }

  /** The newest claim of an intent: until when it holds, and its epoch. */
  ClaimRow newestClaim(IntentRow intent) {
    List<ClaimRow> later = claims.getOrDefault(intent.intent().serialNumber(), List.of());
    return later.isEmpty() ? new ClaimRow(0, intent.owner(), intent.claimUntil()) : later.getLast();
  }

  boolean isExpired(ClaimRow claim, long now) {
    return claim.until() <= now;
  }

  boolean isPending(SerialNumber serial) {
    return !outcomes.containsKey(serial);
  }

  boolean isIssued(SerialNumber serial) {
    OutcomeRow outcome = outcomes.get(serial);
    return outcome != null && outcome.outcome() instanceof Outcome.Issued;
  }

  /** How many were issued, or given up. */
  int count(boolean issued) {
    return (int)
        outcomes.values().stream()
            .filter(o -> issued == (o.outcome() instanceof Outcome.Issued))
            .count();
  }

  /**
   * How far a pass may move the watermark: to what was announced, and not past a transaction that
   * is writing; what is gone from there is visible.
   */
  long movable() {
    return Math.min(announced(), oldestWriting());
  }

  long announced() {
    return announced;
  }

  long oldestWriting() {
    prune();
    return active.stream()
        .filter(t -> t.writing)
        .mapToLong(t -> t.now)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** Moves the watermark and takes over expired claims, as {@code RecoverySweep} does. */
  List<TakenOver> sweep(Transaction transaction, long movable, ClaimTerms terms, int max) {
    long expirableBefore = transaction.now - terms.lifetime().toNanos();
    Set<SerialNumber> open = new LinkedHashSet<>(unresolved);
    for (IntentRow row : intents.values()) {
      if (row.recordedAt() >= watermark && row.recordedAt() < expirableBefore) {
        open.add(row.intent().serialNumber());
      }
    }
    open.removeIf(s -> !isPending(s));
    long moved = Math.max(watermark, Math.min(expirableBefore, movable));
    transaction.then(
        () -> {
          unresolved.clear();
          unresolved.addAll(open);
          watermark = moved;
          announced = Math.max(announced, expirableBefore + terms.lifetime().toNanos() / 3);
        });
    List<TakenOver> taken = new ArrayList<>();
    for (SerialNumber serial : open) {
      IntentRow row = Optional.ofNullable(intents.get(serial)).orElseThrow();
      ClaimRow newest = newestClaim(row);
      if (taken.size() < max && isExpired(newest, transaction.now)) {
        ClaimRow next =
            new ClaimRow(
                newest.epoch() + 1,
                terms.owner(),
                claimNow(transaction, terms) + terms.lifetime().toNanos());
        transaction.then(
            () -> {
              oracle.claimCommitted(transaction, serial, newestClaim(row), next);
              claims.computeIfAbsent(serial, s -> new ArrayList<>()).add(next);
            });
        taken.add(
            new TakenOver(
                row.intent(),
                World.START.plusNanos(row.recordedAt()),
                World.START.plusNanos(Math.max(transaction.now, row.recordedAt())),
                next.epoch()));
      }
    }
    return taken;
  }
}
