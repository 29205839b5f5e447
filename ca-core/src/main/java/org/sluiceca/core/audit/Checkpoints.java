package org.sluiceca.core.audit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.audit.CheckpointPace.Look;
import org.sluiceca.core.audit.CheckpointStore.Numbered;
import org.sluiceca.core.check.CheckedSignature;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.sign.IssuerSigner;
import org.sluiceca.core.sign.SignSchedule;
import org.sluiceca.core.x509.OctetString;

/**
 * Takes checkpoints: recorded first, then signed, checked, and the signature recorded. Any node may
 * do so at any time; of several that want one number one gets it. For one thread.
 */
public final class Checkpoints {

  /** From taking one to its signature; what takes longer is late. */
  private static final Duration SIGN_MAX = Duration.ofSeconds(20);

  /**
   * The collaborators, in the order of their use.
   *
   * @param own the newest row that this node's writer knows to be durable; empty before the first
   */
  public record Steps(
      Supplier<Optional<ChainHead>> own,
      CheckpointStore store,
      IssuerSigner signer,
      PostSignCheck check,
      InstantSource clock) {}

  /**
   * What came of an attempt.
   *
   * @param signed the checkpoint that this node took
   */
  public record Outcome(Look look, Optional<SignedCheckpoint> signed) {
    static final Outcome NOT_DUE = new Outcome(Look.NOT_DUE, Optional.empty());
    static final Outcome NOTHING_NEW = new Outcome(Look.COVERED, Optional.empty());
    static final Outcome NUMBER_TAKEN = new Outcome(Look.FAILED, Optional.empty());
  }

  private final Steps steps;
  private final ReadCheckpoints others;

  private List<ChainHead> missing = List.of();

  /** The row of this node's own that the store lacked at the last comparison. */
  private Optional<ChainHead> ownMissing = Optional.empty();

  /** When everything was covered, by this node's clock; before the first look long ago. */
  private Instant coveredAt = Instant.EPOCH;

  /** Of the last time that checkpoints were read; before the first long ago. */
  private Instant readAt = Instant.EPOCH;

  public Checkpoints(Steps steps) {
    this.steps = steps;
    this.others = new ReadCheckpoints(steps.store(), steps.check());
  }

  /**
   * Covers what has grown since the last checkpoint; empty if nothing has, or another node was
   * faster. The first one of each start lists all chains. This node's own chain is covered up to
   * the row that it knows, also if the store has lost it: a verification then finds that the row is
   * missing.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable if the store or the signer cannot; the next one
   *     covers what this one would have
   */
  public Optional<SignedCheckpoint> take(SignSchedule schedule) {
    return takeIfOlder(schedule, Duration.ZERO).signed();
  }

  /**
   * Does as {@link #take}, unless a checkpoint, of whichever node, is younger than {@code spacing}:
   * then it compares, as {@link #look}. What the audit key has not signed does not count. A row of
   * this node's own that the store has lost is covered at once, for no other node knows of it.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable as {@link #take}
   */
  public Outcome takeIfOlder(SignSchedule schedule, Duration spacing) {
    Instant now = steps.clock().instant();
    Optional<Numbered> latest = read(now);
    SortedMap<String, ChainHead> newest = compare();
    if (Duration.between(coveredAt, now).compareTo(spacing) < 0 && !isOwnLost()) {
      return Outcome.NOT_DUE;
    }
    List<ChainHead> grown =
        newest.values().stream()
            .filter(head -> head.sequence() > others.coveredTo(head.chain()))
            .limit(Checkpoint.HEADS_MAX)
            .toList();
    if (grown.isEmpty()) {
      coveredAt = now;
      return Outcome.NOTHING_NEW;
    }
    Checkpoint checkpoint =
        new Checkpoint(
            latest.map(l -> l.number() + 1).orElse(1L),
            latest.map(l -> Checkpoint.hash(l.encoded())).orElse(ChainHead.nothing()),
            steps.clock().instant(),
            grown);
    if (!steps.store().record(checkpoint)) {
      return Outcome.NUMBER_TAKEN;
    }
    RecordedCheckpoint recorded = new RecordedCheckpoint(checkpoint);
    OctetString signature = steps.signer().sign(recorded, schedule);
    CheckedSignature checked = steps.check().check(recorded, signature);
    steps.store().recordSignature(checkpoint.number(), checked.signature());
    others.took(checkpoint);
    if (!ReadCheckpoints.isFull(checkpoint)) {
      coveredAt = now;
    }
    return new Outcome(
        Look.COVERED,
        Optional.of(new SignedCheckpoint(recorded.toBeSigned(), checked.signature())));
  }

