package org.sluiceca.core.audit;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
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

  /** Of other nodes, between two of one's own: more, and heads are listed once more than needed. */
  private static final int OTHERS_MAX = 100;

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

  private final Steps steps;

  /** By chain, the newest head in a checkpoint that was seen here. Owned by the calling thread. */
  private final Map<String, ChainHead> covered = new HashMap<>();

  /**
   * By chain, the newest head in a signed checkpoint that was read here, also in one from before
   * this node's start: what must be in the store, while {@link #covered} is what need not be listed
   * again. Owned by the calling thread.
   */
  private final Map<String, ChainHead> signed = new HashMap<>();

  private List<ChainHead> missing = List.of();

  private long seen;

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
    Optional<Numbered> latest = steps.store().latest();
    latest.ifPresent(this::learn);
    List<ChainHead> grown =
        compare().values().stream()
            .filter(head -> head.sequence() > coveredTo(head.chain()))
            .limit(Checkpoint.HEADS_MAX)
            .toList();
    if (grown.isEmpty()) {
      return Optional.empty();
    }
    Checkpoint checkpoint =
        new Checkpoint(
            latest.map(l -> l.number() + 1).orElse(1L),
            latest.map(l -> Checkpoint.hash(l.encoded())).orElse(ChainHead.nothing()),
            steps.clock().instant(),
            grown);
    if (!steps.store().record(checkpoint)) {
      return Optional.empty();
    }
    RecordedCheckpoint recorded = new RecordedCheckpoint(checkpoint);
    OctetString signature = steps.signer().sign(recorded, schedule);
    CheckedSignature checked = steps.check().check(recorded, signature);
    steps.store().recordSignature(checkpoint.number(), checked.signature());
    cover(checkpoint);
    seen = checkpoint.number();
    return Optional.of(new SignedCheckpoint(recorded.toBeSigned(), checked.signature()));
  }

  /**
   * Compares without taking a checkpoint, for a node that cannot sign one.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable if the store does not answer
   */
  public void look() {
    steps.store().latest().ifPresent(this::learn);
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

  /** Returns the newest head of every chain, from the store and from this node's knowledge. */
  private SortedMap<String, ChainHead> compare() {
    // Read before the store: a row that is durable now is there then.
    Optional<ChainHead> own = steps.own().get();
    SortedMap<String, ChainHead> newest = new TreeMap<>();
    steps.store().heads().forEach(head -> newest.put(head.chain(), head));
    Map<String, ChainHead> known = new TreeMap<>(signed);
    own.ifPresent(head -> known.merge(head.chain(), head, Checkpoints::newer));
    missing =
        known.values().stream().filter(head -> isMissing(head, newest.get(head.chain()))).toList();
    own.ifPresent(head -> newest.merge(head.chain(), head, Checkpoints::newer));
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

  private long coveredTo(String chain) {
    ChainHead head = covered.get(chain);
    return head == null ? 0 : head.sequence();
  }

  /**
   * Reads what was signed since the last time. What others have covered need not be listed again;
   * at a node's start, and after many checkpoints of others, only the newest ones are read.
   */
  private void learn(Numbered latest) {
    boolean isComplete = seen > 0 && latest.number() - seen <= OTHERS_MAX;
    long from = Math.max(seen, latest.number() - OTHERS_MAX);
    List<Numbered> page = steps.store().signedAfter(from, PAGE);
    while (!page.isEmpty()) {
      for (Numbered other : page) {
        Checkpoint.parse(other.encoded()).ifPresent(read -> learn(read, isComplete));
      }
      page = steps.store().signedAfter(page.getLast().number(), PAGE);
    }
    seen = latest.number();
  }

  private void learn(Checkpoint other, boolean isComplete) {
    merge(signed, other);
    if (isComplete) {
      merge(covered, other);
    }
  }

  private void cover(Checkpoint checkpoint) {
    merge(covered, checkpoint);
    merge(signed, checkpoint);
  }

  private static void merge(Map<String, ChainHead> into, Checkpoint checkpoint) {
    checkpoint.heads().forEach(head -> into.merge(head.chain(), head, Checkpoints::newer));
  }
}
