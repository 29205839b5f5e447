package org.sluiceca.core.audit;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sluiceca.core.audit.CheckpointStore.Numbered;
import org.sluiceca.core.check.CheckedSignature;
import org.sluiceca.core.check.PostSignCheck;
import org.sluiceca.core.sign.IssuerSigner;
import org.sluiceca.core.sign.Turn;
import org.sluiceca.core.x509.OctetString;

/**
 * Takes checkpoints: recorded first, then signed, checked, and the signature recorded. Any node may
 * do so at any time; of several that want one number one gets it. For one thread.
 */
public final class Checkpoints {

  /** Of other nodes, between two of one's own: more, and heads are listed once more than needed. */
  private static final int OTHERS_MAX = 100;

  /** The collaborators, in the order of their use. */
  public record Steps(
      CheckpointStore store, IssuerSigner signer, PostSignCheck check, InstantSource clock) {}

  private final Steps steps;

  /** By chain, how far checkpoints that were seen here cover it. Owned by the calling thread. */
  private final Map<String, Long> covered = new HashMap<>();

  private long seen;

  public Checkpoints(Steps steps) {
    this.steps = steps;
  }

  /**
   * Covers what has grown since the last checkpoint; empty if nothing has, or another node was
   * faster. The first one of each start lists all chains.
   *
   * @throws org.sluiceca.core.failure.CaUnavailable if the store or the signer cannot; the next one
   *     covers what this one would have
   */
  public Optional<SignedCheckpoint> take(Turn turn) {
    Optional<Numbered> latest = steps.store().latest();
    latest.ifPresent(this::learn);
    List<ChainHead> grown =
        steps.store().heads().stream()
            .filter(head -> head.sequence() > covered.getOrDefault(head.chain(), 0L))
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
    OctetString signature = steps.signer().sign(recorded, turn);
    CheckedSignature checked = steps.check().check(recorded, signature);
    steps.store().recordSignature(checkpoint.number(), checked.signature());
    cover(checkpoint);
    seen = checkpoint.number();
    return Optional.of(new SignedCheckpoint(recorded.toBeSigned(), checked.signature()));
  }

  /** What others have covered, and had signed, need not be listed again. */
  private void learn(Numbered latest) {
    if (seen > 0 && latest.number() - seen <= OTHERS_MAX) {
      steps.store().signedAfter(seen, OTHERS_MAX).stream()
          .flatMap(other -> Checkpoint.parse(other.encoded()).stream())
          .forEach(this::cover);
    }
    seen = latest.number();
  }

  private void cover(Checkpoint checkpoint) {
    checkpoint.heads().forEach(head -> covered.merge(head.chain(), head.sequence(), Math::max));
  }
}