  /**
   * Compares without taking a checkpoint, for a node that cannot sign one.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable if the store does not answer
   */
  public void look() {
    Optional<Numbered> _ = read(steps.clock().instant());
    SortedMap<String, ChainHead> _ = compare();
  }

  /**
   * Returns the heads that this node has known and that the store no longer had at the last {@link
   * #take} or {@link #look}: rows were removed or replaced, or an older state of the database is
   * there.
   */
  public List<ChainHead> missing() {
    return missing;
  }

  /**
   * Returns how long ago everything was covered that the trail had then, by this node's knowledge:
   * by a checkpoint of any node, or because nothing had grown. Decades before the first one.
   */
  public Duration coveredAge() {
    Duration age = Duration.between(coveredAt, steps.clock().instant());
    return age.isNegative() ? Duration.ZERO : age;
  }

  /**
   * Returns the numbers of the checkpoints that were read at the last {@link #take} or {@link
   * #look} and are not what the audit key has signed under that number, a hundred at most. Each is
   * read once.
   */
  public List<Long> refused() {
    return others.refused();
  }

  /** Reads what was signed since the last time, and returns the highest number. */
  private Optional<Numbered> read(Instant now) {
    if (coveredAt.isAfter(now) || readAt.isAfter(now)) {
      // This node's clock was set back.
      coveredAt = now;
      readAt = now;
    }
    Optional<Numbered> latest = others.read();
    Optional<Instant> newestTaken = others.newestTaken();
    if (newestTaken.isPresent()) {
      // Another node's clock may be wrong: it was not signed yet at the last look, and is now.
      Instant earliest = readAt.minus(SIGN_MAX);
      Instant taken = newestTaken.get().isBefore(earliest) ? earliest : newestTaken.get();
      coveredAt = taken.isAfter(now) ? now : taken;
    }
    readAt = now;
    return latest;
  }

  /** Whether the store lacks a row of this node's own that no genuine checkpoint names. */
  private boolean isOwnLost() {
    return ownMissing.filter(own -> others.verifiedTo(own.chain()) < own.sequence()).isPresent();
  }

  /** Returns the newest head of every chain, from the store and from this node's knowledge. */
  private SortedMap<String, ChainHead> compare() {
    // Read before the store: a row that is durable now is there then.
    Optional<ChainHead> own = steps.own().get();
    SortedMap<String, ChainHead> newest = new TreeMap<>();
    steps.store().heads().forEach(head -> newest.put(head.chain(), head));
    Map<String, ChainHead> known = new TreeMap<>(others.signed());
    // Of two of one number the row that this node wrote itself.
    own.ifPresent(
        head -> known.merge(head.chain(), head, (read, mine) -> ReadCheckpoints.newer(mine, read)));
    missing =
        known.values().stream().filter(head -> isMissing(head, newest.get(head.chain()))).toList();
    ownMissing = own.filter(head -> isMissing(head, newest.get(head.chain())));
    own.ifPresent(
        head ->
            newest.merge(head.chain(), head, (read, mine) -> ReadCheckpoints.newer(mine, read)));
    return newest;
  }

  private static boolean isMissing(ChainHead known, @Nullable ChainHead stored) {
    return stored == null
        || stored.sequence() < known.sequence()
        || (stored.sequence() == known.sequence() && !stored.hash().equals(known.hash()));
  }
}
