package org.sluiceca.core.audit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.sluiceca.core.audit.CheckpointPace.Look;
import org.sluiceca.core.audit.CheckpointStore.Numbered;
import org.sluiceca.core.audit.CheckpointStore.Signed;
import org.sluiceca.core.check.CheckedSignature;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.failure.CaUnavailable.SignatureRefused;
import org.sluiceca.core.failure.CaUnavailable.SignerUnavailable;
import org.sluiceca.core.sign.IssuerSigner;
import org.sluiceca.core.sign.SignSchedule;
import org.sluiceca.core.x509.OctetString;

/**
 * Takes checkpoints: recorded first, then signed, checked, and the signature recorded. Any node may
 * do so at any time; of several that want one number one gets it. For one thread.
 */
public final class Checkpoints {

  /** Of other nodes, between two of one's own: more, and heads are listed once more than needed. */
  private static final int OTHERS_MAX = 100;

  /** From taking one to its signature; what takes longer is late. */
  private static final Duration SIGN_MAX = Duration.ofSeconds(20);

  /** Of checkpoints that are in memory at once, of up to 1 MB each. */
  private static final int PAGE = 5;

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

  /**
   * By chain, the newest head in a genuine checkpoint that was seen here. Owned by the calling
   * thread.
   */
  private final Map<String, ChainHead> covered = new HashMap<>();

  /**
   * By chain, the newest head in a signed checkpoint that was read here, also in one from before
   * this node's start: what must be in the store, while {@link #covered} is what need not be listed
   * again. Its signature is not asked for: this only alarms. Owned by the calling thread.
   */
  private final Map<String, ChainHead> signed = new HashMap<>();

  /** The same of checkpoints whose signature was verified. Owned by the calling thread. */
  private final Map<String, ChainHead> verified = new HashMap<>();

  private List<ChainHead> missing = List.of();

  /** The row of this node's own that the store lacked at the last comparison. */
  private Optional<ChainHead> ownMissing = Optional.empty();

  /** What was not genuine of those that were read last. */
  private List<Long> refused = List.of();

  /** The highest number that was read with a signature, genuine or not; 0 for none. */
  private long seen;

  /** When everything was covered, by this node's clock; before the first look long ago. */
  private Instant coveredAt = Instant.EPOCH;

  /**
   * When the newest genuine one of those that are being read was taken, by the clock of its node.
   */
  private Optional<Instant> newestTaken = Optional.empty();

  /** Of the last time that checkpoints were read; before the first long ago. */
  private Instant readAt = Instant.EPOCH;

  public Checkpoints(Steps steps) {
    this.steps = steps;
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
            .filter(head -> head.sequence() > coveredTo(covered, head.chain()))
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
    cover(checkpoint);
    seen = checkpoint.number();
    if (!isFull(checkpoint)) {
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
    return refused;
  }

  /** Reads what was signed since the last time, and returns the highest number. */
  private Optional<Numbered> read(Instant now) {
    refused = List.of();
    if (coveredAt.isAfter(now) || readAt.isAfter(now)) {
      // This node's clock was set back.
      coveredAt = now;
      readAt = now;
    }
    newestTaken = Optional.empty();
    Optional<Numbered> latest = steps.store().latest();
    latest.ifPresent(this::learn);
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
    return ownMissing.filter(own -> coveredTo(verified, own.chain()) < own.sequence()).isPresent();
  }

  /** Returns the newest head of every chain, from the store and from this node's knowledge. */
  private SortedMap<String, ChainHead> compare() {
    // Read before the store: a row that is durable now is there then.
    Optional<ChainHead> own = steps.own().get();
    SortedMap<String, ChainHead> newest = new TreeMap<>();
    steps.store().heads().forEach(head -> newest.put(head.chain(), head));
    Map<String, ChainHead> known = new TreeMap<>(signed);
    // Of two of one number the row that this node wrote itself.
    own.ifPresent(head -> known.merge(head.chain(), head, (read, mine) -> newer(mine, read)));
    missing =
        known.values().stream().filter(head -> isMissing(head, newest.get(head.chain()))).toList();
    ownMissing = own.filter(head -> isMissing(head, newest.get(head.chain())));
    own.ifPresent(head -> newest.merge(head.chain(), head, (read, mine) -> newer(mine, read)));
    return newest;
  }

  private static boolean isMissing(ChainHead known, @Nullable ChainHead stored) {
    return stored == null
        || stored.sequence() < known.sequence()
        || (stored.sequence() == known.sequence() && !stored.hash().equals(known.hash()));
  }

  private static ChainHead newer(ChainHead a, ChainHead b) {
    return a.sequence() >= b.sequence() ? a : b;
  }

  private static long coveredTo(Map<String, ChainHead> heads, String chain) {
    ChainHead head = heads.get(chain);
    return head == null ? 0 : head.sequence();
  }

  /**
   * Reads what was signed since the last time. What others have covered need not be listed again;
   * at a node's start, and after many checkpoints of others, only the newest ones are read.
   */
  private void learn(Numbered latest) {
    boolean isComplete = seen > 0 && latest.number() - seen <= OTHERS_MAX;
    long from = Math.max(seen, latest.number() - OTHERS_MAX);
    long last = seen;
    List<Long> notGenuine = new ArrayList<>();
    List<Signed> page = steps.store().signedAfter(from, PAGE);
    while (!page.isEmpty()) {
      for (Signed other : page) {
        if (!learn(other, isComplete)) {
          notGenuine.add(other.number());
        }
      }
      last = Math.max(last, page.getLast().number());
      page = steps.store().signedAfter(page.getLast().number(), PAGE);
    }
    // Not the latest one: that may be signed after this look. Also what was refused: it is neither
    // read nor verified again.
    seen = last;
    refused = List.copyOf(notGenuine);
  }

  /** Returns false if the audit key has not signed this under this number. */
  private boolean learn(Signed other, boolean isComplete) {
    Optional<Checkpoint> read = Checkpoint.parse(other.encoded());
    if (read.isEmpty()) {
      return false;
    }
    Checkpoint checkpoint = read.get();
    merge(signed, checkpoint);
    if (checkpoint.number() != other.number()) {
      return false;
    }
    try {
      CheckedSignature _ =
          steps.check().check(new RecordedCheckpoint(checkpoint), other.signature());
    } catch (SignatureRefused e) {
      return false;
    } catch (SignerUnavailable e) {
      // This node knows no audit key, so it cannot tell: it takes no checkpoint either.
      return true;
    }
    merge(verified, checkpoint);
    if (isComplete) {
      merge(covered, checkpoint);
    }
    if (!isFull(checkpoint)) {
      newestTaken = Optional.of(checkpoint.takenAt());
    }
    return true;
  }

  /** Whether it may have left out a chain that had grown. */
  private static boolean isFull(Checkpoint checkpoint) {
    return checkpoint.heads().size() == Checkpoint.HEADS_MAX;
  }

  private void cover(Checkpoint checkpoint) {
    merge(covered, checkpoint);
    merge(signed, checkpoint);
    merge(verified, checkpoint);
  }

  private static void merge(Map<String, ChainHead> into, Checkpoint checkpoint) {
    checkpoint.heads().forEach(head -> into.merge(head.chain(), head, Checkpoints::newer));
  }
}
