package org.sluiceca.core.audit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.core.audit.CheckpointStore.Numbered;
import org.sluiceca.core.audit.CheckpointStore.Signed;
import org.sluiceca.core.check.CheckedSignature;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.failure.CaUnavailable.SignatureRefused;
import org.sluiceca.core.failure.CaUnavailable.SignerUnavailable;

/**
 * What a node knows of the chains from checkpoints, its own and those that it reads of other nodes:
 * of each which rows are covered, and whether the audit key signed it. For one thread.
 */
final class ReadCheckpoints {

  /**
   * The most checkpoints of other nodes that are read between two of this node's own; beyond it,
   * heads are listed once more than needed.
   */
  private static final int OTHERS_MAX = 100;

  /** Of checkpoints that are in memory at once, of up to 1 MB each. */
  private static final int PAGE = 5;

  private final CheckpointStore store;
  private final PostSignCheck check;

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

  /** What was not genuine of those that were read last. */
  private List<Long> refused = List.of();

  /** The highest number that was read with a signature, genuine or not; 0 for none. */
  private long seen;

  /**
   * When the newest genuine one of those that are being read was taken, by the clock of its node.
   */
  private Optional<Instant> newestTaken = Optional.empty();

  /** Nothing is read yet. */
  ReadCheckpoints(CheckpointStore store, PostSignCheck check) {
    this.store = store;
    this.check = check;
  }

  /**
   * Reads what was signed since the last time, and returns the highest number.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable if the store does not answer; then it is read
   *     the next time
   */
  Optional<Numbered> read() {
    refused = List.of();
    newestTaken = Optional.empty();
    Optional<Numbered> latest = store.latest();
    latest.ifPresent(this::learn);
    return latest;
  }

  /** This node has taken a checkpoint, and its signature is recorded. */
  void took(Checkpoint checkpoint) {
    merge(covered, checkpoint);
    merge(signed, checkpoint);
    merge(verified, checkpoint);
    seen = checkpoint.number();
  }

  /** Returns the row of a chain up to which it need not be listed again; 0 for none. */
  long coveredTo(String chain) {
    return coveredTo(covered, chain);
  }

  /** Returns the row of a chain up to which genuine checkpoints name it; 0 for none. */
  long verifiedTo(String chain) {
    return coveredTo(verified, chain);
  }

  /** Returns by chain what must be in the store. */
  Map<String, ChainHead> signed() {
    return Collections.unmodifiableMap(signed);
  }

  /**
   * Returns when the newest genuine one of those that were read last was taken, by the clock of its
   * node; empty if none was that covers all that had grown.
   */
  Optional<Instant> newestTaken() {
    return newestTaken;
  }

  /** Returns the numbers of those that were read last and are not genuine. */
  List<Long> refused() {
    return refused;
  }

  /** Returns the one with the higher number; the first of two with one number. */
  static ChainHead newer(ChainHead a, ChainHead b) {
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
    List<Signed> page = store.signedAfter(from, PAGE);
    while (!page.isEmpty()) {
      for (Signed other : page) {
        if (!learn(other, isComplete)) {
          notGenuine.add(other.number());
        }
      }
      last = Math.max(last, page.getLast().number());
      page = store.signedAfter(page.getLast().number(), PAGE);
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
      CheckedSignature _ = check.check(new RecordedCheckpoint(checkpoint), other.signature());
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
  static boolean isFull(Checkpoint checkpoint) {
    return checkpoint.heads().size() == Checkpoint.HEADS_MAX;
  }

  private static void merge(Map<String, ChainHead> into, Checkpoint checkpoint) {
    checkpoint.heads().forEach(head -> into.merge(head.chain(), head, ReadCheckpoints::newer));
  }
}
